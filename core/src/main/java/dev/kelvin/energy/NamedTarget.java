package dev.kelvin.energy;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Analytic targets that people test samplers on, by name, with what makes each hard. */
public record NamedTarget(String name, String difficulty, Supplier<Target> making) {
    private static final int GAUSSIAN_DIMENSION = 20;
    private static final double CORRELATION = 0.9;

    public static final List<NamedTarget> ALL = List.of(
            new NamedTarget("normal", "nothing: ten independent unit Gaussians", () -> normal(10)),
            new NamedTarget(
                    "gaussian",
                    "20 coordinates, neighbours correlated by 0.9: a long thin valley",
                    NamedTarget::gaussian),
            new NamedTarget(
                    "funnel",
                    "Neal's funnel, 10 coordinates: no step size suits both its neck and its mouth",
                    Funnel::neal),
            new NamedTarget(
                    "easy-funnel", "a funnel of 5 coordinates that a tuned sampler can cover", () -> Funnel.easy(5)),
            new NamedTarget("banana", "a bent valley in the plane", () -> new Banana(1.5, 0.4)),
            new NamedTarget(
                    "double-well", "two wells in each of 3 coordinates, 8 modes", () -> new DoubleWell(3, 1.5, 1)),
            new NamedTarget("mixture", "8 modes on a circle that no small step connects", NamedTarget::mixture),
            new NamedTarget(
                    "rings", "four rings, one inside the other", () -> new Rings(List.of(1.0, 2.0, 3.0, 4.0), 0.15)));

    public static Optional<NamedTarget> find(String name) {
        return ALL.stream().filter(target -> target.name.equals(name)).findFirst();
    }

    public static List<String> names() {
        return ALL.stream().map(NamedTarget::name).toList();
    }

    public Target target() {
        return making.get();
    }

    private static Gaussian normal(int dimension) {
        return Gaussian.isotropic(new double[dimension], 1);
    }

    /** Covariance 0.9^|i − j|. */
    private static Gaussian gaussian() {
        int n = GAUSSIAN_DIMENSION;
        double[][] covariance = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                covariance[i][j] = Math.pow(CORRELATION, Math.abs(i - j));
            }
        }
        return new Gaussian(new double[n], covariance);
    }

    private static GaussianMixture mixture() {
        int modes = 8;
        double[][] centres = new double[modes][];
        double[] weights = new double[modes];
        for (int k = 0; k < modes; k++) {
            double angle = 2 * Math.PI * k / modes;
            centres[k] = new double[] {4 * Math.cos(angle), 4 * Math.sin(angle)};
            weights[k] = 1;
        }
        return GaussianMixture.isotropic(0.5, centres, weights);
    }
}
