package dev.kelvin.sample.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.SettingException;
import dev.kelvin.sample.KernelCases;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.Posing;
import dev.kelvin.sample.Position;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.Transition;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChainsTest {
    /** Adds one at each step, so that a draw says at which step it was made. */
    private record Counting() implements Posing<Position> {
        @Override
        public Position start(LogDensity target, Tensor x) {
            return new Position(x);
        }

        @Override
        public Transition<Position> step(Key key, LogDensity target, Position state) {
            return new Transition<>(new Position(state.x().plus(1)), StepInfo.UNADJUSTED);
        }
    }

    private static Chains counted(Chains.Length length) {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {0, 100}, 2, 1);
            return Chains.run(Key.of(1), new Counting(), KernelCases.WAVY, x, length);
        }
    }

    // ---- which steps are drawn

    @Test
    void burnInAndThinningChooseTheSteps() {
        Chains chains = counted(new Chains.Length(3, 4, 2));
        double[][] found = chains.trace().coordinate(0);
        assertThat(found[0]).containsExactly(5, 7, 9, 11);
        assertThat(found[1]).containsExactly(105, 107, 109, 111);
        assertThat(chains.trace().stride()).isEqualTo(1);
        assertThat(chains.acceptance()).isEmpty();
        assertThat(counted(new Chains.Length(0, 3, 1)).trace().coordinate(0)[0]).containsExactly(1, 2, 3);
        assertThat(counted(new Chains.Length(2, 1, 5)).trace().coordinate(0)[0]).containsExactly(7);
    }

    @ParameterizedTest
    @CsvSource({"4, 4, 1", "4, 5, 2", "4, 8, 2", "4, 9, 4", "4, 20, 8", "2, 33, 32", "3, 20, 8", "7, 1000, 256"})
    void memoryIsBoundedAndDrawsAreEvenlySpaced(int held, int draws, int stride) {
        Trace trace = counted(new Chains.Length(0, draws, 1, held)).trace();
        assertThat(trace.stride()).isEqualTo(stride);
        assertThat(trace.draws()).isBetween(held / 2, held);
        double[] steps = trace.coordinate(0)[0];
        assertThat(steps).hasSize(trace.draws());
        for (int i = 0; i < steps.length; i++) {
            assertThat(steps[i]).isEqualTo(1 + (double) i * stride);
        }
        assertThat(steps[steps.length - 1] + stride).isGreaterThan(draws); // the whole run is covered
    }

    @Test
    void aTraceKnowsChainsAndCoordinates() {
        try (Scope scope = Scope.open()) {
            Trace trace = new Trace(5);
            assertThat(trace.coordinates()).isZero();
            trace.add(Tensors.of(new double[] {1, 2, 3, 4, 5, 6}, 2, 3, 1));
            trace.add(Tensors.of(new double[] {7, 8, 9, 10, 11, 12}, 2, 3, 1));
            assertThat(trace.chains()).isEqualTo(2);
            assertThat(trace.coordinates()).isEqualTo(3);
            assertThat(trace.coordinate(1)).isDeepEqualTo(new double[][] {{2, 8}, {5, 11}});
            assertThat(trace.last().dtype()).isEqualTo(DType.DOUBLE);
            assertThat(trace.last().shape()).containsExactly(2, 3, 1);
            assertThat(trace.last().toDoubles()).containsExactly(7, 8, 9, 10, 11, 12);
            assertThatThrownBy(() -> trace.add(Tensors.normal(Key.of(1), 2, 3, 1)))
                    .hasMessageStartingWith("a trace holds draws of one type and shape; there are double [2, 3, 1]");
        }
    }

    @Test
    void aStartWithoutADensityIsRefused() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new float[] {1, -1}, 2, 1);
            LogDensity log = at -> at.log().sum(1L);
            assertThatThrownBy(() -> Chains.run(Key.of(1), Mala.of(0.1), log, x, new Chains.Length(0, 3, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("the log-density is NaN where chain 1 starts, at (-1.000)");
            LogDensity column = at -> at.log();
            assertThatThrownBy(() -> Chains.run(Key.of(1), Mala.of(0.1), column, x, new Chains.Length(0, 3, 1)))
                    .hasMessageContaining("take the last dimension away with squeeze(1)");
        }
    }

    private static final Chains.Length LENGTH = new Chains.Length(5, 20, 2, 8);

    // ---- failures

    @Test
    void whatATargetThrowsArrives() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(4), 4, 2);
            LogDensity broken = at -> {
                throw new IllegalStateException("no density here");
            };
            assertThatThrownBy(() -> Chains.run(Key.of(5), Mala.of(0.1), broken, x, LENGTH))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no density here");
        }
    }

    @Test
    void noChainsAndNoDrawsAreRefused() {
        try (Scope scope = Scope.open()) {
            Tensor none = Tensors.zeros(DType.FLOAT, Device.CPU, 0, 2);
            assertThatThrownBy(() -> Chains.run(Key.of(1), Mala.of(0.1), KernelCases.WAVY, none, LENGTH))
                    .isInstanceOf(SettingException.class)
                    .hasMessage("chains must be at least 1, found 0");
        }
        assertThatThrownBy(() -> new Chains.Length(-1, 1, 1)).hasMessage("burnIn must be at least 0, found -1");
        assertThatThrownBy(() -> new Chains.Length(0, 0, 1)).hasMessage("draws must be at least 1, found 0");
        assertThatThrownBy(() -> new Chains.Length(0, 1, 0)).hasMessage("thin must be at least 1, found 0");
        assertThatThrownBy(() -> new Chains.Length(0, 1, 1, 1)).hasMessage("held must be at least 2, found 1");
    }
}
