package dev.kelvin.train;

import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.PlainChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.objective.Robust;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Schedule;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What the robust objective learns from chains at a temperature T is exp(f/T): of the densities exp(k·f) the one with k = 1/T
 * fits the data best. Weights that forget the temperature balance at (1 − β)/T + β instead, 2.5 at T = 1/4 and β = 1/2.
 */
class RobustTemperatureStatTest {
    private static final double TEMPERATURE = 0.25;
    private static final double BETA = 0.5;
    private static final int BATCH = 128;
    private static final int ITERATIONS = 600;
    private static final GaussianMixture DATA = GaussianMixture.isotropic(0.4, new double[][] {{-1}, {0.8}}, 2, 1);
    private static final EnergyModel MODEL = EnergyModel.plain(new Mlp(1, List.of(32, 32), 1, Activation.SILU, 0));

    /** The factor k at which exp(k·f) is likeliest: the mean of kf over the data less the log of its integral. */
    private static double bestFactor(Objective objective) {
        SampleSource noise = SampleSource.gaussian(List.of(), 1, List.of(1L), Device.CPU);
        ModelChains chains = PlainChains.persistent(
                noise,
                with(Mala.of(0.4), "temperature", TEMPERATURE),
                10,
                new ReplayBuffer(
                        Key.of(1), noise, Buffer.of(2 * BATCH, ReplayBuffer.Entry.FIFO, 0.02), Optional.empty(), 1, 1));
        Parameters parameters = MODEL.layout().init(Key.of(2), DType.FLOAT);
        Adam adam = Adam.of(5e-3).withSchedule(new Schedule.Linear(0.3, 0.01, 0));
        try (EnergyLearner learner = new EnergyLearner(
                MODEL,
                chains,
                objective,
                List.of(),
                new EnergyLearner.Settings(BATCH, TEMPERATURE),
                new Descent(parameters, adam, ITERATIONS, 0.99))) {
            BatchSource data = BatchSource.fresh(DATA::draw);
            for (int step = 0; step < ITERATIONS; step++) {
                try (Scope scope = Scope.open()) {
                    Key[] keys = Key.of(3).child(step).split(2);
                    learner.step(keys[1], step, data.batch(keys[0], step, BATCH));
                }
            }
            return likeliest(learner);
        }
    }

    private static double likeliest(EnergyLearner learner) {
        double[] grid = new double[801];
        Arrays.setAll(grid, i -> (i - 400) / 100.0);
        try (Scope scope = Scope.open()) {
            double[] f = MODEL.density(learner.averaged())
                    .at(Tensors.of(grid, grid.length, 1).to(DType.FLOAT))
                    .toDoubles();
            double[] log = DATA.at(Tensors.of(grid, grid.length, 1)).toDoubles();
            double best = 0;
            double most = Double.NEGATIVE_INFINITY;
            for (double k = 1; k < 8; k += 0.01) {
                double fit = k * mean(f, log) - logSum(f, k);
                if (fit > most) {
                    most = fit;
                    best = k;
                }
            }
            return best;
        }
    }

    /** Of f over exp(log), on the grid. */
    private static double mean(double[] f, double[] log) {
        double sum = 0;
        double mass = 0;
        for (int i = 0; i < f.length; i++) {
            sum += Math.exp(log[i]) * f[i];
            mass += Math.exp(log[i]);
        }
        return sum / mass;
    }

    private static double logSum(double[] f, double k) {
        double top = Arrays.stream(f).max().orElseThrow();
        return k * top
                + Math.log(Arrays.stream(f)
                        .map(value -> Math.exp(k * (value - top)))
                        .sum());
    }

    @Test
    void theDensityIsThatOfTheTemperature() {
        double found = bestFactor(Objectives.robust(BETA));
        assertThat(found).isBetween(3.8, 4.4);
    }

    /** The power twin: an objective that is told T = 1. */
    @Test
    void withoutTheTemperatureItIsAnother() {
        Robust robust = Objectives.robust(BETA);
        double found = bestFactor(new Objective() {
            @Override
            public Loss of(double[] positives, double[] negatives) {
                return robust.of(positives, negatives);
            }

            @Override
            public double samplingScale() {
                return robust.samplingScale();
            }
        });
        assertThat(found).isLessThan(3);
    }
}
