package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.Head;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.energy.Timeline;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.BinaryCrossEntropy;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.objective.Robust;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.objective.Trimmed;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A big table is worked on in two halves, which changes nothing but rounding. */
class LossPartTest {
    private static final int COMPONENTS = 16;
    private static final int UP = 150;
    private static final int DOWN = 131;
    private static final int OTHERS = 121;
    private static final Key KEY = Key.of(5);
    private static final Timeline TIMELINE = new Timeline(COMPONENTS, List.of(), 1, true, true);
    private static final LogitHead DIRECT = new LogitHead(COMPONENTS);

    /** Counts the batches that it is asked about, and may say that it looks at all rows. */
    private record Watched(Network inner, boolean rowsAlone, List<Long> batches) implements Network {
        @Override
        public Layout layout() {
            return inner.layout();
        }

        @Override
        public Tensor apply(Parameters parameters, Tensor input) {
            return inner.apply(parameters, input);
        }

        @Override
        public Pullback pullback(Parameters parameters, Tensor input) {
            batches.add(input.size(0));
            return inner.pullback(parameters, input);
        }
    }

    private static Watched watched(Head head, boolean rowsAlone) {
        return new Watched(
                new Mlp(2, List.of(8), head.outputs(), Activation.TANH, 0),
                rowsAlone,
                Collections.synchronizedList(new ArrayList<>()));
    }

