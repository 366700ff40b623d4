package dev.kelvin.experiment;

import dev.kelvin.Words;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.metric.ModelFigures;
import dev.kelvin.sample.AnnealedImportance;
import dev.kelvin.sample.AnnealedWalk;
import dev.kelvin.sample.AnnealingPath;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * log Z of a model by annealed importance sampling from a Gaussian as wide as the data, forwards and, from the model's own
 * samples, backwards: a lower and an upper bound. The upper one needs samples that are the model's; where short chains are
 * not, both say little, and lie apart.
 */
final class Normaliser {
    private static final int CHAINS = 200;
    private static final int DENSITIES = 200;
    private static final int STEPS = 2;

    /** Most densities lie near the Gaussian, where a little of f changes much. */
    private static final double POWER = 3;

    private static final double FIRST_STEP = 0.1;
    private static final int FITTED = 1000;

    /** How much wider than the data the Gaussian is, so that the model's mass lies within. */
    private static final double WIDER = 1.5;

    private static final double ACCEPTANCE = 0.6;

    private Normaliser() {}

    /** Why there are no bounds, where there are none: f/T at another temperature than 1 is what no path reaches. */
    static Optional<String> whyNot(Experiment experiment) {
        double temperature = experiment.recipe().negatives().temperature();
        return temperature == 1
                ? Optional.empty()
                : Optional.of(
                        "not bounded: annealed importance sampling is for models that are sampled at temperature 1,"
                                + " and this one is at " + Words.number(temperature));
    }

    /** Both bounds and how far they lie apart; nothing where there is a reason why not. */
    static Map<String, Double> figures(Key key, Experiment experiment, Tensor samples) {
        Map<String, Double> figures = new LinkedHashMap<>();
        if (whyNot(experiment).isPresent()) {
            return figures;
        }
        Key[] keys = key.split(4);
        try (Scope scope = Scope.open()) {
            long[] shape = experiment.data().shape().stream()
                    .mapToLong(Long::longValue)
                    .toArray();
            LogDensity f = new Flat(experiment.density(), shape);
            Gaussian wide =
                    around(experiment.data().draws().draw(keys[0], FITTED).flattenSamples());
            AnnealingPath path = AnnealingPath.geometric(wide, f, DENSITIES, POWER);
            Tensor first = wide.draw(keys[1], CHAINS, DType.FLOAT).to(experiment.device());
            Tensor last = samples.flattenSamples().narrow(0, 0, Math.min(CHAINS, samples.size(0)));
            double[] sizes = AnnealedWalk.adapting(
                            keys[2], path, Mala.of(FIRST_STEP), ACCEPTANCE, first, 1, (i, x) -> {})
                    .stepSizes();
            AnnealedImportance.Bounds bounds =
                    AnnealedImportance.bounds(keys[3], path, i -> Mala.of(sizes[i]), first, last, STEPS);
            figures.put(ModelFigures.LOG_Z_LOWER.name(), bounds.lower() + wide.logNormaliser());
            figures.put(ModelFigures.LOG_Z_UPPER.name(), bounds.upper() + wide.logNormaliser());
            figures.put(ModelFigures.LOG_Z_GAP.name(), bounds.gap());
        }
        return figures;
    }

    private static Gaussian around(Tensor data) {
        double[] mean = data.mean(0L).toDoubles();
        double[] variance = data.square().mean(0L).toDoubles();
        double[][] covariance = new double[mean.length][mean.length];
        for (int i = 0; i < mean.length; i++) {
            covariance[i][i] = WIDER * WIDER * Math.max(1e-6, variance[i] - mean[i] * mean[i]);
        }
        return new Gaussian(mean, covariance);
    }

    /** A density of samples as vectors [n, d]. */
    private record Flat(LogDensity f, long[] shape) implements LogDensity {
        private Tensor shaped(Tensor x) {
            long[] sizes = new long[shape.length + 1];
            sizes[0] = x.size(0);
            System.arraycopy(shape, 0, sizes, 1, shape.length);
            return x.reshape(sizes);
        }

        @Override
        public Tensor at(Tensor x) {
            return f.at(shaped(x));
        }

        @Override
        public ValueAndGradient valueAndGradient(Tensor x) {
            ValueAndGradient both = f.valueAndGradient(shaped(x));
            return new ValueAndGradient(both.value(), both.gradient().flattenSamples());
        }
    }
}
