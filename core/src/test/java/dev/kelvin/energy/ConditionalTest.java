package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.sample.KernelCases;
import dev.kelvin.sample.ParticleSets;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(OneThread.class)
class ConditionalTest {
    private static final boolean[] FREE = {true, false, false, true, true, false, false, false, true, true, false, true
    };

    private static Tensor images(DType type) {
        return Tensors.normal(Key.of(1), type, Device.CPU, 6, 3, 2, 2);
    }

    @Test
    void takesAndPutsBackTheFreeCoordinates() {
        try (Scope scope = Scope.open()) {
            Tensor x = images(DType.FLOAT);
            Conditional given = new Conditional(KernelCases.WAVY, x, FREE);
            Tensor u = Tensors.normal(Key.of(2), 6, 6);
            Tensor filled = given.samples(u);
            assertThat(filled.shape()).containsExactly(6, 3, 2, 2);
            assertThat(given.free(filled).toFloats()).containsExactly(u.toFloats());
            assertThat(given.samples(given.free(x)).toFloats()).containsExactly(x.toFloats());
            assertThat(given.at(u).toFloats())
                    .containsExactly(KernelCases.WAVY.at(filled).toFloats());
            float[] before = x.toFloats();
            float[] after = filled.toFloats();
            for (int i = 0; i < before.length; i++) {
                assertThat(after[i] == before[i]).isEqualTo(!FREE[i % 12]);
            }
        }
    }

    @Test
    void knowsItsGradient() {
        try (Scope scope = Scope.open()) {
            Conditional given = new Conditional(KernelCases.WAVY, images(DType.DOUBLE), FREE);
            Tensor u = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 6, 6);
            assertThat(Differences.worstError(given, u, given.gradient(u))).isLessThan(1e-6);
            assertThat(Differences.worstError(
                            given, u, given.valueAndGradient(u).gradient()))
                    .isLessThan(1e-6);
            Observation seen = new Observation(images(DType.DOUBLE).flattenSamples(), 0.3);
            Tensor x = Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, 6, 12);
            assertThat(Differences.worstError(seen, x, seen.gradient(x))).isLessThan(1e-6);
        }
    }

    /** Limits are those of the whole sample, so that a density of other coordinates inside has its own. */
    @Test
    void limitsAreThoseOfTheWholeSample() {
        try (Scope scope = Scope.open()) {
            Tensor scale = Tensors.of(new double[] {1, 2, 4, 8, 16, 32}, 6, 1, 1, 1);
            Tensor x = images(DType.DOUBLE).over(scale);
            LogDensity inner = KernelCases.WAVY.rescaled(scale);
            Conditional given = new Conditional(inner, x, FREE);
            Tensor u = given.free(x).times(3);
            Tensor whole = given.samples(u);
            assertThat(given.clamp(u, -0.5, 0.5).toDoubles())
                    .containsExactly(given.free(inner.clamp(whole, -0.5, 0.5)).toDoubles());
            Tensor gradient = given.gradient(u);
            assertThat(given.clip(gradient, 0.2).toDoubles())
                    .containsExactly(
                            given.free(inner.clip(inner.gradient(whole), 0.2)).toDoubles());
        }
    }

    @Test
    void rowsGoWithTheirKnownCoordinates() {
        try (Scope scope = Scope.open()) {
            Conditional given = new Conditional(KernelCases.WAVY, images(DType.FLOAT), FREE);
            Tensor u = Tensors.normal(Key.of(2), 6, 6);
            long[] some = {4, 1, 1};
            assertThat(given.rows(some).at(u.rows(some)).toFloats())
                    .containsExactly(given.at(u).rows(some).toFloats());
            Observation seen = new Observation(images(DType.FLOAT), 0.3);
            Tensor x = images(DType.FLOAT).times(2);
            assertThat(seen.rows(some).at(x.rows(some)).toFloats())
                    .containsExactly(seen.at(x).rows(some).toFloats());
        }
    }

    /** Every kernel moves the free coordinates, and whatever it does the others stay to the bit. */
    @ParameterizedTest
    @MethodSource("kernels")
    void everyKernelFillsIn(KernelCases.Named named) {
        try (Scope scope = Scope.open()) {
            Tensor x = images(DType.FLOAT);
            Conditional given = new Conditional(KernelCases.WAVY, x, FREE);
            Tensor end = given.samples(
                    ChainRun.inHalves(Key.of(4), ParticleSets.of(named.kernel(), 3), given, given.free(x), 3)
                            .x());
            float[] before = x.toFloats();
            float[] after = end.toFloats();
            int moved = 0;
            for (int i = 0; i < before.length; i++) {
                if (FREE[i % 12]) {
                    moved += after[i] == before[i] ? 0 : 1;
                } else {
                    assertThat(after[i]).isEqualTo(before[i]);
                }
            }
            assertThat(moved).isPositive();
        }
    }

    static java.util.List<KernelCases.Named> kernels() {
        return KernelCases.KERNELS;
    }

    @Test
    void refusesWhatDoesNotFit() {
        try (Scope scope = Scope.open()) {
            Tensor x = images(DType.FLOAT);
            assertThatThrownBy(() -> new Conditional(KernelCases.WAVY, x, new boolean[12]))
                    .hasMessageContaining("free must name a coordinate or more");
            assertThatThrownBy(() -> new Conditional(KernelCases.WAVY, x, new boolean[11]))
                    .hasMessageContaining("11 coordinates do not fit");
        }
    }
}
