package dev.kelvin.train;

import dev.kelvin.nn.Parameters;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.OptimiserState;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What every learner does with a gradient: limits it, moves the parameters by it, and averages them. */
public final class Descent implements AutoCloseable {
    private final Parameters parameters;
    private final Optimiser settings;
    private final OptimiserState optimiser;
    private final long iterations;
    private final Optional<Average> average;
    private final List<Tensor> untrained; // views of what the layout says is not trained
    private Consumer<Tensor> watcher = gradient -> {};
    private boolean held;

    /** Takes ownership of the parameters; {@code ema} is the decay of their moving average, 0 for none. */
    public Descent(Parameters parameters, Optimiser settings, long iterations, double ema) {
        Check.atLeast("iterations", iterations, 1);
        Check.within("ema", ema, 0, 1);
        this.parameters = parameters;
        this.settings = settings;
        this.optimiser = settings.start(parameters.flat());
        this.iterations = iterations;
        this.average = ema > 0 ? Optional.of(new Average(parameters, ema)) : Optional.empty();
        this.untrained = untrained(parameters);
    }

    private static List<Tensor> untrained(Parameters parameters) {
        return parameters.layout().entries().stream()
                .filter(entry -> !entry.trained())
                .map(entry -> parameters.get(entry.name()))
                .toList();
    }

    /** Registers a listener for raw (unclipped) gradients. */
    public void watch(Consumer<Tensor> other) {
        watcher = other;
    }

    /** Whether the parameters stay where they are whatever the gradient, so that it can be looked at. */
    public void hold(boolean still) {
        held = still;
    }

    /** Moves the parameters, and reports gradient norm and learning rate. */
    public void step(Tensor gradient, long step, Map<String, Double> report) {
        watcher.accept(gradient);
        double norm = norm(gradient);
        settings.clipNorm().ifPresent(limit -> limit(gradient, norm, limit));
        if (!held) {
            move(gradient, rate(step));
            average.ifPresent(mean -> mean.add(parameters, step));
        }
        tell(norm, step, report);
    }

    /** A step without a gradient, at which no weight decay moves the parameters either. */
    public void stay(long step, Map<String, Double> report) {
        watcher.accept(Tensors.zerosLike(parameters.flat()));
        tell(0, step, report);
    }

    private void tell(double norm, long step, Map<String, Double> report) {
        report.put(StepReport.GRADIENT_NORM, norm);
        report.put(StepReport.LEARNING_RATE, rate(step));
    }

    private double rate(long step) {
        return settings.learningRate() * settings.schedule().factor(step, iterations);
    }

    /**
     * The gradient that the step is taken with, given that at the parameters: the one that {@code there} finds after the
     * optimiser's climb, or the same where there is no climb. The parameters are where they were afterwards, to the bit.
     */
    public Tensor climbed(Tensor gradient, Supplier<Tensor> there) {
        Optional<Tensor> move = settings.climb().flatMap(climb -> climb.move(parameters.flat(), trained(gradient)));
        if (move.isEmpty()) {
            return gradient;
        }
        Tensor flat = parameters.flat();
        Tensor before = flat.copy();
        try {
            flat.addInPlace(move.get());
            return there.get();
        } finally {
            flat.copyInPlace(before);
        }
    }

    /** A gradient that is 0 for what is not trained, whatever a term of the loss says. */
    private Tensor trained(Tensor gradient) {
        if (untrained.isEmpty()) {
            return gradient;
        }
        Tensor all = gradient.copy();
        untrained(new Parameters(parameters.layout(), all)).forEach(part -> part.copyInPlace(Tensors.zerosLike(part)));
        return all;
    }

    /** One step of the optimiser. Weight decay would also shrink what is not trained, such as running statistics: it stays. */
    private void move(Tensor gradient, double rate) {
        try (Scope scope = Scope.open()) {
            List<Tensor> kept = settings.weightDecay() == 0
                    ? List.of()
                    : untrained.stream().map(Tensor::copy).toList();
            optimiser.step(parameters.flat(), gradient, rate);
            for (int i = 0; i < kept.size(); i++) {
                untrained.get(i).copyInPlace(kept.get(i));
            }
        }
    }

    /** The parameters that are trained. */
    public Parameters parameters() {
        return parameters;
    }

    /** Their average, where one is kept; otherwise themselves. */
    public Parameters averaged() {
        return average.map(Average::parameters).orElse(parameters);
    }

    /** The number of iterations that schedules are laid out for. */
    public long iterations() {
        return iterations;
    }

    /** Adds parameters, average and the optimiser's state to a checkpoint. */
    public void save(State state) {
        state.put("parameters", parameters.flat());
        average.ifPresent(mean -> state.put("average", mean.parameters().flat()));
        optimiser.save(state.at("optimiser"));
    }

    /** Restores what {@link #save} added. */
    public void load(State state) {
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

    /** The Euclidean norm of a gradient. */
    public static double norm(Tensor gradient) {
        try (Scope scope = Scope.open()) {
            return gradient.norm().item();
        }
    }

    /** Shortens the gradient in place to at most {@code limit}, given its norm. A NaN stays one. */
    public static void limit(Tensor gradient, double norm, double limit) {
        if (norm > limit) {
            gradient.timesInPlace(limit / norm);
        }
    }

    /**
     * The exponential moving average of the parameters, which evaluation and sampling use where there is one.
     *
     * <p>θ̄ ← dθ̄ + (1 − d)θ, d = min(decay, (1 + t)/(10 + t)) after t steps, so that a young average is not held back by the
     * first parameters.
     */
    public static final class Average implements AutoCloseable {
        private static final double YOUNG = 10; // as in TensorFlow's ExponentialMovingAverage

        private final Parameters parameters;
        private final double decay;

        /** Starts at a copy of these. */
        public Average(Parameters parameters, double decay) {
            this.parameters = parameters.copy();
            this.decay = Check.within("ema", decay, 0, 1);
        }

        /** Takes in the parameters after step {@code step}, counted from 0. */
        public void add(Parameters current, long step) {
            double d = Math.min(decay, (1 + step) / (YOUNG + step));
            parameters.flat().timesInPlace(d).addInPlace(current.flat(), 1 - d);
        }

        /** The averaged parameters, which this owns. */
        public Parameters parameters() {
            return parameters;
        }

        @Override
        public void close() {
            parameters.close();
        }
    }
}
