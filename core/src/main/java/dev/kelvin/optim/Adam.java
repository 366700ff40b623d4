package dev.kelvin.optim;

import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Tensor;
import java.util.OptionalDouble;

/** Adam (Kingma and Ba 2015): each parameter's step is scaled by the size of its recent gradients; see {@link AdamState}. */
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
        return new AdamState(parameters, beta1, beta2, epsilon, weightDecay, false);
    }
}
