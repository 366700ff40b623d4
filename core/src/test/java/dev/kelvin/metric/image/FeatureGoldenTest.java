package dev.kelvin.metric.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.Reliability;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;

/** To 1e-10 relative, against the values of SYSTEMS.md, section 8; the standard error is NumPy 1.24's, by polyfit. */
class FeatureGoldenTest {
    private static void same(double found, double golden) {
        assertThat(found).isCloseTo(golden, within(1e-10 * Math.abs(golden)));
    }

    private static Moments moments(double[] mean, double... covariance) {
        return Moments.of(Tensors.of(mean), Tensors.of(covariance, mean.length, mean.length), 10);
    }

    @Test
    void gaussians() {
        try (Scope scope = Scope.open();
                Moments first = moments(new double[] {0, 1, 2}, 2, .5, .1, .5, 1, .2, .1, .2, 1.5);
                Moments second = moments(new double[] {1, 1, 0}, 1, -.3, 0, -.3, 2, .4, 0, .4, 1)) {
            same(FrechetDistance.of(first, second).value(), 5.6369055609011856);
            same(FrechetDistance.of(second, first).value(), 5.6369055609011856);
            same(FrechetDistance.of(first, second).means(), 5);
        }
    }

    @Test
    void kernelDistance() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {0, 1, 1, 2, 2, 0, 1, 1}, 4, 2);
            Tensor y = Tensors.of(new double[] {1, 1, 2, 2, 0, 0, 3, 1}, 4, 2);
            same(KernelDistance.whole(x, y, new FeatureKernel.Cubic()).mean(), -.1145833333333357);
        }
    }

    @Test
    void inceptionScore() {
        try (Scope scope = Scope.open()) {
            InceptionScore score = new InceptionScore(3, 1);
            score.add(Tensors.of(new double[] {.7, .2, .1, .1, .8, .1, .2, .2, .6, .25, .5, .25}, 4, 3));
            same(score.score().mean(), 1.2467337680783763);
        }
    }

    @Test
    void extrapolation() {
        Extrapolation line = Extrapolation.of(List.of(
                new Extrapolation.Point(1000, 12),
                new Extrapolation.Point(2000, 11.1),
                new Extrapolation.Point(4000, 10.4),
                new Extrapolation.Point(5000, 10.35)));
        same(line.value(), 9.939735614307926);
        same(line.slope(), 2097.978227060653);
        same(line.standardError(), 0.08706040454314691);
    }

    @Test
    void expectedCalibrationError() {
        double[] confidences = {.32, .37, .39, .61, .65, .91};
        boolean[] right = {true, true, false, false, false, true};
        Reliability reliability = new Reliability(10);
        Calibration calibration = new Calibration(5, 10);
        try (Scope scope = Scope.open()) {
            for (int i = 0; i < right.length; i++) {
                reliability.add(confidences[i], right[i]);
                double rest = (1 - confidences[i]) / 4;
                calibration.add(
                        Tensors.of(new double[] {rest, rest, confidences[i], rest, rest}, 1, 5), right[i] ? 2 : 4);
            }
        }
        same(reliability.expectedError(), .3783333333333333);
        same(calibration.report().expectedError(), .3783333333333333);
    }
}
