package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.energy.Target;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.PlainChains;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.objective.Robust;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.objective.Term;
import dev.kelvin.optim.Schedule;
import dev.kelvin.optim.Sgd;
import dev.kelvin.sample.Langevin;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EnergyLearnerTest {
    private static final double RATE = 0.1;
    private static final int COUNT = 6;
    private static final EnergyModel PLAIN = EnergyModel.plain(new Mlp(2, List.of(5), 1, Activation.SILU, 0));
    private static final EnergyModel CLASSES =
            new EnergyModel(new Mlp(2, List.of(5), 3, Activation.SILU, 0), new LogitHead(3));
    private static final SampleSource NOISE = SampleSource.gaussian(List.of(), 1, List.of(2L), Device.CPU);

    private final Scope scope = Scope.open();
    private final Tensor x = Tensors.normal(Key.of(1), COUNT, 2);
    private final Batch positives = new Batch(x, new long[] {0, 2, 1, 1, 0, 2});

    @AfterEach
    void close() {
        scope.close();
    }

    /** weight·‖θ‖²/2, and what it was called with. */
    private record HalfSquare(double weight, List<Key> keys, List<DrawnNegatives> seen) implements Term {
        HalfSquare(double weight) {
            this(weight, new ArrayList<>(), new ArrayList<>());
        }

        @Override
        public Value of(Key key, EnergyModel model, Parameters parameters, Batch positives, DrawnNegatives negatives) {
            keys.add(key);
            seen.add(negatives);
            double square = parameters.flat().square().sum().item();
            return new Value(weight * square / 2, parameters.flat().times(weight));
        }
    }

    private static EnergyLearner learner(
            EnergyModel model, Objective objective, List<Term> terms, NegativeSource source, double temperature) {
        Parameters parameters = model.layout().init(Key.of(3), DType.FLOAT);
        return new EnergyLearner(
                model,
                source,
                objective,
                terms,
                new EnergyLearner.Settings(COUNT, temperature),
                new Descent(parameters, Sgd.of(RATE), 10, 0));
    }

    private static NegativeSource chains() {
        return PlainChains.fresh(NOISE, Langevin.of(0.1), 2);
    }

    @Test
    void termsAreAddedAndTold() {
        HalfSquare term = new HalfSquare(0.3);
        HalfSquare other = new HalfSquare(0.2);
        try (EnergyLearner plain = learner(PLAIN, new Contrastive(), List.of(), chains(), 1);
                EnergyLearner termed = learner(PLAIN, new Contrastive(), List.of(term, other), chains(), 1)) {
            double[] before = plain.averaged().flat().toDoubles();
            Map<String, Double> one = plain.step(Key.of(4), 0, Batch.of(x)).values();
            Map<String, Double> two = termed.step(Key.of(4), 0, Batch.of(x)).values();
            double square = 0;
            for (double number : before) {
                square += number * number;
            }
            assertThat(two.get(StepReport.LOSS)).isCloseTo(told(one, StepReport.LOSS) + 0.5 * square / 2, within(1e-6));
            assertThat(two).containsKey("half-square");
            assertThat(one).doesNotContainKey("half-square");
            assertThat(two.get(StepReport.GAP)).isEqualTo(one.get(StepReport.GAP));
            double[] alone = plain.averaged().flat().toDoubles();
            double[] both = termed.averaged().flat().toDoubles();
            for (int i = 0; i < before.length; i++) {
                assertThat(both[i]).isCloseTo(alone[i] - RATE * 0.5 * before[i], within(1e-6));
            }
            assertThat(term.keys.get(0)).isNotEqualTo(other.keys.get(0)); // a key for each
            assertThat(term.seen.get(0).k()).hasSize(COUNT);
            assertThat(term.words()).isEqualTo("the term half-square");
        }
    }

    private static double told(Map<String, Double> report, String name) {
        return report.getOrDefault(name, Double.NaN);
    }

    /** Hears which density chains walk on. */
    private static final class Heard implements NegativeSource {
        private final NegativeSource inner = chains();
        private LogDensity last = point -> point;
        private int drawn;

        @Override
        public DrawnNegatives draw(Key key, long iteration, Target target, Batch positives, int count) {
            drawn++;
            return inner.draw(
                    key,
                    iteration,
                    k -> {
                        last = target.of(k);
                        return last;
                    },
                    positives,
                    count);
        }

        @Override
        public void save(State state) {}

        @Override
        public void load(State state) {}

        @Override
        public void close() {}
    }

    private void assertWalksOn(Objective objective, LogDensity expected) {
        double[] values = expected.at(x).toDoubles();
        Heard heard = new Heard();
        try (EnergyLearner learner = learner(CLASSES, objective, List.of(), heard, 1)) {
            double[] before = learner.averaged().flat().toDoubles();
            learner.step(Key.of(4), 0, positives);
            learner.averaged().flat().copyInPlace(Tensors.of(before)); // back to where the chains walked
            assertThat(heard.last.at(x).toDoubles()).containsExactly(values, within(1e-6));
        }
    }

    /** Each objective's chains walk where it takes its negatives from. */
    @Test
    void chainsWalkOnWhatIsCompared() {
        try (Parameters parameters = CLASSES.layout().init(Key.of(3), DType.FLOAT)) {
            JointDensity table = CLASSES.bind(parameters);
            Robust robust = Objectives.robust(0.4);
            assertWalksOn(new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(1)), table.marginal());
            assertWalksOn(new JointObjective.JointCd(new Contrastive()), table.marginal());
            assertWalksOn(new JointObjective.ConditionalCd(new Contrastive()), table.given(positives.k()));
            assertWalksOn(new Contrastive(), table.given(positives.k()));
            assertWalksOn(
                    new JointObjective.CdCe(robust, 1, Smoothing.of(1)),
                    table.marginal().scaled(0.6));
            assertWalksOn(new JointObjective.JointCd(robust), table.marginalOfPairs(0.6));
            assertWalksOn(robust, table.given(positives.k()).scaled(0.6));
        }
    }

    @Test
    void withoutAGenerativePartNothingIsDrawn() {
        Heard heard = new Heard();
        HalfSquare term = new HalfSquare(0.1);
        try (EnergyLearner learner = learner(CLASSES, new JointObjective.CrossEntropy(), List.of(term), heard, 1)) {
            Map<String, Double> report = learner.step(Key.of(4), 0, positives).values();
            assertThat(heard.drawn).isZero();
            assertThat(term.seen.get(0).k()).isEmpty();
            assertThat(report).doesNotContainKey(StepReport.ACCEPTANCE);
            assertThat(report.get(StepReport.GAP)).isZero();
            assertThat(report.get(StepReport.LOSS))
                    .isCloseTo(told(report, LossAndGradient.CROSS_ENTROPY) + told(report, "half-square"), within(1e-9));
        }
    }

    /** β of the step, at the chains' temperature. */
    @Test
    void theObjectiveIsThatOfTheMoment() {
        Robust falling = new Robust(0.8, Robust.Variant.DEFAULT, new Schedule.Linear(0, 0, 0), 0);
        List<Objective.Moment> asked = new ArrayList<>();
        Objective spy = new Objective() {
            @Override
            public Loss of(double[] up, double[] down) {
                throw new UnsupportedOperationException("it is asked for its moment first");
            }

            @Override
            public Objective at(Moment now) {
                asked.add(now);
                return falling.at(now);
            }
        };
        try (EnergyLearner learner = learner(PLAIN, spy, List.of(), chains(), 0.25)) {
            for (int step = 0; step < 3; step++) {
                StepReport report = learner.step(Key.of(4).child(step), step, Batch.of(x));
                assertThat(report.values().get(Robust.BETA)).isCloseTo(0.8 * (1 - step / 10.0), within(1e-15));
            }
        }
        assertThat(asked)
                .containsExactly(
                        new Objective.Moment(0, 10, 0.25),
                        new Objective.Moment(1, 10, 0.25),
                        new Objective.Moment(2, 10, 0.25));
    }
}
