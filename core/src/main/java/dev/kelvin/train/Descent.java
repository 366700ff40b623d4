package dev.kelvin.train;

import dev.kelvin.Check;
import dev.kelvin.nn.Parameters;
import dev.kelvin.optim.Average;
import dev.kelvin.optim.GradientClip;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.Schedule;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What every learner does with a gradient: limits it, moves the parameters by it, and averages them. */
public final class Descent implements AutoCloseable {
    /** Learning rate η·schedule over so many iterations, gradient limit, decay of the average (0: none is kept). */
    public record Settings(
            double learningRate, Schedule schedule, long iterations, OptionalDouble clipNorm, double ema) {
        public Settings {
            Check.positive("learningRate", learningRate);
            Check.atLeast("iterations", iterations, 1);
            clipNorm.ifPresent(limit -> Check.positive("clipNorm", limit));
            Check.within("ema", ema, 0, 1);
        }
    }

    private final Parameters parameters;
    private final Optimiser optimiser;
    private final Settings settings;
    private final Optional<Average> average;

    /** Takes over the parameters and the optimiser, and closes them with itself. */
    public Descent(Parameters parameters, Optimiser optimiser, Settings settings) {
        this.parameters = parameters;
        this.optimiser = optimiser;
        this.settings = settings;
        this.average = settings.ema > 0 ? Optional.of(new Average(parameters, settings.ema)) : Optional.empty();
    }

    /** Moves the parameters, and puts what people want to see of it into the report. */
    void step(Tensor gradient, long step, Map<String, Double> report) {
        double norm = GradientClip.norm(gradient);
        settings.clipNorm.ifPresent(limit -> GradientClip.limit(gradient, norm, limit));
        double rate = settings.learningRate * settings.schedule.factor(step, settings.iterations);
        optimiser.step(parameters.flat(), gradient, rate);
        average.ifPresent(mean -> mean.add(parameters, step));
        report.put(StepReport.GRADIENT_NORM, norm);
        report.put(StepReport.LEARNING_RATE, rate);
    }

    /** The parameters that are trained. */
    Parameters parameters() {
        return parameters;
    }

    /** Their average, where one is kept; otherwise themselves. */
    Parameters averaged() {
        return average.map(Average::parameters).orElse(parameters);
    }

    long iterations() {
        return settings.iterations;
    }

    void save(State state) {
        state.put("parameters", parameters.flat());
        average.ifPresent(mean -> state.put("average", mean.parameters().flat()));
        optimiser.save(state.at("optimiser"));
    }

    void load(State state) {
        state.restore("parameters", parameters.flat());
        average.ifPresent(mean -> state.restore("average", mean.parameters().flat()));
        optimiser.load(state.at("optimiser"));
    }

    @Override
    public void close() {
        average.ifPresent(Average::close);
        optimiser.close();
        parameters.close();
    }
}
