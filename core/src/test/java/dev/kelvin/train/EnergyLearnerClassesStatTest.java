package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.energy.Target;
import dev.kelvin.energy.analytic.GaussianMixture;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.PlainChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Schedule;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two Gaussians, each a class, the first four times as frequent: what is learnt of each alone is known. */
class EnergyLearnerClassesStatTest {
    private static final List<Gaussian> TRUTH =
            List.of(Gaussian.isotropic(new double[] {-0.8, 0}, 0.4), Gaussian.isotropic(new double[] {0.8, 0.5}, 0.6));
    private static final Box BOX = new Box(-3, 3.5, -3, 3.5);
    private static final int BATCH = 128;
    private static final int RARE = 5; // every fifth sample is of class 1
    private static final int ITERATIONS = 600;

    private static final EnergyModel MODEL =
            new EnergyModel(new Mlp(2, List.of(32, 32), 2, Activation.SILU, 0), new LogitHead(2));
    private static final SampleSource NOISE = SampleSource.gaussian(List.of(), 1, List.of(2L), Device.CPU);

    static Stream<Arguments> ways() {
        Mala mala = Mala.of(0.1);
        NegativeSource persistent = PlainChains.persistent(
                NOISE,
                mala,
                4,
                new ReplayBuffer(
                        Key.of(1), NOISE, Buffer.of(600, ReplayBuffer.Entry.FIFO, 0.05), Optional.empty(), 2, 2));
        return Stream.of(
                Arguments.of("buffer", persistent, new Contrastive(), 0.03),
                Arguments.of("fresh chains", PlainChains.fresh(NOISE, mala, 10), new Contrastive(), 0.03),
                // it learns exp f from chains of exp((1 - beta) f): a robust fit, not the likeliest
                Arguments.of("robust", PlainChains.fresh(NOISE, mala, 10), Objectives.robust(0.1), 0.05));
    }

    private static Batch batch(Key key, int count) {
        long[] labels = new long[count];
        for (int i = 0; i < count; i++) {
            labels[i] = i % RARE == 0 ? 1 : 0;
        }
        Tensor first = TRUTH.get(0).draw(key.child(0), count);
        Tensor second = TRUTH.get(1).draw(key.child(1), count);
        boolean[] rare = new boolean[count];
        for (int i = 0; i < count; i++) {
            rare[i] = labels[i] == 1;
        }
        return new Batch(second.rowsWhere(rare, first), labels);
    }

    private static EnergyLearner learner(NegativeSource source, Objective objective) {
        Parameters parameters = MODEL.layout().init(Key.of(3), DType.FLOAT);
        Adam adam = Adam.of(3e-3).withSchedule(new Schedule.Linear(0.3, 0.01, 0));
        return PlainLearner.of(MODEL, source, objective, BATCH, new Descent(parameters, adam, ITERATIONS, 0.995));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ways")
    void learnsTheDensityOfEachClass(String name, NegativeSource source, Objective objective, double most) {
        try (EnergyLearner learner = learner(source, objective)) {
            train(learner);
            for (int label = 0; label < 2; label++) {
                assertThat(misfit(learner, label, label))
                        .as("KL of class %d", label)
                        .isLessThan(most);
                // the twin: the other class's density does not fit
                assertThat(misfit(learner, label, 1 - label)).isGreaterThan(1);
            }
            assertThat(accuracy(learner)).isGreaterThan(0.8); // at best 0.95
        }
    }

    /** The joint energy model (JEM): the marginal by a generative part, the classes by their cross-entropy. */
    static Stream<Arguments> joint() {
        return Stream.of(Arguments.of(new Contrastive(), 0.03), Arguments.of(Objectives.robust(0.1), 0.05));
    }

    @ParameterizedTest
    @MethodSource("joint")
    void learnsTheMarginalAndTheClasses(Objective by, double most) {
        // chains that go on: short ones from noise would not come from one class's place to the other's
        ReplayBuffer buffer = new ReplayBuffer(
                Key.of(1), NOISE, Buffer.of(2 * BATCH, ReplayBuffer.Entry.FIFO, 0), Optional.empty(), 2, 2);
        NegativeSource chains = PlainChains.persistent(NOISE, Mala.of(0.15), 10, buffer);
        try (EnergyLearner learner = learner(chains, new JointObjective.CdCe(by, 1, Smoothing.of(1)))) {
            train(learner);
            LogDensity truth = new GaussianMixture(TRUTH, 1 - 1.0 / RARE, 1.0 / RARE);
            LogDensity learnt = MODEL.density(learner.averaged());
            double misfit = grid(truth).klTo(grid(learnt));
            assertThat(misfit).isLessThan(most);
            // the twin: one class alone is not the marginal
            assertThat(grid(TRUTH.get(0)).klTo(grid(learnt))).isGreaterThan(0.1);
            assertThat(accuracy(learner)).isGreaterThan(0.95); // at best some 0.98
        }
    }

    private static void train(EnergyLearner learner) {
        for (int step = 0; step < ITERATIONS; step++) {
            try (Scope scope = Scope.open()) {
                Key key = Key.of(7).child(step);
                learner.step(key.child(0), step, batch(key.child(1), BATCH));
            }
        }
    }

    /** KL from the truth of one class to what was learnt of another. */
    private static double misfit(EnergyLearner learner, int truth, int label) {
        LogDensity learnt = x -> MODEL.bind(learner.averaged()).at(x).select(1, label);
        return grid(TRUTH.get(truth)).klTo(grid(learnt));
    }

    /** How often p(y|x) is highest at the sample's own class. */
    private static double accuracy(EnergyLearner learner) {
        try (Scope scope = Scope.open()) {
            int count = 2000;
            Batch batch = batch(Key.of(9), count);
            double[] joint = MODEL.bind(learner.averaged()).at(batch.x()).toDoubles();
            int right = 0;
            for (int i = 0; i < count; i++) {
                right += (joint[2 * i + 1] > joint[2 * i]) == (batch.k()[i] == 1) ? 1 : 0;
            }
            return (double) right / count;
        }
    }

    /** The negatives' classes are the positives', whatever their number. */
    @Test
    void negativesHaveThePositivesClasses() {
        List<long[]> asked = new ArrayList<>();
        NegativeSource recording = new NegativeSource() {
            private final NegativeSource chains = PlainChains.fresh(NOISE, Mala.of(0.1), 1);

            @Override
            public DrawnNegatives draw(Key key, long iteration, Target target, Batch positives, int count) {
                Target heard = k -> {
                    asked.add(k);
                    return target.of(k);
                };
                DrawnNegatives drawn = chains.draw(key, iteration, heard, positives, count);
                assertThat(drawn.k()).isEqualTo(asked.get(asked.size() - 1));
                return drawn;
            }

            @Override
            public void save(State state) {}

            @Override
            public void load(State state) {}

            @Override
            public void close() {}
        };
        try (Scope scope = Scope.open();
                EnergyLearner learner = learner(recording, new Contrastive())) {
            learner.step(Key.of(1), 0, batch(Key.of(2), BATCH));
            learner.step(Key.of(1), 1, batch(Key.of(2), 100));
            assertThat(asked.get(0)).isEqualTo(batch(Key.of(2), BATCH).k());
            assertThat(asked.get(1))
                    .hasSize(BATCH)
                    .startsWith(batch(Key.of(2), 100).k());
        }
    }

    private static GridDensity grid(LogDensity f) {
        return GridDensity.of(f, BOX, GridDensity.CELLS, DType.FLOAT, Device.CPU);
    }
}
