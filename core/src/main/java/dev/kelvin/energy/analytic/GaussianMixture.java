package dev.kelvin.energy.analytic;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.Target;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A mixture of Gaussians, normalised: f(x) = log Σₖ wₖ N(x; μₖ, Σₖ), ∇f = Σₖ rₖ(x) ∇log N(x; μₖ, Σₖ) with rₖ the
 * probability that x came from component k. Weights are positive and are divided by their sum.
 */
public final class GaussianMixture implements Target {
    private final List<Gaussian> components;
    private final double[] weights;
    private final double[] logScales; // log w_k - log Z_k

    /** A mixture with these weights, which are divided by their sum. */
    public GaussianMixture(List<Gaussian> components, double... weights) {
        this.components = List.copyOf(components);
        Check.notEmpty("components", components);
        if (weights.length != components.size()) {
            throw new SettingException(
                    "weights",
                    "must be one for each of the " + components.size() + " components, found " + weights.length);
        }
        int dimension = components.get(0).dimension();
        double sum = 0;
        for (int k = 0; k < weights.length; k++) {
            sum += Check.positive("weights", weights[k]);
            if (components.get(k).dimension() != dimension) {
                throw new SettingException(
                        "components",
                        "must have one dimension, found " + dimension + " and "
                                + components.get(k).dimension());
            }
        }
        this.weights = new double[weights.length];
        logScales = new double[weights.length];
        for (int k = 0; k < weights.length; k++) {
            this.weights[k] = weights[k] / sum;
            logScales[k] = Math.log(this.weights[k]) - components.get(k).logNormaliser();
        }
    }

    /** Components with covariance std² I at these centres. */
    public static GaussianMixture isotropic(double std, double[][] centres, double... weights) {
        List<Gaussian> components = Arrays.stream(centres)
                .map(centre -> Gaussian.isotropic(centre, std))
                .toList();
        return new GaussianMixture(components, weights);
    }

    @Override
    public Tensor at(Tensor x) {
        try (Scope scope = Scope.open()) {
            List<Tensor> terms = new ArrayList<>();
            for (int k = 0; k < weights.length; k++) {
                terms.add(components.get(k).at(x).plus(logScales[k]));
            }
            return scope.keep(Tensors.stack(1, terms).logSumExp(1));
        }
    }

    @Override
    public ValueAndGradient valueAndGradient(Tensor x) {
        try (Scope scope = Scope.open()) {
            List<Tensor> terms = new ArrayList<>();
            List<Tensor> gradients = new ArrayList<>();
            for (int k = 0; k < weights.length; k++) {
                ValueAndGradient both = components.get(k).valueAndGradient(x);
                terms.add(both.value().plus(logScales[k]));
                gradients.add(both.gradient());
            }
            Tensor term = Tensors.stack(1, terms); // [n, k]
            Tensor share = term.softmax(1).unsqueeze(2); // [n, k, 1]
            Tensor gradient = Tensors.stack(1, gradients).times(share).sum(1L);
            return new ValueAndGradient(scope.keep(term.logSumExp(1)), scope.keep(gradient));
        }
    }

    /** The mixture of scale·x + shift + noise·ξ, ξ ~ N(0, I). */
    public GaussianMixture mixed(double scale, double[] shift, double noise) {
        List<Gaussian> moved = new ArrayList<>();
        for (Gaussian component : components) {
            double[] mean = component.mean();
            double[][] covariance = component.covariance();
            for (int i = 0; i < mean.length; i++) {
                mean[i] = scale * mean[i] + shift[i];
                for (int j = 0; j < mean.length; j++) {
                    covariance[i][j] = scale * scale * covariance[i][j] + (i == j ? noise * noise : 0);
                }
            }
            moved.add(new Gaussian(mean, covariance));
        }
        return new GaussianMixture(moved, weights);
    }

    @Override
    public int dimension() {
        return components.get(0).dimension();
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        double left = random.nextDouble();
        int k = 0;
        while (k < weights.length - 1 && left >= weights[k]) {
            left -= weights[k++];
        }
        components.get(k).next(random, point);
    }

    @Override
    public double[] mean() {
        double[] mean = new double[dimension()];
        for (int k = 0; k < weights.length; k++) {
            double[] centre = components.get(k).mean();
            for (int i = 0; i < mean.length; i++) {
                mean[i] += weights[k] * centre[i];
            }
        }
        return mean;
    }

    /** Σₖ wₖ (Σₖ + (μₖ − μ)(μₖ − μ)ᵀ). */
    @Override
    public double[][] covariance() {
        double[] mean = mean();
        int n = mean.length;
        double[][] covariance = new double[n][n];
        for (int k = 0; k < weights.length; k++) {
            double[] centre = components.get(k).mean();
            double[][] within = components.get(k).covariance();
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    covariance[i][j] += weights[k] * (within[i][j] + (centre[i] - mean[i]) * (centre[j] - mean[j]));
                }
            }
        }
        return covariance;
    }
}
