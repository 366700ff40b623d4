package dev.kelvin.train;

import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.tensor.Tensor;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * One step's loss and its gradient with respect to the parameters, as a {@link LossEvaluation} finds them.
 *
 * @param components those at which the negatives were compared
 * @param labelled rows that the label term looked at; 0 where there was none
 */
record LossAndGradient(
        Tensor gradient,
        Loss loss,
        double[] positives,
        double[] negatives,
        long[] components,
        double crossEntropy,
        int labelled) {
    static final String CROSS_ENTROPY = "cross_entropy";

    /** Joins two parts that were computed apart; the gradient is the first's, which has both. */
    LossAndGradient beside(LossAndGradient other, Objective objective, LossEvaluation.Weights weights) {
        double[] up = joined(positives, other.positives);
        double[] down = joined(negatives, other.negatives);
        int labels = labelled + other.labelled;
        double entropy = labels == 0 ? 0 : (labelled * crossEntropy + other.labelled * other.crossEntropy) / labels;
        Loss all = objective.of(up, down).times(weights.generative());
        Loss whole = new Loss(
                all.value() + weights.labels() * entropy, all.positiveGradient(), all.negativeGradient(), all.parts());
        return new LossAndGradient(gradient, whole, up, down, componentsWith(other), entropy, labels);
    }

    private static double[] joined(double[] some, double[] others) {
        return DoubleStream.concat(DoubleStream.of(some), DoubleStream.of(others))
                .toArray();
    }

    private long[] componentsWith(LossAndGradient other) {
        return LongStream.concat(LongStream.of(components), LongStream.of(other.components))
                .toArray();
    }

    /** Adds the components of another part, whose other numbers it has already. */
    LossAndGradient joining(LossAndGradient other) {
        return new LossAndGradient(gradient, loss, positives, negatives, componentsWith(other), crossEntropy, labelled);
    }

    /** Adds the generative part by this weight, which was computed apart, at the same rows. */
    LossAndGradient plus(LossAndGradient generative, double weight) {
        Loss more = generative.loss.times(weight);
        gradient.addInPlace(generative.gradient, weight);
        Loss both = new Loss(
                loss.value() + more.value(), more.positiveGradient(), more.negativeGradient(), generative.loss.parts());
        return new LossAndGradient(gradient, both, positives, negatives, components, crossEntropy, labelled);
    }

    Map<String, Double> report() {
        Map<String, Double> report = StepReport.values(loss, positives, negatives);
        if (labelled > 0) {
            report.put(CROSS_ENTROPY, crossEntropy);
        }
        return report;
    }
}
