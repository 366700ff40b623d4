package dev.kelvin.train;

import dev.kelvin.Check;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.Negatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.optim.Average;
import dev.kelvin.optim.GradientClip;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.Schedule;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * Learns one energy from positives and negatives: papers 001 and 004.
 *
 * <p>A step draws negatives under the current parameters, asks the objective for the loss's gradient with respect to f at
 * every sample, pulls that back to the parameters, and moves them.
 */
public final class EnergyLearner implements Learner {
    /** How the parameters move: learning rate η·schedule, gradient limit, decay of their average (0: none is kept). */
    public record Settings(
            double learningRate,
            Schedule schedule,
            long iterations,
            OptionalDouble clipNorm,
            double ema,
            int negatives) {
        public Settings {
            Check.positive("learningRate", learningRate);
            Check.atLeast("iterations", iterations, 1);
            clipNorm.ifPresent(limit -> Check.positive("clipNorm", limit));
            Check.within("ema", ema, 0, 1);
            Check.atLeast("negatives", negatives, 1);
        }
    }

    private final EnergyModel model;
    private final Parameters parameters;
    private final NegativeSource source;
    private final Objective objective;
    private final Optimiser optimiser;
    private final Settings settings;
    private final Optional<Average> average;

    /** Takes over the parameters, the source and the optimiser, and closes them with itself. */
    public EnergyLearner(
            EnergyModel model,
            Parameters parameters,
            NegativeSource source,
            Objective objective,
            Optimiser optimiser,
            Settings settings) {
        this.model = model;
        this.parameters = parameters;
        this.source = source;
        this.objective = objective;
        this.optimiser = optimiser;
        this.settings = settings;
        this.average = settings.ema > 0 ? Optional.of(new Average(parameters, settings.ema)) : Optional.empty();
    }

    @Override
    public StepReport step(Key key, long step, Tensor positives) {
        try (Scope scope = Scope.open()) {
            LogDensity target = model.bind(parameters).scaled(objective.samplingScale());
            Negatives negatives = source.draw(key, target, settings.negatives);
            Pullback f = model.pullback(parameters, Tensors.concat(0, positives, negatives.x()));
            double[] values = f.output().toDoubles();
            int n = (int) positives.size(0);
            double[] fPositive = Arrays.copyOfRange(values, 0, n);
            double[] fNegative = Arrays.copyOfRange(values, n, values.length);
            Loss loss = objective.of(fPositive, fNegative);

            Tensor gradient = f.parameterGradient().apply(gradientOfLoss(loss, f.output()));
            double norm = GradientClip.norm(gradient);
            settings.clipNorm.ifPresent(limit -> GradientClip.limit(gradient, norm, limit));
            double rate = settings.learningRate * settings.schedule.factor(step, settings.iterations);
            optimiser.step(parameters.flat(), gradient, rate);
            average.ifPresent(mean -> mean.add(parameters, step));
            return report(loss, fPositive, fNegative, norm, rate, negatives.acceptance());
        }
    }

    private static Tensor gradientOfLoss(Loss loss, Tensor f) {
        double[] both = DoubleStream.concat(
                        Arrays.stream(loss.positiveGradient()), Arrays.stream(loss.negativeGradient()))
                .toArray();
        return Tensors.of(both).to(f.dtype()).to(f.device());
    }

    private static StepReport report(
            Loss loss, double[] fPositive, double[] fNegative, double norm, double rate, OptionalDouble acceptance) {
        double positive = Arrays.stream(fPositive).average().orElse(Double.NaN);
        double negative = Arrays.stream(fNegative).average().orElse(Double.NaN);
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(StepReport.LOSS, loss.value());
        loss.parts().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(part -> values.put(part.getKey(), part.getValue()));
        values.put(StepReport.GAP, positive - negative);
        values.put(StepReport.POSITIVE, positive);
        values.put(StepReport.NEGATIVE, negative);
        values.put(StepReport.GRADIENT_NORM, norm);
        values.put(StepReport.LEARNING_RATE, rate);
        acceptance.ifPresent(value -> values.put(StepReport.ACCEPTANCE, value));
        return new StepReport(values);
    }

    @Override
    public EnergyModel model() {
        return model;
    }

    @Override
    public Parameters averaged() {
        return average.map(Average::parameters).orElse(parameters);
    }

    @Override
    public void save(State state) {
        state.put("parameters", parameters.flat());
        average.ifPresent(mean -> state.put("average", mean.parameters().flat()));
        optimiser.save(state.at("optimiser"));
        source.save(state.at("negatives"));
    }

    @Override
    public void load(State state) {
        state.restore("parameters", parameters.flat());
        average.ifPresent(mean -> state.restore("average", mean.parameters().flat()));
        optimiser.load(state.at("optimiser"));
        source.load(state.at("negatives"));
    }

    @Override
    public void close() {
        average.ifPresent(Average::close);
        optimiser.close();
        source.close();
        parameters.close();
    }
}
