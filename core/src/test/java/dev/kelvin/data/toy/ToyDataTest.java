package dev.kelvin.data.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToyDataTest {
    static List<String> names() {
        return ToyData.names();
    }

    @Test
    void isFoundByName() {
        assertThat(ToyData.names())
                .containsExactly("gmm", "rings", "four-gaussians", "spiral", "moons", "checkerboard", "pinwheel");
        assertThat(ToyData.named("four-gaussians").name()).isEqualTo("four-gaussians");
        assertThat(ToyData.named("rings")).isSameAs(ToyData.named("rings"));
        assertThatThrownBy(() -> ToyData.named("ring"))
                .isInstanceOf(SettingException.class)
                .hasMessage(
                        "toy has no 'ring'; did you mean 'rings'? (one of gmm, rings, four-gaussians, spiral, moons,"
                                + " checkerboard, pinwheel)");
        assertThatThrownBy(() -> ToyData.named("cifar-10")).hasMessageStartingWith("toy has no 'cifar-10' (one of gmm");
    }

    @ParameterizedTest
    @MethodSource("names")
    void saysWhatItLooksLike(String name) {
        assertThat(ToyData.named(name).words()).isNotBlank().isNotEqualTo(name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void drawsAreDecidedByTheKey(String name) {
        ToyData toy = ToyData.named(name);
        try (Scope scope = Scope.open()) {
            Tensor once = toy.draw(Key.of(1), 100);
            assertThat(once.shape()).containsExactly(100, 2);
            assertThat(once.dtype()).isEqualTo(DType.FLOAT);
            assertThat(toy.draw(Key.of(1), 100).toFloats()).isEqualTo(once.toFloats());
            assertThat(toy.draw(Key.of(2), 100).toFloats()).isNotEqualTo(once.toFloats());
            // a longer draw goes on where a shorter one ends
            assertThat(toy.draw(Key.of(1), 120).narrow(0, 0, 100).toFloats()).isEqualTo(once.toFloats());
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void theSquareDomainHoldsAllButAMillionth(String name) {
        ToyData toy = ToyData.named(name);
        Box domain = toy.domain();
        assertThat(domain.width()).isCloseTo(domain.height(), within(1e-12));
        GridDensity grid = GridDensity.of(density(toy), domain, 256, DType.DOUBLE, Device.CPU);
        assertThat(Math.exp(grid.logNormaliser())).isCloseTo(1, within(1e-6));
        assertThat(grid.edgeMass()).isLessThan(1e-4);
    }

    @ParameterizedTest
    @MethodSource("names")
    void densitiesKeepTheType(String name) {
        ToyData toy = ToyData.named(name);
        try (Scope scope = Scope.open()) {
            Tensor x = toy.draw(Key.of(4), 200);
            ValueAndGradient both = density(toy).valueAndGradient(x);
            assertThat(both.value().dtype()).isEqualTo(DType.FLOAT);
            assertThat(both.gradient().dtype()).isEqualTo(DType.FLOAT);
            // float's rounding of the points, 3e-8 relative, times x·∇f, which is at most some hundreds
            double[] exact = density(toy).at(x.to(DType.DOUBLE)).toDoubles();
            assertThat(both.value().toDoubles()).containsExactly(exact, within(1e-4));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void farAndNearPointsHaveFiniteOrNoDensityAndNaNStaysNaN(String name) {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new float[] {0, 0, 1000, -1000, Float.NaN, 0}, 3, 2);
            ValueAndGradient both = density(ToyData.named(name)).valueAndGradient(x);
            double[] f = both.value().toDoubles();
            assertThat(f[0]).isNotNaN();
            assertThat(f[1]).isNotNaN().isLessThan(-1000);
            assertThat(f[2]).isNaN();
            assertThat(both.gradient().narrow(0, 0, 2).allFinite()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void aWrongShapeIsRefused(String name) {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.zeros(DType.FLOAT, Device.CPU, 4, 3);
            LogDensity density = density(ToyData.named(name));
            assertThatThrownBy(() -> density.at(x))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("[4, 3]")
                    .hasMessageContaining("[n, 2]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"spiral", "moons"})
    void quadratureAlongACurveIsRightToABillionthWhereTheMassIs(String name) {
        Box domain = ToyData.named(name).domain();
        boolean spiral = name.equals("spiral");
        NoisyCurve fine = spiral
                ? new NoisyCurve(0.02, 4 * Curve.SPIRAL_PANELS, Curve.SPIRAL)
                : new NoisyCurve(0.1, 4 * Curve.MOONS_PANELS, Curve.MOONS);
        try (Scope scope = Scope.open()) {
            Tensor x = domain.cellCentres(64, 0, 64 * 64, DType.DOUBLE);
            double[] exact = fine.at(x).toDoubles();
            double[] found = density(ToyData.named(name)).at(x).toDoubles();
            double peak = Arrays.stream(exact).max().orElseThrow();
            for (int i = 0; i < exact.length; i++) {
                // 20 nats below the peak the density is a billionth of it; far out, off the curve's end, terms fall
                // by many powers of e from node to node
                assertThat(found[i]).isCloseTo(exact[i], within(exact[i] > peak - 20 ? 1e-9 : 1e-2));
            }
        }
    }

    @Test
    void aNoisyCurveTakesMorePointsThanOneBlock() {
        LogDensity spiral = density(ToyData.named("spiral"));
        try (Scope scope = Scope.open()) {
            Tensor x = ToyData.named("spiral").draw(Key.of(5), 5000);
            ValueAndGradient whole = spiral.valueAndGradient(x);
            ValueAndGradient tail = spiral.valueAndGradient(x.narrow(0, 4000, 1000));
            assertThat(whole.value().narrow(0, 4000, 1000).toFloats())
                    .isEqualTo(tail.value().toFloats());
            assertThat(spiral.at(x).toFloats()).isEqualTo(whole.value().toFloats());
            assertThat(whole.gradient().narrow(0, 4000, 1000).toFloats())
                    .containsExactly(tail.gradient().toFloats(), within(1e-2f)); // matrix products round by shape
        }
    }

    @Test
    void theCheckerboardIsWhereItShouldBe() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, 1, -1, 1, -3, -3, 3, -3, 5, 5, 3.999, 3.999}, 6, 2);
            double in = -Math.log(32);
            double out = Double.NEGATIVE_INFINITY;
            assertThat(density(ToyData.named("checkerboard")).at(x).toDoubles())
                    .containsExactly(in, out, in, out, out, in);
        }
    }

    private static LogDensity density(ToyData toy) {
        return toy.logDensity().orElseThrow();
    }

    /** Of scale·x + shift + noise·ξ: normalised, with the right mean and spread, and the data's own without noise. */
    @ParameterizedTest
    @ValueSource(strings = {"gmm", "four-gaussians", "spiral", "moons"})
    void mixedWithNoiseItIsKnownToo(String name) {
        ToyData toy = ToyData.named(name);
        double half = toy.domain().width() / 2;
        double noise = half / 8;
        double[] shift = {half / 10, -half / 5};
        Box box = Box.square(shift[0], shift[1], 2 * half);
        GridDensity plain = GridDensity.of(density(toy), toy.domain(), 200, DType.DOUBLE, Device.CPU);
        GridDensity mixed =
                GridDensity.of(toy.mixed(0.5, shift, noise).orElseThrow(), box, 200, DType.DOUBLE, Device.CPU);
        assertThat(mixed.logNormaliser()).isCloseTo(0, within(1e-3));
        for (int i = 0; i < 2; i++) {
            assertThat(mixed.mean()[i]).isCloseTo(0.5 * plain.mean()[i] + shift[i], within(1e-3 * half));
        }
        try (Scope scope = Scope.open()) {
            Tensor x = toy.draw(Key.of(1), 50).to(DType.DOUBLE);
            assertThat(toy.mixed(1, new double[2], 0).orElseThrow().at(x).toDoubles())
                    .containsExactly(density(toy).at(x).toDoubles(), within(1e-9));
            Tensor noisy = toy.draw(Key.of(2), 4000)
                    .to(DType.DOUBLE)
                    .times(0.5)
                    .plus(Tensors.of(shift, 1, 2))
                    .plus(Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, 4000, 2), noise);
            LogDensity truth = toy.mixed(0.5, shift, noise).orElseThrow();
            double cross = -truth.at(noisy).mean().item();
            double[] logs = mixed.logDensities();
            double entropy = 0;
            for (double log : logs) {
                entropy -= Math.exp(log) * log * box.area() / logs.length;
            }
            assertThat(cross).isCloseTo(entropy, within(0.08)); // four standard errors: log p has a spread of about 1.2
        }
    }

    @Test
    void othersMixedAreNot() {
        assertThat(ToyData.named("rings").mixed(0.5, new double[2], 1)).isEmpty();
    }
}
