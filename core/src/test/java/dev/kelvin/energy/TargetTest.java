package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.analytic.Banana;
import dev.kelvin.energy.analytic.DoubleWell;
import dev.kelvin.energy.analytic.Funnel;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.energy.analytic.Rings;
import dev.kelvin.math.Box;
import dev.kelvin.math.GaussLegendre;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TargetTest {
    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.TargetCases#plane")
    void normalisersAreTheIntegrals(TargetCases.Case c) {
        Box box = c.box();
        GaussLegendre across = new GaussLegendre(box.xMin(), box.xMax(), 60, 8);
        GaussLegendre up = new GaussLegendre(box.yMin(), box.yMax(), 60, 8);
        double sum = 0;
        for (int j = 0; j < up.size(); j++) {
            double[] points = new double[2 * across.size()];
            for (int i = 0; i < across.size(); i++) {
                points[2 * i] = across.node(i);
                points[2 * i + 1] = up.node(j);
            }
            try (Scope scope = Scope.open()) {
                double[] f = c.target().at(Tensors.of(points, across.size(), 2)).toDoubles();
                for (int i = 0; i < f.length; i++) {
                    sum += across.weight(i) * up.weight(j) * Math.exp(f[i]);
                }
            }
        }
        // the boxes leave out less than 1e-6
        assertThat(Math.log(sum)).isCloseTo(c.target().logNormaliser(), within(2e-6));
    }

    @Test
    void gaussianByHand() {
        // Σ = diag(4, 1), x - μ = (2, -1): f = -(1 + 1)/2; Z = 2π·2
        Gaussian gaussian = new Gaussian(new double[] {1, 1}, new double[][] {{4, 0}, {0, 1}});
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {3, 0}, 1, 2);
            assertThat(gaussian.at(x).item()).isCloseTo(-1, within(1e-15));
            assertThat(gaussian.valueAndGradient(x).gradient().toDoubles())
                    .containsExactly(new double[] {-0.5, 1}, within(1e-15));
        }
        assertThat(gaussian.logNormaliser()).isCloseTo(Math.log(4 * Math.PI), within(1e-15));
    }

    @Test
    void ringsByHand() {
        // at distance 1 from rings of radius 1 and 3, sd 1: (φ(0) + φ(2) + φ(2) + φ(4)) / 2 / (2π)
        double phi = 1 / Math.sqrt(2 * Math.PI);
        double density = phi * (1 + 2 * Math.exp(-2) + Math.exp(-8)) / 2 / (2 * Math.PI);
        try (Scope scope = Scope.open()) {
            double f = new Rings(List.of(1.0, 3.0), 1)
                    .at(Tensors.of(new double[] {0.6, -0.8}, 1, 2))
                    .item();
            assertThat(f).isCloseTo(Math.log(density), within(1e-14));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.TargetCases#all")
    void drawsAreDecidedByTheKey(TargetCases.Case c) {
        try (Scope scope = Scope.open()) {
            double[] once = c.target().draw(Key.of(5), 20, DType.DOUBLE).toDoubles();
            assertThat(c.target().draw(Key.of(5), 20, DType.DOUBLE).toDoubles()).isEqualTo(once);
            assertThat(c.target().draw(Key.of(6), 20, DType.DOUBLE).toDoubles()).isNotEqualTo(once);
            float[] rounded = new float[once.length];
            for (int i = 0; i < once.length; i++) {
                rounded[i] = (float) once[i];
            }
            assertThat(c.target().draw(Key.of(5), 20).toFloats()).isEqualTo(rounded);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.TargetCases#all")
    void floatsStayFloats(TargetCases.Case c) {
        try (Scope scope = Scope.open()) {
            Tensor x = c.target().draw(Key.of(7), 20);
            ValueAndGradient both = c.target().valueAndGradient(x);
            assertThat(both.value().dtype()).isEqualTo(DType.FLOAT);
            assertThat(both.gradient().dtype()).isEqualTo(DType.FLOAT);
            double[] exact = c.target().at(x.to(DType.DOUBLE)).toDoubles();
            // some dozen roundings of terms of at most some dozen units
            assertThat(both.value().toDoubles()).containsExactly(exact, within(1e-4));
        }
    }

    @Test
    void aWrongShapeIsNamed() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.zeros(DType.FLOAT, dev.kelvin.tensor.Device.CPU, 4, 3);
            assertThatThrownBy(() -> new Banana(1, 1).at(x)).hasMessageContaining("[4, 3]; expected [n, 2]");
        }
    }

    @Test
    void wrongSettingsAreNamed() {
        double[] zero = new double[2];
        assertThatThrownBy(() -> new Gaussian(zero, new double[][] {{1, 2}, {2, 1}}))
                .hasMessageContaining("covariance must be positive definite");
        assertThatThrownBy(() -> new Gaussian(zero, new double[][] {{1, 0.5}, {0.2, 1}}))
                .hasMessageContaining("covariance must be symmetric, found 0.2 at (1, 0) and 0.5 at (0, 1)");
        assertThatThrownBy(() -> new Gaussian(zero, new double[][] {{1}}))
                .hasMessageContaining("covariance must have 2 rows, found 1");
        assertThatThrownBy(() -> GaussianMixture.isotropic(1, new double[][] {{0, 0}, {1, 1}}, 1))
                .hasMessageContaining("weights must be one for each of the 2 components, found 1");
        assertThatThrownBy(() -> GaussianMixture.isotropic(1, new double[][] {{0, 0}}, -1))
                .hasMessageContaining("weights must be above 0, found -1");
        assertThatThrownBy(() -> new Rings(List.of(), 1)).hasMessageContaining("radii must not be empty");
        assertThatThrownBy(() -> new Funnel(1, 1)).hasMessageContaining("dimension must be at least 2, found 1");
        assertThatThrownBy(() -> new DoubleWell(1, 0, 1)).hasMessageContaining("wells must be above 0, found 0");
        assertThatThrownBy(() -> new Box(0, 0, 0, 1)).hasMessageContaining("xMax must be above xMin");
        assertThatThrownBy(() -> new Banana(1, 1).draw(Key.of(1), -1)).hasMessageContaining("count must be at least 0");
    }

    @Test
    void gaussLegendreIsExactForPolynomials() {
        // ∫₋₁³ x⁷ dx = (3⁸ − 1)/8 = 820, degree 2·4 − 1
        assertThat(new GaussLegendre(-1, 3, 1, 4).integrate(x -> Math.pow(x, 7)))
                .isCloseTo(820, within(1e-11));
        assertThat(new GaussLegendre(-1, 3, 1, 3).integrate(x -> Math.pow(x, 7)))
                .isNotCloseTo(820, within(1e-2));
        assertThat(new GaussLegendre(0, 1, 5, 16).integrate(Math::exp)).isCloseTo(Math.E - 1, within(1e-14));
    }
}
