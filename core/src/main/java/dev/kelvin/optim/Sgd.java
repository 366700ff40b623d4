package dev.kelvin.optim;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Stochastic gradient descent, with momentum and Nesterov's form; see {@link SgdState}. */
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

    /** Plain, at a rate that stays. */
    public static Sgd of(double learningRate) {
        return new Sgd(learningRate, 0, false, 0, Schedule.constant(), OptionalDouble.empty());
    }

    @Override
    public OptimiserState start(Tensor parameters) {
        return new SgdState(parameters, momentum, nesterov, weightDecay);
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
}
