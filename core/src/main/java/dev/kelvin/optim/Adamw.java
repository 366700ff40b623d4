package dev.kelvin.optim;

import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.tensor.Tensor;
import java.util.OptionalDouble;

/** AdamW (Loshchilov and Hutter 2019): Adam with decoupled weight decay. */
@Doc("Adam with decoupled weight decay")
@Cites({"loshchilov2019", "kingma2015"})
public record Adamw(
        @Doc("the learning rate") double learningRate,

        @Doc("the decay of the first moment") @Default("0.9")
        double beta1,

        @Doc("the decay of the second moment") @Default("0.999")
        double beta2,

        @Doc("added to the root of the second moment") @Default("1e-8")
        double epsilon,

        @Doc("decoupled weight decay, relative to the learning rate") @Default("0.01")
        double weightDecay,

        @Doc("the schedule of the learning rate") @Default("constant")
        Schedule schedule,

        @Doc(value = "gradient clipping: the largest norm of the gradient", otherwise = "no clipping")
        OptionalDouble clipNorm)
        implements Optimiser {
    public Adamw {
        new Adam(learningRate, beta1, beta2, epsilon, weightDecay, schedule, clipNorm); // which checks them
    }

    /** AdamW with the usual decays and a constant learning rate. */
    public static Adamw of(double learningRate) {
        return new Adamw(learningRate, 0.9, 0.999, 1e-8, 0.01, Schedule.constant(), OptionalDouble.empty());
    }

    /** Returns a copy whose learning rate follows a schedule. */
    public Adamw withSchedule(Schedule other) {
        return new Adamw(learningRate, beta1, beta2, epsilon, weightDecay, other, clipNorm);
    }

    /** Returns a copy that clips the norm of the gradient. */
    public Adamw withClipNorm(double limit) {
        return new Adamw(learningRate, beta1, beta2, epsilon, weightDecay, schedule, OptionalDouble.of(limit));
    }

    @Override
    public OptimiserState start(Tensor parameters) {
        Adam adam = new Adam(learningRate, beta1, beta2, epsilon, weightDecay, schedule, clipNorm);
        return new Adam.Moments(parameters, adam, true);
    }
}
