package dev.kelvin.sample;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A constant added to f changes nothing, also where f is in the hundreds and T is 5e-5, the temperature of image models. */
class LowTemperatureTest {
    private static final double T = 5e-5;
    private static final double OFFSET = 512;

    /** A float's last digit at the offset: values that are multiples of it have no rounding of their own there. */
    private static final double DIGIT = Math.ulp((float) OFFSET);

    /** −x²/2·400T in steps of the last digit, so that f and f + 512 are the same but for the 512. */
    private record Stepped(double offset) implements LogDensity {
        @Override
        public Tensor at(Tensor x) {
            double[] values = x.square().sumPerSample().toDoubles();
            for (int i = 0; i < values.length; i++) {
                values[i] = offset + DIGIT * Math.rint(-200 * T * values[i] / DIGIT);
            }
            return Tensors.of(values).to(x.dtype());
        }

        @Override
        public ValueAndGradient valueAndGradient(Tensor x) {
            return new ValueAndGradient(at(x), x.times(-400 * T));
        }
    }

    static Stream<Kernel<?>> kernels() {
        return Stream.of(with(Mala.of(20), "temperature", T), with(Hmc.of(6, 3), "temperature", T));
    }

    private static double[] end(Kernel<?> kernel, UnaryOperator<LogDensity> change, double offset) {
        try (Scope scope = Scope.open()) {
            Tensor x =
                    Tensors.normal(Key.of(1), DType.FLOAT, Device.CPU, 200, 1).timesInPlace(0.05);
            return ChainRun.run(Key.of(2), kernel, change.apply(new Stepped(offset)), x, 20)
                    .x()
                    .toDoubles();
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void chainsDoNotSeeTheOffset(Kernel<?> kernel) {
        for (double scale : new double[] {1, 0.3}) { // as under the robust objective, (1 − β)f
            UnaryOperator<LogDensity> scaled = f -> f.scaled(scale);
            assertThat(end(kernel, scaled, OFFSET)).containsExactly(end(kernel, scaled, 0));
        }
    }

    @Test
    void replicasDoNotSeeTheOffset() {
        ReplicaExchange exchange = with(ReplicaExchange.of(Mala.of(20 * T)), "rungs", 3, "hottest", 4);
        UnaryOperator<LogDensity> tempered = f -> f.tempered(T);
        assertThat(end(exchange, tempered, OFFSET)).containsExactly(end(exchange, tempered, 0));
    }

    /** What is judged: differences of f/T. */
    @Test
    void temperedValuesKeepTheirDigits() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(1), DType.FLOAT, Device.CPU, 10, 1).timesInPlace(0.05);
            double[] plain = new Stepped(0).tempered(T).at(x).toDoubles();
            double[] shifted = new Stepped(OFFSET).tempered(T).at(x).toDoubles();
            for (int i = 0; i < plain.length; i++) {
                assertThat(shifted[i] - OFFSET / T).isCloseTo(plain[i], within(1e-8)); // 4 ulp of 512/T in double
            }
        }
    }

    @Test
    void robustWeightsDoNotSeeTheOffset() {
        Objective robust = Objectives.robust(0.5).at(new Objective.Moment(0, 1, T));
        double[] up = {0, DIGIT};
        double[] down = {DIGIT, 3 * DIGIT, 0};
        Loss plain = robust.of(up, down);
        Loss shifted = robust.of(plus(up), plus(down));
        assertThat(shifted.negativeGradient()).containsExactly(plain.negativeGradient(), within(1e-8));
        assertThat(shifted.positiveGradient()).containsExactly(plain.positiveGradient(), within(1e-8));
    }

    private static double[] plus(double[] f) {
        double[] shifted = f.clone();
        Arrays.setAll(shifted, i -> f[i] + OFFSET);
        return shifted;
    }

    /** What no sum can bring back: the rounding of f itself. */
    @Test
    void theRoundingOfFIsTold() {
        double rounding = ModelFigures.rounding(new double[] {3, -OFFSET, 100}, T);
        assertThat(rounding).isCloseTo(DIGIT / 2 / T, within(1e-12)).isGreaterThan(ModelFigures.ROUNDING.poor());
        assertThat(ModelFigures.rounding(new double[] {3, -OFFSET}, 1)).isLessThan(ModelFigures.ROUNDING.good());
    }
}
