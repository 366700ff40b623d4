package dev.kelvin.data.toy;

import dev.kelvin.energy.GaussianMixture;
import dev.kelvin.energy.Rings;
import dev.kelvin.math.Box;
import java.util.List;

/**
 * The toy sets with their numbers. Domains leave five standard deviations and more, so that a model that spreads a
 * little too far is still seen whole.
 */
final class Toys {
    static final List<ToyData> ALL = List.of(
            new TargetToy("gmm", Box.square(0, 0, 2), gmm()),
            new TargetToy("rings", Box.square(0, 0, 5), new Rings(List.of(1.0, 2.0, 3.0, 4.0), 0.15)),
            new TargetToy("four-gaussians", Box.square(0, 0, 16), fourGaussians()),
            new NoisyCurve("spiral", Box.square(0.1, 0.1, 0.6), 0.02, Spiral.PANELS, new Spiral()),
            new NoisyCurve("moons", Box.square(0.5, 0.25, 2), 0.1, Moons.PANELS, new Moons()),
            new Checkerboard(),
            new Pinwheel());

    private Toys() {}

    /** Paper 004's mixture: 8 modes on the unit circle, mode k at angle 2πk/8 with weight k, k = 1..8. */
    private static GaussianMixture gmm() {
        int modes = 8;
        double[][] centres = new double[modes][];
        double[] weights = new double[modes];
        for (int k = 1; k <= modes; k++) {
            double angle = 2 * Math.PI * k / modes;
            centres[k - 1] = new double[] {Math.cos(angle), Math.sin(angle)};
            weights[k - 1] = k;
        }
        return GaussianMixture.isotropic(0.15, centres, weights);
    }

    /** Paper 001's toy. */
    private static GaussianMixture fourGaussians() {
        double[][] centres = {{10, 0}, {-10, 0}, {0, 10}, {0, -10}};
        return GaussianMixture.isotropic(1, centres, 1, 1, 1, 1);
    }
}
