package dev.kelvin.run;

import dev.kelvin.sample.StepSized;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What a time-joint model of anything knows of time.
 *
 * @param posteriors p(t|z) at some points
 * @param steps the step μ that each time's chains settled at: paper 003's, h = μ²/2
 * @param noise βₜσ, the noise in z at each time
 */
public record TimeView(List<Posterior> posteriors, double[] steps, double[] noise) {
    /** p(t|z) at a point that is described in words. */
    public record Posterior(String at, double[] shares) {}

    /** What paper 003 finds each time's step to settle at, in units of the noise. */
    public static final double REPORTED = 0.4;

    /** With the posteriors at these points, each [1, ...]. */
    static TimeView of(Experiment parts, TimeLearner learner, Map<String, Tensor> points) {
        TimeEnergy energy = (TimeEnergy) learner.model();
        List<Posterior> posteriors = points.entrySet().stream()
                .map(point -> new Posterior(point.getKey(), shares(energy, learner, point.getValue())))
                .toList();
        double h = ((StepSized<?>) parts.kernel()).stepSize();
        double[] steps = learner.factors();
        double[] noise = new double[steps.length];
        for (int t = 0; t < steps.length; t++) {
            steps[t] = Math.sqrt(2 * h * steps[t]);
            noise[t] = (1 - learner.alpha(t)) * energy.std();
        }
        return new TimeView(posteriors, steps, noise);
    }

    private static double[] shares(TimeEnergy energy, TimeLearner learner, Tensor z) {
        try (Scope scope = Scope.open()) {
            return energy.joint(learner.averaged(), z).softmax(1).toDoubles();
        }
    }

    /** How many times there are. */
    public int count() {
        return steps.length;
    }

    /** Over the times at which there is noise: all but the last. */
    Map<String, Double> figures() {
        int noisy = count() - 1;
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("step_ratio", median(IntStream.range(0, noisy).mapToDouble(t -> steps[t] / noise[t])));
        figures.put(
                "step_misfit",
                median(IntStream.range(0, noisy).mapToDouble(t -> Math.abs(steps[t] / (REPORTED * noise[t]) - 1))));
        return figures;
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