    private final Scope scope = Scope.open();
    private final Batch positives = new Batch(
            Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, UP, 2),
            LongStream.range(0, UP).map(i -> i % COMPONENTS).toArray());
    private final DrawnNegatives negatives = new DrawnNegatives(
            Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, DOWN, 2),
            positives.components(DOWN),
            OptionalDouble.empty());

    @AfterEach
    void close() {
        scope.close();
    }

    static Stream<Arguments> cases() {
        return Stream.of(DIRECT, TIMELINE)
                .flatMap(head -> Stream.of(
                                new JointObjective.CdCe(new Contrastive(0.1, 0), 1, Smoothing.of(1)),
                                new JointObjective.CdCe(Objectives.robust(0.5), 0.3, Smoothing.of(1)),
                                new JointObjective.CdCe(
                                        Objectives.robust(0.5, Robust.Variant.TRUE_OBJECTIVE), 0, Smoothing.of(1)),
                                new JointObjective.ConditionalCd(new Contrastive()),
                                new JointObjective.ConditionalCd(Objectives.robust(0.5)),
                                new JointObjective.Custom(
                                        Objectives.robust(0.5), ContrastedDensity.GIVEN, 1, Smoothing.of(1)),
                                new JointObjective.CdCe(new Contrastive(0.1, 0.5), 2, Smoothing.of(5)),
                                new JointObjective.CdCe(Objectives.robust(0.5), 2, Smoothing.of(5)),
                                new JointObjective.CdCe(
                                        new Contrastive(0.1, 1, OptionalDouble.of(5)), 2, Smoothing.of(5)),
                                new JointObjective.ConditionalCd(new Contrastive(0, 1, OptionalDouble.of(1))),
                                new JointObjective.CdCe(new Trimmed(0.3, new Contrastive(0.1, 0)), 2, Smoothing.of(5)),
                                new JointObjective.CdCe(new Trimmed(0.3, Objectives.robust(0.5)), 1, Smoothing.of(1)),
                                new JointObjective.CdCe(new BinaryCrossEntropy(0.1), 1, Smoothing.of(1)),
                                new JointObjective.CrossEntropy())
                        .map(objective -> Arguments.of(head, objective)));
    }

    private LossAndGradient compare(Network network, Head head, Parameters parameters, Objective objective) {
        DrawnNegatives drawn = objective.sampled()
                ? negatives
                : new DrawnNegatives(positives.x().narrow(0, 0, 0), new long[0], OptionalDouble.empty());
        return PlainLoss.compare(KEY, new EnergyModel(network, head), parameters, objective, positives, drawn);
    }

    private static void assertSame(LossAndGradient one, LossAndGradient other) {
        assertThat(one.loss().value()).isCloseTo(other.loss().value(), within(1e-12));
        assertThat(one.gradient().toDoubles()).containsExactly(other.gradient().toDoubles(), within(1e-12));
        assertThat(one.positives()).containsExactly(other.positives(), within(1e-12));
        assertThat(one.negatives()).containsExactly(other.negatives(), within(1e-12));
        assertThat(one.report().keySet())
                .containsExactlyElementsOf(other.report().keySet());
        one.report()
                .forEach((name, value) ->
                        assertThat(value).isCloseTo(other.report().get(name), within(1e-9)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void halvesAreTheWhole(Head head, Objective objective) {
        // without negatives there are too few rows for halves
        boolean halves = objective.sampled();
        Watched two = watched(head, true);
        Watched one = watched(head, false);
        try (Parameters parameters = two.layout().init(Key.of(1), DType.DOUBLE)) {
            LossAndGradient apart = compare(two, head, parameters, objective);
            LossAndGradient whole = compare(one, head, parameters, objective);
            assertSame(apart, whole);
            if (halves) {
                assertThat(two.batches).containsExactlyInAnyOrder(75L + 65, 75L + 66);
                assertThat(one.batches).containsExactly((long) UP + DOWN);
            }
        }
    }

    /** With rows for the label term alone, of which both halves have some. */
    @ParameterizedTest
    @MethodSource("cases")
    void halvesAreTheWholeWithLabelledRows(Head head, Objective objective) {
        if (objective.labels() == 0) {
            return;
        }
        Batch others = new Batch(
                Tensors.normal(Key.of(4), DType.DOUBLE, Device.CPU, OTHERS, 2),
                LongStream.range(0, OTHERS).map(i -> (5 * i) % COMPONENTS).toArray());
        DrawnNegatives drawn = objective.sampled()
                ? negatives
                : new DrawnNegatives(positives.x().narrow(0, 0, 0), new long[0], OptionalDouble.empty());
        Watched two = watched(head, true);
        Watched one = watched(head, false);
        try (Parameters parameters = two.layout().init(Key.of(1), DType.DOUBLE)) {
            Batch batch = positives.labelledBy(others);
            LossAndGradient apart =
                    PlainLoss.compare(KEY, new EnergyModel(two, head), parameters, objective, batch, drawn);
            LossAndGradient whole =
                    PlainLoss.compare(KEY, new EnergyModel(one, head), parameters, objective, batch, drawn);
            assertSame(apart, whole);
            assertThat(apart.labelled()).isEqualTo(OTHERS);
            assertThat(apart.components()).isEqualTo(whole.components());
            if (objective.sampled()) {
                assertThat(two.batches).containsExactlyInAnyOrder(75L + 65 + 60, 75L + 66 + 61);
                assertThat(one.batches).containsExactly((long) UP + DOWN + OTHERS);
            }
        }
    }

    /** Of pairs each half draws its own components; with those components given, it is the same. */
    @ParameterizedTest
    @MethodSource("heads")
    void pairsHaveTheirHalvesComponents(Head head) {
        Robust robust = Objectives.robust(0.5);
        Watched two = watched(head, true);
        Watched one = watched(head, false);
        try (Parameters parameters = two.layout().init(Key.of(1), DType.DOUBLE)) {
            LossAndGradient apart = compare(two, head, parameters, new JointObjective.JointCd(robust));
            Tensor table = new EnergyModel(one, head).bind(parameters).at(negatives.x());
            long[] first = JointDensity.draw(KEY.child(0).stream(), table.narrow(0, 0, 65), 0.5);
            long[] second = JointDensity.draw(KEY.child(1).stream(), table.narrow(0, 65, 66), 0.5);
            long[] k = LongStream.concat(LongStream.of(first), LongStream.of(second))
                    .toArray();
            // compares f at each sample's own component, and weighs all together
            Objective own = (up, down) -> robust.of(up, down);
            LossAndGradient whole = PlainLoss.compare(
                    KEY,
                    new EnergyModel(one, head),
                    parameters,
                    own,
                    positives,
                    new DrawnNegatives(negatives.x(), k, OptionalDouble.empty()));
            assertThat(two.batches).hasSize(2);
            assertThat(apart.loss().value()).isCloseTo(whole.loss().value(), within(1e-12));
            assertThat(apart.negatives()).containsExactly(whole.negatives(), within(1e-12));
            assertThat(apart.gradient().toDoubles())
                    .containsExactly(whole.gradient().toDoubles(), within(1e-12));
        }
    }

    static Stream<Head> heads() {
        return Stream.of(DIRECT, TIMELINE);
    }

    /** Fails on the half that has the last rows, or on the other. */
    private record Broken(Network inner, int half, boolean late) implements Network {
        @Override
        public Layout layout() {
            return inner.layout();
        }

        @Override
        public Tensor apply(Parameters parameters, Tensor input) {
            return inner.apply(parameters, input);
        }

        @Override
        public Pullback pullback(Parameters parameters, Tensor input) {
            boolean broken = input.size(0) % 2 == half; // 140 rows in the first half, 141 in the second
            if (broken && !late) {
                throw new IllegalArgumentException("half " + half);
            }
            Pullback right = inner.pullback(parameters, input);
            return !broken
                    ? right
                    : new Pullback(right.output(), weights -> {
                        throw new IllegalArgumentException("half " + half);
                    });
        }
    }

    /** Neither waits for numbers that will not come, and the failure is told as it was. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aFailureInOneHalfEndsBoth(int half) {
        Network inner = watched(DIRECT, true).inner;
        try (Scope own = Scope.open();
                Parameters parameters = inner.layout().init(Key.of(1), DType.DOUBLE)) {
            for (boolean late : new boolean[] {false, true}) {
                Network broken = new Broken(inner, half, late);
                assertThatThrownBy(() -> compare(
                                broken,
                                DIRECT,
                                parameters,
                                new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(1))))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("half " + half);
            }
        }
    }

    @Test
    void aSmallTableIsNotCut() {
        Watched network = watched(DIRECT, true);
        try (Parameters parameters = network.layout().init(Key.of(1), DType.DOUBLE)) {
            Batch few = new Batch(positives.x().narrow(0, 0, 20), new long[20]);
            DrawnNegatives down =
                    new DrawnNegatives(negatives.x().narrow(0, 0, 20), new long[20], OptionalDouble.empty());
            PlainLoss.compare(
                    KEY,
                    new EnergyModel(network, DIRECT),
                    parameters,
                    new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(1)),
                    few,
                    down);
            assertThat(network.batches).containsExactly(40L);
        }
    }
}
