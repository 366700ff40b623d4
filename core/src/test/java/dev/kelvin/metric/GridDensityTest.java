package dev.kelvin.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GridDensityTest {
    private static final Box BOX = Box.square(0, 0, 8);
    private static final Gaussian UNIT = Gaussian.isotropic(new double[2], 1);

    static List<ToyData> toys() {
        return ToyData.all();
    }

    @Test
    void normaliserOfAGaussian() {
        GridDensity grid = exact(UNIT, 256);
        assertThat(grid.logNormaliser()).isCloseTo(UNIT.logNormaliser(), within(1e-12));
        assertThat(grid.logDensities()).hasSize(256 * 256);
        // row 128, column 160: centre (2.03125, 0.03125)
        double square = 2.03125 * 2.03125 + 0.03125 * 0.03125;
        assertThat(grid.logDensities()[128 * 256 + 160]).isCloseTo(-square / 2 - UNIT.logNormaliser(), within(1e-12));
        // float rounds f by 6e-8 of its size, which is at most some units where the mass is
        assertThat(grid(UNIT, BOX).logNormaliser()).isCloseTo(UNIT.logNormaliser(), within(1e-6));
    }

    @Test
    void divergenceOfTwoGaussians() {
        Gaussian other = Gaussian.isotropic(new double[] {0.7, -0.2}, 1.3);
        // KL = ½ (2/s² + ‖m‖²/s² − 2 + 2 log s²)
        double variance = 1.3 * 1.3;
        double kl = 0.5 * (2 / variance + (0.49 + 0.04) / variance - 2 + 2 * Math.log(variance));
        assertThat(exact(UNIT, 256).klTo(exact(other, 256))).isCloseTo(kl, within(1e-6)); // the box cuts at 5.6 sd
        assertThat(exact(UNIT, 256).klTo(exact(UNIT, 256))).isZero();
    }

    /** Of a Gaussian in the plane, √(π/2) from its mean. */
    @Test
    void meanDistanceFromAPoint() {
        assertThat(exact(UNIT, 256).meanDistance(0, 0)).isCloseTo(Math.sqrt(Math.PI / 2), within(1e-3));
        assertThat(exact(UNIT, 256).meanDistance(3, -4))
                .isCloseTo(5.1, within(0.01)); // √(25 + 1), nearly: one variance across
    }

    /** Of N(0, I) and N((1, 0), I) log a − log b is ½ − x, and E|½ − x| = 2φ(½) + ½(2Φ(½) − 1) over x ~ N(0, 1). */
    @Test
    void meanDifferenceOfTwoGaussians() {
        GridDensity a = exact(UNIT, 256);
        GridDensity b = exact(Gaussian.isotropic(new double[] {1, 0}, 1), 256);
        NormalDistribution normal = NormalDistribution.of(0, 1);
        double expected = 2 * normal.density(0.5) + 0.5 * (2 * normal.cumulativeProbability(0.5) - 1);
        // a kink, as below: (16/256)² times the slope and the density there, over 12
        assertThat(a.meanDifference(a, b)).isCloseTo(expected, within(1e-3));
        assertThat(a.meanDifference(b, b)).isZero();
    }

    @Test
    void totalVariationOfShiftedGaussians() {
        double shift = 1.5;
        Gaussian shifted = Gaussian.isotropic(new double[] {shift, 0}, 1);
        double expected = 2 * NormalDistribution.of(0, 1).cumulativeProbability(shift / 2) - 1;
        // |p − q| has a kink: an error of the order of the squared side, (16/256)² = 4e-3, times its slope there, .05
        assertThat(exact(UNIT, 256).totalVariation(exact(shifted, 256))).isCloseTo(expected, within(2e-4));
        assertThat(exact(UNIT, 256).totalVariation(exact(UNIT, 256))).isZero();
    }

    @ParameterizedTest
    @MethodSource("toys")
    void halfTheResolutionWouldDoForToys(ToyData toy) {
        LogDensity density = toy.logDensity().orElseThrow();
        Box box = toy.domain();
        // a model that is wrong by a Gaussian factor as wide as the domain
        LogDensity model = density.plus(Gaussian.isotropic(new double[] {box.xMin(), box.yMax()}, box.width() / 2));
        double[] kl = new double[2];
        double[] logNormaliser = new double[2];
        for (int i = 0; i < 2; i++) {
            int cells = 128 << i;
            GridDensity p = GridDensity.of(density, box, cells, DType.DOUBLE, Device.CPU);
            GridDensity q = GridDensity.of(model, box, cells, DType.DOUBLE, Device.CPU);
            kl[i] = p.klTo(q);
            logNormaliser[i] = q.logNormaliser();
        }
        assertThat(kl[0]).isGreaterThan(0.01).isCloseTo(kl[1], within(1e-4));
        assertThat(logNormaliser[0]).isCloseTo(logNormaliser[1], within(1e-4));
    }

    @Test
    void aBoxThatIsTooSmallIsNoticed() {
        assertThat(grid(UNIT, Box.square(0, 0, 1)).edgeMass()).isGreaterThan(0.05);
        // a flat density has 1 − (30/32)² of its mass there
        LogDensity flat = x -> x.sum(1L).times(0);
        assertThat(grid(flat, BOX).edgeMass()).isCloseTo(1 - Math.pow(15.0 / 16, 2), within(1e-9));
    }

    @Test
    void aModelWithoutMassWhereTheDataIsHasInfiniteDivergence() {
        GridDensity board = exact(ToyData.named("checkerboard").logDensity().orElseThrow(), 256);
        assertThat(exact(UNIT, 256).klTo(board)).isInfinite();
        assertThat(board.klTo(exact(UNIT, 256))).isPositive().isFinite();
    }

    @Test
    void notANumberIsReported() {
        LogDensity broken = x -> x.select(1, 0).log(); // NaN on the left half
        GridDensity grid = exact(broken, 16);
        assertThat(grid.logNormaliser()).isNaN();
        assertThat(exact(UNIT, 16).klTo(grid)).isNaN();
        assertThat(exact(UNIT, 16).totalVariation(grid)).isNaN();
        assertThat(grid.edgeMass()).isNaN();
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> exact(UNIT, 16).klTo(exact(UNIT, 32)))
                .hasMessageContaining("found 16 cells a side")
                .hasMessageContaining("and 32");
        assertThatThrownBy(() -> exact(x -> x, 16)).hasMessageContaining("expected one value a sample");
        assertThatThrownBy(() -> exact(UNIT, 1)).hasMessageContaining("cells must be at least 2, found 1");
    }

    @Test
    void heldOutLikelihood() {
        try (Scope scope = Scope.open()) {
            // f = 0, -0.5, -2 less log 2π: mean -2.5/3, sample variance 13/12
            Tensor x = Tensors.of(new double[] {0, 0, 1, 0, 0, 2}, 3, 2);
            HeldOut held = HeldOut.of(UNIT, UNIT.logNormaliser(), x);
            assertThat(held.mean()).isCloseTo(-2.5 / 3 - Math.log(2 * Math.PI), within(1e-12));
            assertThat(held.standardError()).isCloseTo(Math.sqrt(13.0 / 12 / 3), within(1e-12));
        }
    }

    @Test
    void heldOutLikelihoodStatTestAgainstTheEntropy() {
        try (Scope scope = Scope.open()) {
            Tensor x = UNIT.draw(Key.of(31), 5000, DType.DOUBLE); // more than one batch
            HeldOut held = HeldOut.of(UNIT, UNIT.logNormaliser(), x);
            // −entropy = −log 2πe, Var f = 1; alpha = 1e-4: z = 3.9. The twin leaves log Z out.
            double entropy = 1 + Math.log(2 * Math.PI);
            assertThat(held.standardError()).isCloseTo(1 / Math.sqrt(5000), within(0.1 / Math.sqrt(5000)));
            assertThat(held.mean()).isCloseTo(-entropy, within(3.9 / Math.sqrt(5000)));
            assertThat(HeldOut.of(UNIT, 0, x).mean()).isNotCloseTo(-entropy, within(3.9 / Math.sqrt(5000)));
        }
    }

    @Test
    void heldOutLikelihoodReportsWhatIsNotFinite() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {0, 0, Double.NaN, 0, 1, 1}, 3, 2);
            HeldOut nan = HeldOut.of(UNIT, 0, x);
            assertThat(nan.mean()).isNaN();
            LogDensity board = ToyData.named("checkerboard").logDensity().orElseThrow();
            HeldOut outside = HeldOut.of(board, 0, Tensors.of(new double[] {9, 9, 1, 1}, 2, 2));
            assertThat(outside.mean()).isEqualTo(Double.NEGATIVE_INFINITY);
            assertThatThrownBy(() -> HeldOut.of(UNIT, 0, x.narrow(0, 0, 1)))
                    .hasMessageContaining("two samples or more");
        }
    }

    private static GridDensity grid(LogDensity f, Box box) {
        return GridDensity.of(f, box, GridDensity.CELLS, DType.FLOAT, Device.CPU);
    }

    private static GridDensity exact(LogDensity f, int cells) {
        return GridDensity.of(f, BOX, cells, DType.DOUBLE, Device.CPU);
    }

    /** Several at once are each alone. */
    @Test
    void eachIsAsAlone() {
        Gaussian a = Gaussian.isotropic(new double[] {0.5, -0.25}, 0.4);
        Gaussian b = Gaussian.isotropic(new double[] {0, 0.5}, 0.3);
        Box box = Box.square(0, 0, 3);
        List<GridDensity> both = GridDensity.each(
                x -> Tensors.stack(1, List.of(a.at(x), b.at(x))), 2, box, 50, DType.DOUBLE, Device.CPU);
        for (int i = 0; i < 2; i++) {
            GridDensity alone = GridDensity.of(i == 0 ? a : b, box, 50, DType.DOUBLE, Device.CPU);
            assertThat(both.get(i).logDensities()).isEqualTo(alone.logDensities());
            assertThat(both.get(i).logNormaliser()).isEqualTo(alone.logNormaliser());
        }
        assertThat(both.get(0).mean()).containsExactly(new double[] {0.5, -0.25}, within(1e-6));
    }
}
