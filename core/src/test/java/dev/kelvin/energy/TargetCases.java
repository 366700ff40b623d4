package dev.kelvin.energy;

import dev.kelvin.energy.analytic.Banana;
import dev.kelvin.energy.analytic.DoubleWell;
import dev.kelvin.energy.analytic.Funnel;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.energy.analytic.Rings;
import dev.kelvin.math.Box;
import java.util.List;
import java.util.stream.Stream;

/** Every analytic target, with a box that holds it where it lies in the plane. */
public final class TargetCases {
    public record Case(String name, Target target, Box box) {
        @Override
        public String toString() {
            return name;
        }

        public LogDensity normalised() {
            return x -> target.at(x).minus(target.logNormaliser());
        }
    }

    private TargetCases() {}

    public static List<Case> plane() {
        double[][] leaning = {{2, 0.9}, {0.9, 0.5}};
        Gaussian gaussian = new Gaussian(new double[] {1, -2}, leaning);
        GaussianMixture mixture =
                new GaussianMixture(List.of(gaussian, Gaussian.isotropic(new double[] {-2, 1}, 0.5)), 1, 3);
        return List.of(
                new Case("gaussian", gaussian, new Box(-8, 10, -7, 3)),
                new Case("mixture", mixture, new Box(-8, 10, -7, 4)),
                new Case("rings", new Rings(List.of(1.0, 3.0), 0.2), Box.square(0, 0, 4.5)),
                new Case("funnel", new Funnel(2, 0.5), new Box(-3, 3, -12, 12)),
                new Case("banana", new Banana(1.5, 0.4), new Box(-9, 9, -6, 25)),
                new Case("double well", new DoubleWell(2, 1.2, 0.8), Box.square(0, 0, 6)));
    }

    public static Stream<Case> all() {
        Box none = Box.square(0, 0, 1);
        double[][] covariance = {{1, 0.2, -0.3}, {0.2, 2, 0.1}, {-0.3, 0.1, 0.7}};
        Gaussian gaussian = new Gaussian(new double[] {1, 0, -1}, covariance);
        return Stream.concat(
                plane().stream(),
                Stream.of(
                        new Case("gaussian 3", gaussian, none),
                        new Case("funnel 5", new Funnel(5, 0.5), none),
                        new Case("double well 1", new DoubleWell(1, 2, 0.3), none),
                        new Case("double well 3", new DoubleWell(3, 1, 1), none)));
    }
}
