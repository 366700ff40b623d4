package dev.kelvin.optim;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Stochastic gradient descent with momentum, as PyTorch's without dampening.
 *
 * <p>g ← g + λθ; b ← μb + g; θ ← θ − η·b, or with Nesterov's look-ahead θ ← θ − η(g + μb). λ = weightDecay, μ = momentum,
 * η = learning rate, b₀ = 0.
 */
@Doc("stochastic gradient descent")
public record Sgd(
        @Doc("the learning rate") double learningRate,

        @Doc("the momentum coefficient") @Default("0") double momentum,

        @Doc("Nesterov momentum") @Default("false") boolean nesterov,

        @Doc("L2 regularisation of the parameters, added to the gradient") @Default("0")
        double weightDecay,

        @Doc("the schedule of the learning rate") @Default("constant")
        Schedule schedule,

        @Doc(value = "gradient clipping: the largest norm of the gradient", otherwise = "no clipping")
        OptionalDouble clipNorm)
        implements Optimiser {
    public Sgd {
        Check.all(
                () -> Check.positive("learningRate", learningRate),
                () -> Check.notNegative("weightDecay", weightDecay),
                () -> Check.positive("clipNorm", clipNorm),
                () -> Check.belowOne("momentum", momentum));
        Check.require(!nesterov || momentum > 0, "nesterov", "needs a momentum above 0");
    }

    /** SGD without momentum, at a constant learning rate. */
    public static Sgd of(double learningRate) {
        return new Sgd(learningRate, 0, false, 0, Schedule.constant(), OptionalDouble.empty());
    }

    @Override
    public OptimiserState start(Tensor parameters) {
        return new Momentum(parameters, this);
    }

    @Override
    public String words() {
        List<String> more = new ArrayList<>();
        if (momentum > 0) {
            more.add((nesterov ? "Nesterov " : "") + "momentum " + Words.number(momentum));
        }
        if (weightDecay > 0) {
            more.add("weight decay " + Words.number(weightDecay));
        }
        return "SGD" + (more.isEmpty() ? "" : " (" + String.join(", ", more) + ")");
    }

    /** The velocity b. */
    static final class Momentum implements OptimiserState {
        private final Sgd settings;
        private final Tensor velocity;

        Momentum(Tensor parameters, Sgd settings) {
            this.settings = settings;
            this.velocity = Scope.detach(Tensors.zerosLike(parameters));
        }

        @Override
        public void step(Tensor parameters, Tensor gradient, double learningRate) {
            try (Scope scope = Scope.open()) {
                Tensor g = settings.weightDecay == 0
                        ? gradient
                        : gradient.copy().addInPlace(parameters, settings.weightDecay);
                velocity.timesInPlace(settings.momentum).addInPlace(g);
                Tensor direction =
                        settings.nesterov ? velocity.times(settings.momentum).addInPlace(g) : velocity;
                parameters.addInPlace(direction, -learningRate);
            }
        }

        @Override
        public void save(State state) {
            state.put("velocity", velocity);
        }

        @Override
        public void load(State state) {
            state.restore("velocity", velocity);
        }

        @Override
        public void close() {
            velocity.close();
        }
    }
}
