package dev.kelvin.train;

import dev.kelvin.Check;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Learns one energy from positives and negatives: papers 001 and 004.
 *
 * <p>A step draws negatives under the current parameters, asks the objective for the loss's gradient with respect to f at
 * every sample, pulls that back to the parameters, and moves them.
 *
 * <p>Of a model with classes it learns the density given the class. The negatives of a step have the classes of its
 * positives, so that raising f for one class as a whole, which changes nothing of what is learnt, is not rewarded however
 * often that class occurs.
 */
public final class EnergyLearner implements Learner {
    private final EnergyModel model;
    private final NegativeSource source;
    private final Objective objective;
    private final int count;
    private final Descent descent;

    /** Draws {@code count} negatives a step. Takes over the source and the descent, and closes them with itself. */
    public EnergyLearner(EnergyModel model, NegativeSource source, Objective objective, int count, Descent descent) {
        this.model = model;
        this.source = source;
        this.objective = objective;
        this.count = Math.toIntExact(Check.atLeast("negatives", count, 1));
        this.descent = descent;
    }

    @Override
    public StepReport step(Key key, long step, Batch positives) {
        try (Scope scope = Scope.open()) {
            Parameters parameters = descent.parameters();
            Objective now = objective.at(step, descent.iterations());
            LogDensity target = model.bind(parameters).scaled(now.samplingScale());
            long[] labels = labels(positives);
            DrawnNegatives negatives = source.draw(key, target, labels);
            Pullback f = model.pullback(
                    parameters,
                    Tensors.concat(0, positives.x(), negatives.x()),
                    LongStream.concat(Arrays.stream(positives.labels()), Arrays.stream(labels))
                            .toArray());
            double[] values = f.output().toDoubles();
            int n = positives.labels().length;
            double[] fPositive = Arrays.copyOfRange(values, 0, n);
            double[] fNegative = Arrays.copyOfRange(values, n, values.length);
            Loss loss = now.of(fPositive, fNegative);

            Tensor gradient = f.gradient().apply(gradientOfLoss(loss, f.output()));
            Map<String, Double> report = StepReport.values(loss, fPositive, fNegative);
            descent.step(gradient, step, report);
            model.advance(parameters, positives.x());
            negatives.acceptance().ifPresent(value -> report.put(StepReport.ACCEPTANCE, value));
            return new StepReport(report);
        }
    }

    /** The negatives' classes: those of the positives, in turn. */
    private long[] labels(Batch positives) {
        long[] labels = new long[count];
        Arrays.setAll(labels, i -> positives.labels()[i % positives.labels().length]);
        return labels;
    }

    private static Tensor gradientOfLoss(Loss loss, Tensor f) {
        double[] both = DoubleStream.concat(
                        Arrays.stream(loss.positiveGradient()), Arrays.stream(loss.negativeGradient()))
                .toArray();
        return Tensors.like(f, both);
    }

    @Override
    public EnergyModel model() {
        return model;
    }

    @Override
    public Parameters averaged() {
        return descent.averaged();
    }

    @Override
    public void save(State state) {
        descent.save(state);
        source.save(state.at("negatives"));
    }

    @Override
    public void load(State state) {
        descent.load(state);
        source.load(state.at("negatives"));
    }

    @Override
    public void close() {
        source.close();
        descent.close();
    }
}
