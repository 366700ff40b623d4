package dev.kelvin.judge.component;

import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.Timeline;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.sample.StepSized;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a time-joint model of anything knows of time.
 *
 * @param posteriors p(t|z) at some points
 * @param kernel the Markov kernel, in words
 * @param steps the {@link StepSized#stepLength} that each time's chains settled at; none where steps are not adapted
 * @param noise βₜσ, the noise in z at each time
 */
public record TimeView(List<Posterior> posteriors, String kernel, double[] steps, double[] noise) {
    /** p(t|z) at a point that is described in words. */
    public record Posterior(String at, double[] shares) {}

    /** What "Thinking Fourth Dimensionally" finds each time's step to settle at, in units of the noise. */
    public static final double REPORTED = 0.4;

    /** With the posteriors at these points, each [1, ...]. */
    public static TimeView of(Experiment experiment, Timeline timeline, Map<String, Tensor> points) {
        List<Posterior> posteriors;
        try (Scope scope = Scope.open()) {
            JointDensity table = experiment.model().joint();
            posteriors = points.entrySet().stream()
                    .map(point -> new Posterior(
                            point.getKey(),
                            table.at(point.getValue()).softmax(1).toDoubles()))
                    .toList();
        }
        double[] noise = new double[timeline.times()];
        for (int t = 0; t < noise.length; t++) {
            noise[t] = (1 - timeline.alpha(t)) * timeline.std();
        }
        double length =
                StepSized.of(experiment.kernel()).map(StepSized::stepLength).orElse(Double.NaN);
        double[] steps = experiment
                .model()
                .adapted()
                .map(sizes -> Arrays.stream(sizes.factors())
                        .map(factor -> length * Math.sqrt(factor)) // a row is stretched by its factor's root
                        .toArray())
                .orElse(new double[0]);
        return new TimeView(posteriors, experiment.kernel().words(), steps, noise);
    }

    /** How many times there are. */
    public int count() {
        return noise.length;
    }

    /** Over the times at which there is noise: all but the last. */
    public Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        if (steps.length > 0) {
            figures.put(ModelFigures.STEP_RATIO.name(), median(t -> steps[t] / noise[t]));
            figures.put(ModelFigures.STEP_MISFIT.name(), median(t -> Math.abs(steps[t] / (REPORTED * noise[t]) - 1)));
        }
        return figures;
    }

    private double median(IntToDoubleFunction value) {
        double[] sorted =
                IntStream.range(0, count() - 1).mapToDouble(value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
