package dev.kelvin.data.toy;

import dev.kelvin.energy.ExactSampler;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.energy.analytic.Rings;
import dev.kelvin.math.Box;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The toy sets with their numbers. Domains leave five standard deviations and more, so that a model that spreads a
 * little too far is still seen whole.
 */
public final class Toys {
    private Toys() {}

    /** The mixture of <i>Robust to Inaccurate SGLD Samples</i>: mode k at angle 2πk/8 with weight k, k = 1..8. */
    public static ToyData gmm() {
        int modes = 8;
        double[][] centres = new double[modes][];
        double[] weights = new double[modes];
        for (int k = 1; k <= modes; k++) {
            double angle = 2 * Math.PI * k / modes;
            centres[k - 1] = new double[] {Math.cos(angle), Math.sin(angle)};
            weights[k - 1] = k;
        }
        return new TargetToy<>(
                "gmm",
                "eight Gaussians on the unit circle, with weights from 1 to 8",
                Box.square(0, 0, 2),
                GaussianMixture.isotropic(0.15, centres, weights),
                List.of("anonymous-robust"));
    }

    /** Four rings around each other. */
    public static ToyData rings() {
        return new TargetToy<>(
                "rings",
                "four concentric rings",
                Box.square(0, 0, 5),
                new Rings(List.of(1.0, 2.0, 3.0, 4.0), 0.15),
                List.of("anonymous-robust"));
    }

    /** The toy of Zhang 2021. */
    public static ToyData fourGaussians() {
        double[][] centres = {{10, 0}, {-10, 0}, {0, 10}, {0, -10}};
        return new TargetToy<>(
                "four-gaussians",
                "four Gaussians, ten standard deviations from the origin",
                Box.square(0, 0, 16),
                GaussianMixture.isotropic(1, centres, 1, 1, 1, 1),
                List.of("zhang2021"));
    }

    /** A spiral with Gaussian noise. */
    public static ToyData spiral() {
        return new TargetToy<>(
                "spiral",
                "a spiral with Gaussian noise",
                Box.square(0.1, 0.1, 0.6),
                new NoisyCurve(0.02, Curve.SPIRAL_PANELS, Curve.SPIRAL),
                List.of("anonymous-time"));
    }

    /** Two interleaved half circles with Gaussian noise. */
    public static ToyData moons() {
        return new TargetToy<>(
                "moons",
                "two interleaved half circles with Gaussian noise",
                Box.square(0.5, 0.25, 2),
                new NoisyCurve(0.1, Curve.MOONS_PANELS, Curve.MOONS),
                List.of());
    }

    /** The dark squares of a board. */
    public static ToyData checkerboard() {
        return new TargetToy<>(
                "checkerboard",
                "uniform on the dark squares of a four by four board",
                Checkerboard.DOMAIN,
                new Checkerboard(),
                List.of());
    }

    /** Five long blobs, bent like the sails of a pinwheel. */
    public static ToyData pinwheel() {
        return new TargetToy<>(
                "pinwheel",
                "five bent blobs around the origin, like the sails of a pinwheel",
                Pinwheel.DOMAIN,
                new Pinwheel(),
                List.of("johnson2016"));
    }

    /** A density that can be sampled as data; its f must be normalised. */
    private record TargetToy<T extends LogDensity & ExactSampler>(
            String name, String words, Box domain, T target, List<String> cites) implements ToyData {
        @Override
        public Optional<LogDensity> logDensity() {
            return Optional.of(target);
        }

        @Override
        public Optional<LogDensity> mixed(double scale, double[] shift, double noise) {
            if (target instanceof NoisyCurve curve) {
                return Optional.of(curve.mixed(scale, shift, noise));
            }
            return target instanceof GaussianMixture mixture
                    ? Optional.of(mixture.mixed(scale, shift, noise))
                    : Optional.empty();
        }

        @Override
        public void next(RandomGenerator random, double[] point) {
            target.next(random, point);
        }
    }
}
