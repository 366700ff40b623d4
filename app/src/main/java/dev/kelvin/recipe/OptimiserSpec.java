package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.tensor.Tensor;
import java.util.OptionalDouble;

/** How the parameters move. */
public sealed interface OptimiserSpec {
    double learningRate();

    double weightDecay();

    ScheduleSpec schedule();

    OptionalDouble clipNorm();

    /** For a vector like this one. */
    Optimiser optimiser(Tensor parameters);

    @Doc("stochastic gradient descent")
    record Sgd(
            @Doc("the step on the parameters") double learningRate,

            @Doc("the share of the last step that is kept") @Default("0")
            double momentum,

            @Doc("look ahead along the momentum") @Default("false")
            boolean nesterov,

            @Doc("pull of the parameters to 0, added to the gradient") @Default("0")
            double weightDecay,

            @Doc("how the rate changes during the run") @Default("constant")
            ScheduleSpec schedule,

            @Doc(value = "the largest norm of the gradient", otherwise = "no limit")
            OptionalDouble clipNorm)
            implements OptimiserSpec {
        public Sgd {
            Check.all(() -> check(learningRate, weightDecay, clipNorm), () -> Check.belowOne("momentum", momentum));
            Check.require(!nesterov || momentum > 0, "nesterov", "needs a momentum above 0");
        }

        @Override
        public Optimiser optimiser(Tensor parameters) {
            return new dev.kelvin.optim.Sgd(parameters, momentum, nesterov, weightDecay);
        }
    }

    @Doc("Adam: steps scaled by the size of recent gradients")
    record Adam(
            @Doc("the step on the parameters") double learningRate,

            @Doc("the decay of the gradient's mean") @Default("0.9")
            double beta1,

            @Doc("the decay of the gradient's mean square") @Default("0.999")
            double beta2,

            @Doc("added to its root") @Default("1e-8") double epsilon,

            @Doc("pull of the parameters to 0, added to the gradient") @Default("0")
            double weightDecay,

            @Doc("how the rate changes during the run") @Default("constant")
            ScheduleSpec schedule,

            @Doc(value = "the largest norm of the gradient", otherwise = "no limit")
            OptionalDouble clipNorm)
            implements OptimiserSpec {
        public Adam {
            Check.all(() -> check(learningRate, weightDecay, clipNorm), () -> checkMoments(beta1, beta2, epsilon));
        }

        @Override
        public Optimiser optimiser(Tensor parameters) {
            return new dev.kelvin.optim.Adam(
                    parameters, new dev.kelvin.optim.Adam.Settings(beta1, beta2, epsilon, weightDecay, false));
        }
    }

    @Doc("Adam with weight decay apart from the gradient")
    record Adamw(
            @Doc("the step on the parameters") double learningRate,

            @Doc("the decay of the gradient's mean") @Default("0.9")
            double beta1,

            @Doc("the decay of the gradient's mean square") @Default("0.999")
            double beta2,

            @Doc("added to its root") @Default("1e-8") double epsilon,

            @Doc("pull of the parameters to 0, a share of the rate") @Default("0.01")
            double weightDecay,

            @Doc("how the rate changes during the run") @Default("constant")
            ScheduleSpec schedule,

            @Doc(value = "the largest norm of the gradient", otherwise = "no limit")
            OptionalDouble clipNorm)
            implements OptimiserSpec {
        public Adamw {
            Check.all(() -> check(learningRate, weightDecay, clipNorm), () -> checkMoments(beta1, beta2, epsilon));
        }

        @Override
        public Optimiser optimiser(Tensor parameters) {
            return new dev.kelvin.optim.Adam(
                    parameters, new dev.kelvin.optim.Adam.Settings(beta1, beta2, epsilon, weightDecay, true));
        }
    }

    private static void check(double learningRate, double weightDecay, OptionalDouble clipNorm) {
        Check.all(
                () -> Check.positive("learningRate", learningRate),
                () -> Check.notNegative("weightDecay", weightDecay),
                () -> Check.positive("clipNorm", clipNorm));
    }

    private static void checkMoments(double beta1, double beta2, double epsilon) {
        Check.all(
                () -> Check.belowOne("beta1", beta1),
                () -> Check.belowOne("beta2", beta2),
                () -> Check.positive("epsilon", epsilon));
    }
}
