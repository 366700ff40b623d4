package dev.kelvin.metric.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.metric.Reliability;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;

/** To 1e-10 relative, against the values of SYSTEMS.md, section 8. */
class FeatureGoldenTest {
    private static void same(double found, double golden) {
        assertThat(found).isCloseTo(golden, within(1e-10 * Math.abs(golden)));
    }

    @Test
    void gaussians() {
        try (Scope scope = Scope.open()) {
            Tensor shift = Tensors.of(new double[] {1, 0, -2});
            Tensor first = Tensors.of(new double[] {2, .5, .1, .5, 1, .2, .1, .2, 1.5}, 3, 3);
            Tensor second = Tensors.of(new double[] {1, -.3, 0, -.3, 2, .4, 0, .4, 1}, 3, 3);
            same(FrechetDistance.of(shift, first, second), 5.6369055609011856);
            same(FrechetDistance.of(shift, second, first), 5.6369055609011856);
        }
    }

    @Test
    void kernelDistance() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {0, 1, 1, 2, 2, 0, 1, 1}, 4, 2);
            Tensor y = Tensors.of(new double[] {1, 1, 2, 2, 0, 0, 3, 1}, 4, 2);
            same(KernelDistance.squared(x, y), -.1145833333333357);
        }
    }

    @Test
    void inceptionScore() {
        try (Scope scope = Scope.open()) {
            InceptionScore score = new InceptionScore(1);
            score.add(Tensors.of(new double[] {.7, .2, .1, .1, .8, .1, .2, .2, .6, .25, .5, .25}, 4, 3)
                    .log());
            same(score.score(), 1.2467337680783763);
        }
    }

    @Test
    void extrapolation() {
        int[] sizes = {1000, 2000, 4000, 5000};
        same(Extrapolation.of(sizes, 12, 11.1, 10.4, 10.35), 9.939735614307926);
    }

    @Test
    void expectedCalibrationError() {
        double[] confidences = {.32, .37, .39, .61, .65, .91};
        boolean[] right = {true, true, false, false, false, true};
        Reliability reliability = new Reliability(10);
        for (int i = 0; i < right.length; i++) {
            reliability.add(confidences[i], right[i]);
        }
        same(reliability.expectedError(), .3783333333333333);
    }
}
