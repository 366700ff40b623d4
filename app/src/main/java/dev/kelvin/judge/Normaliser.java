package dev.kelvin.judge;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.sample.anneal.PartitionFunction;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * log Z of a model of points by annealed importance sampling from its base measure, or from a Gaussian as wide as the data,
 * forwards and, from the model's own samples, backwards: a lower and an upper bound. The upper one needs samples that are the
 * model's; where short chains are not, both say little, and lie apart.
 */
final class Normaliser {
    private static final PartitionFunction.Settings SETTINGS = new PartitionFunction.Settings(0.1, 200, 250_000);

    private static final int FITTED = 1000;

    /** How much wider than the data the Gaussian is, so that the model's mass lies within. */
    private static final double WIDER = 1.5;

    private Normaliser() {}

    /** Both bounds on log Z of exp(f/T), and how far they lie apart. */
    static Map<String, Double> figures(Key key, Experiment experiment, Tensor samples) {
        PartitionFunction found = of(key, experiment, samples);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(ModelFigures.LOG_Z_LOWER.name(), found.lower());
        figures.put(ModelFigures.LOG_Z_UPPER.name(), found.upper());
        figures.put(ModelFigures.LOG_Z_GAP.name(), found.gap());
        return figures;
    }

    private static PartitionFunction of(Key key, Experiment experiment, Tensor samples) {
        Key[] keys = key.split(2);
        try (Scope scope = Scope.open()) {
            Gaussian base = experiment
                    .learner()
                    .model()
                    .base(experiment.learner().averaged())
                    .orElseGet(() -> around(experiment.data().draws().draw(keys[0], FITTED)));
            return PartitionFunction.of(
                    keys[1], experiment.model().density(), base, Optional.of(samples), SETTINGS, experiment.device());
        }
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
}
