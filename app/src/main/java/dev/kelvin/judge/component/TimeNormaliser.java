package dev.kelvin.judge.component;

import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Timeline;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.anneal.AnnealedChainRun;
import dev.kelvin.sample.anneal.AnnealedImportance;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * How far the normalisers that a time-joint model of images has learnt are off: log Z of p(z|t), which should be 0, by
 * annealed importance sampling along the model's own times, from exact draws of the pinned reference. Between two times
 * there are geometric bridges, the more the faster the densities narrow, which their step sizes tell.
 *
 * @param logLikelihood the mean of log p(x|T−1) over held-out images, by the learnt normaliser
 * @param lower the lower bound of log Z at each time
 * @param estimates the logarithm of the mean weight at each time
 * @param upper the upper bound of log Z at the last time, if annealed samples are the model's
 */
public record TimeNormaliser(double logLikelihood, double[] lower, double[] estimates, double upper) {
    private static final Key KEY = KeyDomain.TIME_NORMALISER.key();
    private static final int HELD_OUT = 512;
    private static final int CHAINS = 16;

    /** Densities on the way, from one time to the next on average and in all, but at least the times. */
    private static final int BRIDGES = 40;

    private static final int DENSITIES = 1280;

    private static final double ACCEPTANCE = 0.6;

    /** A first guess of a step size, in squares of the reference's standard deviation. */
    private static final double FIRST_STEP = 0.1;

    /** Of a model whose reference is pinned and whose f is exact enough to be accepted by. */
    public static Optional<TimeNormaliser> of(Experiment experiment, Timeline timeline, int steps) {
        boolean rounded = experiment.recipe().train().precision().rounds();
        if (!timeline.pinned() || rounded) {
            return Optional.empty();
        }
        try (Scope scope = Scope.open()) {
            return experiment
                    .data()
                    .heldOut(KEY.child(0), HELD_OUT)
                    .map(images -> of(
                            experiment, timeline, steps, mean(experiment.model().logDensity(), images)));
        }
    }

    private static double mean(LogDensity f, Tensor x) {
        try (NoGrad noGrad = NoGrad.open()) {
            return Arrays.stream(f.at(x).toDoubles()).average().orElse(Double.NaN);
        }
    }

    private static TimeNormaliser of(Experiment experiment, Timeline timeline, int steps, double logLikelihood) {
        JointDensity table = experiment.model().joint();
        SampleSource reference = SampleSource.gaussian(
                timeline.mean(), timeline.std(), experiment.data().shape(), experiment.device());
        int times = timeline.times();
        List<LogDensity> alone =
                IntStream.range(0, times).mapToObj(t -> bridge(table, t, 0)).toList();
        AnnealedChainRun walk = AnnealedChainRun.adapting(
                KEY.child(1),
                alone,
                Mala.of(FIRST_STEP * timeline.std() * timeline.std()),
                ACCEPTANCE,
                reference.draw(KEY.child(2), CHAINS),
                steps,
                (i, x) -> {});
        double[] logSteps = Arrays.stream(walk.stepSizes()).map(Math::log).toArray();
        logSteps[0] = logSteps[1]; // the chains start at the first time and take no step there
        int[] bridges = bridges(logSteps);
        List<LogDensity> densities = new ArrayList<>(List.of(alone.get(0)));
        List<StepSized<?>> kernels = new ArrayList<>(List.of(Mala.of(Math.exp(logSteps[0]))));
        int[] places = new int[times];
        for (int t = 0; t < times - 1; t++) {
            for (int i = 1; i <= bridges[t]; i++) {
                double share = (double) i / bridges[t];
                densities.add(bridge(table, t, share));
                kernels.add(Mala.of(Math.exp((1 - share) * logSteps[t] + share * logSteps[t + 1])));
            }
            places[t + 1] = densities.size() - 1;
        }
        Tensor first = reference.draw(KEY.child(3), CHAINS);
        IntFunction<List<AnnealedImportance>> directions = direction -> direction == 0
                ? AnnealedImportance.along(KEY.child(4), densities, kernels::get, first, 1)
                : List.of(AnnealedImportance.backwards(KEY.child(5), densities, kernels::get, walk.x(), 1));
        List<List<AnnealedImportance>> both = experiment.device().cuda()
                ? List.of(directions.apply(0), directions.apply(1))
                : Parallel.halves(directions);
        List<AnnealedImportance> forwards =
                Arrays.stream(places).mapToObj(both.get(0)::get).toList();
        return new TimeNormaliser(
                logLikelihood,
                forwards.stream().mapToDouble(AnnealedImportance::lowerBound).toArray(),
                forwards.stream().mapToDouble(AnnealedImportance::estimate).toArray(),
                -both.get(1).get(0).lowerBound());
    }

    /** (1 − share)·f_t + share·f_{t+1}. */
    private static LogDensity bridge(JointDensity table, int t, double share) {
        double[] weights = new double[table.components()];
        weights[t] = 1 - share;
        if (share > 0) {
            weights[t + 1] = share;
        }
        return table.blend(weights);
    }

    /** How many densities there are from each time to the next, by how much the logarithm of the step size changes. */
    private static int[] bridges(double[] logSteps) {
        double[] jumps = new double[logSteps.length - 1];
        Arrays.setAll(jumps, t -> Math.abs(logSteps[t + 1] - logSteps[t]));
        int densities = Math.min(BRIDGES * jumps.length, DENSITIES);
        double mean = Arrays.stream(jumps).average().orElse(0) + 1e-6;
        return Arrays.stream(jumps)
                .mapToInt(jump -> (int) Math.max(1, Math.round(densities * (jump + mean) / (2 * mean * jumps.length))))
                .toArray();
    }

    /** How many times there are. */
    public int count() {
        return estimates.length;
    }

    /** Figures of merit by their names. */
    public Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(ModelFigures.LEARNT_LOG_LIKELIHOOD.name(), logLikelihood);
        figures.put(
                ModelFigures.LOG_Z_MAX.name(),
                Arrays.stream(estimates).map(Math::abs).max().orElse(Double.NaN));
        figures.put(ModelFigures.LOG_Z_LAST.name(), estimates[count() - 1]);
        figures.put(ModelFigures.LOG_Z_LOWER.name(), lower[count() - 1]);
        figures.put(ModelFigures.LOG_Z_UPPER.name(), upper);
        return figures;
    }
}
