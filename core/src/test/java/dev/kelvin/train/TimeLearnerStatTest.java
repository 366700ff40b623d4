package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.negative.Batch;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Igebm;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Parameters;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Schedule;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Time-joint learning of Gaussian data, where the density at every time is known: N(αm, α²s² + β²σ²). */
class TimeLearnerStatTest {
    private static final int TIMES = 8;
    private static final double STD = 1;
    private static final double[] MEAN = {0.6, -0.3};
    private static final double WIDTH = 0.5;
    private static final int ITERATIONS = 1500;
    private static final int DRAWS = 4000;

    private static TimeLearner learner(TimeObjective objective, long seed) {
        TimeEnergy model = new TimeEnergy(
                new Mlp(2, List.of(32, 32), TIMES - 1, Activation.SILU, 0.05), TIMES, List.of(), STD, true);
        return learner(model, model.layout().init(Key.of(seed), DType.FLOAT), objective);
    }

    private static TimeLearner learner(TimeEnergy model, Parameters parameters, TimeObjective objective) {
        return new TimeLearner(
                model,
                objective,
                new TimeLearner.Sampling(Mala.of(0.3), 3, 0.6),
                new Descent(
                        parameters,
                        new Adam(parameters.flat(), new Adam.Settings(0.9, 0.999, 1e-8, 0, false)),
                        new Descent.Settings(
                                5e-3, Schedule.linear(0.3, 0.01), ITERATIONS, OptionalDouble.empty(), 0.995)));
    }

    private static void train(TimeLearner learner) {
        Gaussian data = Gaussian.isotropic(MEAN, WIDTH);
        for (int step = 0; step < ITERATIONS; step++) {
            try (Scope scope = Scope.open()) {
                Key key = Key.of(7).child(step);
                learner.step(key.child(0), step, Batch.of(data.draw(key.child(1), 256)));
            }
        }
    }

    /** E[log p̂(z|t) − log p(z|t)] over the truth, by a mean over draws; the worst time's size. */
    private static double worstMisfit(TimeLearner learner) {
        TimeEnergy model = (TimeEnergy) learner.model();
        double worst = 0;
        for (int t = 0; t < TIMES; t++) {
            double alpha = learner.alpha(t);
            double[] centre = {alpha * MEAN[0], alpha * MEAN[1]};
            Gaussian truth = Gaussian.isotropic(centre, Math.hypot(alpha * WIDTH, (1 - alpha) * STD));
            try (Scope scope = Scope.open()) {
                Tensor z = truth.draw(Key.of(8).child(t), DRAWS);
                double mean = model.at(learner.averaged(), t)
                        .at(z)
                        .minus(truth.at(z).minus(truth.logNormaliser()))
                        .mean()
                        .item();
                worst = Math.max(worst, Math.abs(mean));
            }
        }
        return worst;
    }

    /** A network whose norms move at every step, on images: both ends of the step are about the same network. */
    @Test
    void advancesTheNetworkAtEveryStep() {
        TimeEnergy model = new TimeEnergy(new Igebm(1, 4, List.of(2), TIMES - 1, 0.2), TIMES, List.of(), STD, true);
        Parameters parameters = model.layout().init(Key.of(1), DType.FLOAT);
        try (TimeLearner learner = learner(model, parameters, TimeObjective.CD_CE);
                Scope scope = Scope.open()) {
            Tensor vector = parameters.get("in.weight.singular");
            double[] before = vector.toDoubles();
            Tensor images = Tensors.normal(Key.of(2), DType.FLOAT, Device.CPU, 4, 1, 4, 4);
            StepReport report = learner.step(Key.of(3), 0, Batch.of(images));
            assertThat(report.values().get(StepReport.LOSS)).isFinite();
            assertThat(vector.toDoubles()).isNotEqualTo(before);
        }
    }

    @Test
    void everyDensityMatchesTheTruth() {
        try (TimeLearner learner = learner(TimeObjective.CD_CE, 1)) {
            assertThat(worstMisfit(learner)).isGreaterThan(0.3); // the check can fail
            train(learner);
            assertThat(worstMisfit(learner)).isLessThan(0.03);
        }
    }

    /** Every time's acceptance comes to what was asked for, from a step size that is far off. */
    @Test
    void stepSizesAreAdapted() {
        try (TimeLearner learner = learner(TimeObjective.CD_CE, 2)) {
            Gaussian data = Gaussian.isotropic(MEAN, WIDTH);
            double last = 0;
            for (int step = 0; step < 400; step++) {
                try (Scope scope = Scope.open()) {
                    Key key = Key.of(9).child(step);
                    StepReport report = learner.step(key.child(0), step, Batch.of(data.draw(key.child(1), 256)));
                    last = step < 300 ? 0 : last + report.values().getOrDefault(StepReport.ACCEPTANCE, 0.0) / 100;
                }
            }
            assertThat(last).isBetween(0.55, 0.65);
            double[] factors = learner.factors();
            assertThat(factors[0]).isGreaterThan(factors[TIMES - 1]);
        }
    }
}
