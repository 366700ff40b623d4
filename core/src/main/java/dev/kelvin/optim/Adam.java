package dev.kelvin.optim;

import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Fused;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.OptionalDouble;

/** Adam (Kingma and Ba 2015): each parameter's step is scaled by the size of its recent gradients. */
@Doc("Adam: steps scaled by the size of recent gradients")
@Cites("kingma2015")
public record Adam(
        @Doc("the learning rate") double learningRate,

        @Doc("the decay of the first moment") @Default("0.9")
        double beta1,

        @Doc("the decay of the second moment") @Default("0.999")
        double beta2,

        @Doc("added to the root of the second moment") @Default("1e-8")
        double epsilon,

        @Doc("L2 regularisation of the parameters, added to the gradient") @Default("0")
        double weightDecay,

        @Doc("the schedule of the learning rate") @Default("constant")
        Schedule schedule,

        @Doc(value = "gradient clipping: the largest norm of the gradient", otherwise = "no clipping")
        OptionalDouble clipNorm)
        implements Optimiser {
    public Adam {
        Check.all(
                () -> Check.positive("learningRate", learningRate),
                () -> Check.notNegative("weightDecay", weightDecay),
                () -> Check.positive("clipNorm", clipNorm),
                () -> Check.belowOne("beta1", beta1),
                () -> Check.belowOne("beta2", beta2),
                () -> Check.positive("epsilon", epsilon));
    }

    /** Adam with the usual decays and a constant learning rate. */
    public static Adam of(double learningRate) {
        return new Adam(learningRate, 0.9, 0.999, 1e-8, 0, Schedule.constant(), OptionalDouble.empty());
    }

    /** Returns a copy whose learning rate follows a schedule. */
    public Adam withSchedule(Schedule other) {
        return new Adam(learningRate, beta1, beta2, epsilon, weightDecay, other, clipNorm);
    }

    @Override
    public OptimiserState start(Tensor parameters) {
        return new Moments(parameters, this, false);
    }

    /**
     * Adam (Kingma and Ba 2015), and AdamW (Loshchilov and Hutter 2019) where the weight decay is decoupled.
     *
     * <p>m ← β₁m + (1 − β₁)g; v ← β₂v + (1 − β₂)g²; θ ← θ − η·m̂/(√v̂ + ε), m̂ = m/(1 − β₁ᵗ), v̂ = v/(1 − β₂ᵗ). Adam adds λθ to
     * g; AdamW first takes θ ← θ − ηλθ.
     */
    static final class Moments implements OptimiserState {
        private final Adam settings;
        private final boolean decoupled;
        private final Tensor mean;
        private final Tensor square;
        private long steps;

        /** For a vector like this one. */
        Moments(Tensor parameters, Adam settings, boolean decoupled) {
            this.settings = settings;
            this.decoupled = decoupled;
            this.mean = Scope.detach(Tensors.zerosLike(parameters));
            this.square = Scope.detach(Tensors.zerosLike(parameters));
        }

        @Override
        public void step(Tensor parameters, Tensor gradient, double learningRate) {
            steps++;
            double b1 = settings.beta1();
            double b2 = settings.beta2();
            double decay = settings.weightDecay();
            try (Scope scope = Scope.open()) {
                double squareCorrection = Math.sqrt(1 - Math.pow(b2, (double) steps));
                double meanCorrection = 1 - Math.pow(b1, (double) steps);
                if (parameters.device().cuda()) {
                    double coupled = decoupled ? 0 : decay;
                    double kept = decoupled ? 1 - learningRate * decay : 1;
                    Fused.AdamStep step = new Fused.AdamStep(
                            b1, b2, coupled, kept, learningRate / meanCorrection, squareCorrection, settings.epsilon());
                    if (Fused.adam(parameters, gradient, mean, square, step)) {
                        return;
                    }
                }
                Tensor g = gradient;
                if (decay > 0 && decoupled) {
                    parameters.timesInPlace(1 - learningRate * decay);
                } else if (decay > 0) {
                    g = g.copy().addInPlace(parameters, decay);
                }
                mean.timesInPlace(b1).addInPlace(g, 1 - b1);
                square.timesInPlace(b2).addProductInPlace(g, g, 1 - b2);
                // m^/(sqrt(v^) + eps), the corrections 1 - beta^t taken out of the vectors
                Tensor root = square.sqrt().timesInPlace(1 / squareCorrection).addNumberInPlace(settings.epsilon());
                parameters.addQuotientInPlace(mean, root, -learningRate / meanCorrection);
            }
        }

        @Override
        public void save(State state) {
            state.put("mean", mean);
            state.put("square", square);
            state.put("steps", steps);
        }

        @Override
        public void load(State state) {
            state.restore("mean", mean);
            state.restore("square", square);
            steps = state.number("steps");
        }

        @Override
        public void close() {
            mean.close();
            square.close();
        }
    }
}
