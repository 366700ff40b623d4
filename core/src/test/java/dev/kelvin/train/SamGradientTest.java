package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Differences;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensities;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.objective.Term;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.Sam;
import dev.kelvin.optim.Sgd;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.loop.Guard;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A step of sharpness-aware minimisation: along the gradient of θ ↦ L(θ + e), e held, from θ. */
class SamGradientTest {
    private static final double RHO = 0.3;
    private static final EnergyModel MODEL = JointDensities.CLASSES;
    private static final Key KEY = Key.of(7);
    private static final int COMPONENTS = 100; // the child of a step's key that pairs are drawn by

    private final Scope scope = Scope.open();
    private final Batch positives = batch(2, 0, 2, 1, 1, 0, 2).labelledBy(batch(4, 1, 1, 2, 0));
    private final DrawnNegatives negatives = new DrawnNegatives(
            Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, 6, 2),
            new long[] {0, 2, 1, 1, 0, 2},
            OptionalDouble.empty());

    @AfterEach
    void close() {
        scope.close();
    }

    private static Batch batch(int seed, long... k) {
        return new Batch(Tensors.normal(Key.of(seed), DType.DOUBLE, Device.CPU, k.length, 2), k);
    }

    /** The same samples whenever it is asked, which it counts. */
    private record Fixed(DrawnNegatives negatives, List<Long> asked) implements NegativeSource {
        @Override
        public DrawnNegatives draw(Key key, long iteration, Target target, Batch positives, int count) {
            asked.add(iteration);
            return negatives;
        }

        @Override
        public void save(State state) {}

        @Override
        public void load(State state) {}

        @Override
        public void close() {}
    }

    private EnergyLearner learner(Objective objective, Optimiser optimiser, List<Term> terms) {
        Parameters parameters = JointDensities.parameters(MODEL);
        return new EnergyLearner(
                MODEL,
                new Fixed(negatives, new ArrayList<>()),
                objective,
                terms,
                new EnergyLearner.Settings(6, 0.5),
                new Descent(parameters, optimiser, 10, 0));
    }

    static Stream<Arguments> cases() {
        Smoothing adaptive = new Smoothing(1, Optional.of(new Smoothing.Adaptive(0.5, 1, 0.9)));
        return Stream.of(
                        new JointObjective.CdCe(new Contrastive(0.1, 0), 0.7, Smoothing.of(1)),
                        new JointObjective.CdCe(Objectives.robustOverT(0.8), 0.7, Smoothing.of(3)),
                        new JointObjective.Custom(
                                Objectives.robust(0.5),
                                dev.kelvin.objective.ContrastedDensity.PAIR,
                                0.7,
                                Smoothing.of(1)),
                        new JointObjective.CdCe(Objectives.robust(0.5), 0.7, adaptive))
                .flatMap(objective -> Stream.of(false, true).map(climbs -> Arguments.of(objective, climbs)));
    }

    private LossEvaluation pass(Parameters parameters, Objective objective) {
        return PlainLoss.of(
                KEY.child(COMPONENTS),
                MODEL,
                parameters,
                objective.at(new Objective.Moment(0, 10, 0.5)),
                positives,
                negatives);
    }

    /** The α that the first measurement finds: ‖g_generative‖/(ratio·‖g_labels‖). */
    private static double alpha(LossEvaluation pass, Objective objective) {
        return objective
                .alpha()
                .adaptive()
                .map(adaptive -> norm(pass.compare(new LossEvaluation.Weights(1, 0), Optional.empty()))
                        / norm(pass.compare(new LossEvaluation.Weights(0, objective.labels()), Optional.empty()))
                        / adaptive.ratio())
                .orElse(objective.alpha().start());
    }

    private static double norm(LossAndGradient found) {
        return Math.sqrt(
                Arrays.stream(found.gradient().toDoubles()).map(g -> g * g).sum());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theStepIsAlongTheGradientAtTheTop(Objective objective, boolean adaptive) {
        double rate = 0.25; // a power of two, so that the step is the gradient to a rounding
        try (Parameters parameters = JointDensities.parameters(MODEL);
                EnergyLearner learner = learner(objective, new Sam(Sgd.of(rate), RHO, adaptive), List.of())) {
            LossEvaluation pass = pass(parameters, objective);
            double alpha = alpha(pass, objective);
            LossEvaluation.Weights weights = LossEvaluation.Weights.of(objective, alpha);
            LossAndGradient first = pass.compare(weights, Optional.empty());
            double[] theta = parameters.flat().toDoubles();
            double[] slope = first.gradient().toDoubles();
            double error = Differences.errorOver(
                    parameters.flat(),
                    () -> pass.compare(weights, Optional.of(first.components()))
                            .loss()
                            .value(),
                    slope);
            assertThat(error).isLessThan(1e-6); // the climb's own gradient
            double[] climb = climb(theta, slope, adaptive);
            assertThat(new Sam.Climb(RHO, adaptive)
                            .move(parameters.flat(), first.gradient())
                            .orElseThrow()
                            .toDoubles())
                    .containsExactly(climb, within(1e-15));
            Map<String, Double> report = learner.step(KEY, 0, positives).values();
            double[] moved = learner.averaged().flat().toDoubles();
            double[] taken = new double[moved.length];
            Arrays.setAll(taken, i -> (theta[i] - moved[i]) / rate);
            parameters.flat().addInPlace(Tensors.of(climb));
            double atTheTop = pass.compare(weights, Optional.of(first.components()))
                    .loss()
                    .value();
            double wrong = Differences.errorOver(
                    parameters.flat(),
                    () -> pass.compare(weights, Optional.of(first.components()))
                            .loss()
                            .value(),
                    taken);
            assertThat(wrong).isLessThan(1e-6);
            assertThat(report.get(StepReport.SHARPNESS))
                    .isCloseTo(atTheTop - first.loss().value(), within(1e-12));
            assertThat(report.get(StepReport.LOSS)).isCloseTo(first.loss().value(), within(1e-12));
            // the twin: the gradient without a climb is another
            assertThat(Differences.errorOver(
                            parameters.flat(),
                            () -> pass.compare(weights, Optional.of(first.components()))
                                    .loss()
                                    .value(),
                            slope))
                    .isGreaterThan(1e-3);
            if (objective.alpha().adaptive().isPresent()) {
                assertThat(report.get(StepReport.ALPHA)).isCloseTo(alpha, within(1e-12 * alpha));
            } else {
                assertThat(report).doesNotContainKey(StepReport.ALPHA);
            }
        }
    }

    private static double[] climb(double[] theta, double[] slope, boolean adaptive) {
        double squares = 0;
        double[] climb = new double[theta.length];
        for (int i = 0; i < theta.length; i++) {
            double scaled = adaptive ? Math.abs(theta[i]) * slope[i] : slope[i];
            squares += scaled * scaled;
            climb[i] = adaptive ? theta[i] * theta[i] * slope[i] : slope[i];
        }
        double length = Math.sqrt(squares);
        return Arrays.stream(climb).map(each -> RHO * each / length).toArray();
    }

    /** ‖θ‖²/2, and with which keys and where it was asked. */
    private record HalfSquare(List<Key> keys, List<double[]> places) implements Term {
        @Override
        public Value of(Key key, EnergyModel model, Parameters parameters, Batch positives, DrawnNegatives negatives) {
            keys.add(key);
            places.add(parameters.flat().toDoubles());
            double square = parameters.flat().square().sum().item();
            return new Value(square / 2, parameters.flat().copy());
        }
    }

    @Test
    void termsClimbTooWithTheirKeysAndChainsWalkOnce() {
        HalfSquare term = new HalfSquare(new ArrayList<>(), new ArrayList<>());
        Fixed source = new Fixed(negatives, new ArrayList<>());
        Parameters parameters = JointDensities.parameters(MODEL);
        double[] theta = parameters.flat().toDoubles();
        Objective objective = new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(1));
        try (EnergyLearner learner = new EnergyLearner(
                MODEL,
                source,
                objective,
                List.of(term),
                new EnergyLearner.Settings(6, 1),
                new Descent(parameters, new Sam(Sgd.of(1e-300), RHO, false), 10, 0))) {
            Map<String, Double> report = learner.step(KEY, 0, positives).values();
            assertThat(source.asked).containsExactly(0L);
            assertThat(term.keys).hasSize(2);
            assertThat(term.keys.get(0)).isEqualTo(term.keys.get(1));
            assertThat(term.places.get(0)).isEqualTo(theta);
            double[] top = term.places.get(1);
            double far = 0;
            for (int i = 0; i < top.length; i++) {
                far = Math.hypot(far, top[i] - theta[i]);
            }
            assertThat(far).isCloseTo(RHO, within(1e-14));
            assertThat(learner.averaged().flat().toDoubles()).isEqualTo(theta); // to the bit: a rate of nothing
            assertThat(report.get(StepReport.SHARPNESS)).isPositive();
        }
    }

    private static final Layout LAYOUT = new Layout.Builder()
            .add("before", new Initialisation.Constant(2), 2L)
            .addState("running", new Initialisation.Constant(3), 2L)
            .add("after", new Initialisation.Constant(4), 1L)
            .build();

    @Test
    void whatIsNotTrainedDoesNotClimb() {
        try (Descent descent = new Descent(LAYOUT.init(Key.of(1), DType.DOUBLE), new Sam(Sgd.of(1), 1, false), 10, 0)) {
            Tensor gradient = Tensors.of(new double[] {3, 0, 1e6, -1e6, 4});
            List<double[]> seen = new ArrayList<>();
            Tensor there = descent.climbed(gradient, () -> {
                seen.add(descent.parameters().flat().toDoubles());
                return gradient.times(2);
            });
            assertThat(seen.get(0)).containsExactly(new double[] {2.6, 2, 3, 3, 4.8}, within(1e-15));
            assertThat(there.toDoubles()[0]).isEqualTo(6);
            assertThat(gradient.toDoubles()[2]).isEqualTo(1e6);
            assertThat(descent.parameters().flat().toDoubles()).containsExactly(2, 2, 3, 3, 4);
            assertThatThrownBy(() -> descent.climbed(gradient, () -> {
                        throw new IllegalStateException("broken at the top");
                    }))
                    .hasMessage("broken at the top");
            assertThat(descent.parameters().flat().toDoubles()).containsExactly(2, 2, 3, 3, 4);
            Tensor nothing = Tensors.of(new double[] {0, 0, 5, 0, 0});
            assertThat(descent.climbed(nothing, () -> gradient)).isSameAs(nothing);
        }
    }

    /** Running statistics move once, after the step, from where they were before it. */
    @ParameterizedTest
    @MethodSource("optimisers")
    void runningStatisticsMoveOnceAStep(Optimiser optimiser) {
        EnergyModel model = new EnergyModel(new WideResnet(1, 8, 10, 1, Norm.BATCH, 3, 0.2), new LogitHead(3));
        Tensor x = Tensors.normal(Key.of(1), 4, 1, 8, 8);
        Batch data = new Batch(x, new long[] {0, 1, 2, 0})
                .labelledBy(new Batch(Tensors.normal(Key.of(2), 4, 1, 8, 8), new long[] {2, 1, 2, 0}));
        DrawnNegatives samples =
                new DrawnNegatives(Tensors.normal(Key.of(3), 4, 1, 8, 8), data.k(), OptionalDouble.empty());
        Parameters parameters = model.layout().init(Key.of(4), DType.FLOAT);
        try (Parameters before = parameters.copy();
                EnergyLearner learner = PlainLearner.of(
                        model,
                        new Fixed(samples, new ArrayList<>()),
                        new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(1)),
                        4,
                        new Descent(parameters, optimiser, 10, 0))) {
            learner.step(KEY, 0, data);
            try (Parameters expected = parameters.copy()) {
                List<String> running = model.layout().entries().stream()
                        .filter(entry -> !entry.trained())
                        .map(Layout.Entry::name)
                        .toList();
                assertThat(running).isNotEmpty();
                running.forEach(name -> expected.get(name).copyInPlace(before.get(name)));
                model.advance(expected, x);
                assertThat(parameters.flat().toDoubles())
                        .isEqualTo(expected.flat().toDoubles())
                        .isNotEqualTo(before.flat().toDoubles());
            }
        }
    }

    static Stream<Optimiser> optimisers() {
        return Stream.of(Adam.of(1e-3), new Sam(Adam.of(1e-3), 0.05, false), new Sam(Adam.of(1e-3), 2, true));
    }

    /** What is not finite reaches the guard. */
    @Test
    void aBrokenGradientIsTold() {
        Objective broken = new JointObjective.CdCe(
                (up, down) -> new dev.kelvin.objective.Loss(Double.NaN, nans(up.length), nans(down.length), Map.of()),
                1,
                Smoothing.of(1));
        for (boolean adaptive : new boolean[] {false, true}) {
            try (EnergyLearner learner = learner(broken, new Sam(Sgd.of(0.1), RHO, adaptive), List.of())) {
                StepReport report = learner.step(KEY, 0, positives);
                assertThat(new Guard(new Guard.Settings(1e6, 5, 3)).check(1, report, false))
                        .isPresent();
                assertThat(report.values().get(StepReport.GRADIENT_NORM)).isNaN();
            }
        }
    }

    private static double[] nans(int count) {
        double[] nans = new double[count];
        Arrays.fill(nans, Double.NaN);
        return nans;
    }
}
