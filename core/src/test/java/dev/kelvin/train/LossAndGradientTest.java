package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.objective.Robust;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Losses and their gradients with respect to the table itself, by a network that gives back what it sees. */
class LossAndGradientTest {
    private static final int N = 3;
    private static final int COMPONENTS = 4;
    private static final long[] K = {0, 3, 1};
    private static final Key KEY = Key.of(5);

    private static final Objective CD_CE = new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(1));
    private static final Objective JOINT_CD = new JointObjective.JointCd(new Contrastive());
    private static final Objective CONDITIONAL_CD = new JointObjective.ConditionalCd(new Contrastive());
    private static final Objective CROSS_ENTROPY = new JointObjective.CrossEntropy();

    /** The table is the samples; the way back gives the weights on the table, row by row. */
    private record Mirror() implements Network {
        @Override
        public Layout layout() {
            return new Layout.Builder()
                    .add("none", new Initialisation.Constant(0), 1L)
                    .build();
        }

        @Override
        public Tensor apply(Parameters parameters, Tensor input) {
            return input;
        }

        @Override
        public Pullback pullback(Parameters parameters, Tensor input) {
            return new Pullback(input, weights -> weights.reshape(-1));
        }
    }

    private final Scope scope = Scope.open();
    private final Parameters parameters = new Mirror().layout().init(Key.of(1), DType.DOUBLE);

    @AfterEach
    void close() {
        parameters.close();
        scope.close();
    }

    private static double[] draws(int seed) {
        RandomGenerator random = Key.of(seed).stream();
        return random.doubles((long) N * COMPONENTS, -2, 2).toArray();
    }

    private LossAndGradient compare(Objective objective, double[] f, long[] k, double[] g) {
        int components = f.length / k.length;
        Tensor down = Tensors.of(g, g.length / components, components);
        long[] theirs = Arrays.copyOf(k, g.length / components);
        return PlainLoss.compare(
                KEY,
                new EnergyModel(new Mirror(), new LogitHead(components)),
                parameters,
                objective,
                new Batch(Tensors.of(f, k.length, components), k),
                new DrawnNegatives(down, theirs, OptionalDouble.empty()));
    }

    private static double[] negatives(Objective objective, int seed) {
        return objective.sampled() ? draws(seed) : new double[0];
    }

    /** The components that are drawn for the negatives. */
    private static long[] drawn(double[] g, int components) {
        return JointDensity.draw(KEY.child(0).stream(), Tensors.of(g, g.length / components, components), 1);
    }

    static Stream<Objective> objectives() {
        return Stream.of(
                CD_CE,
                JOINT_CD,
                CONDITIONAL_CD,
                CROSS_ENTROPY,
                new JointObjective.CdCe(Objectives.robust(0.5), 0.3, Smoothing.of(1)),
                new JointObjective.JointCd(Objectives.robust(0.5)),
                new JointObjective.Custom(Objectives.robust(0.5), ContrastedDensity.GIVEN, 2, Smoothing.of(1)),
                new JointObjective.Custom(new Contrastive(0.1, 0), ContrastedDensity.PAIR, 2, Smoothing.of(1)));
    }

    @ParameterizedTest
    @MethodSource("objectives")
    void gradientsAgreeWithDifferences(Objective objective) {
        double[] f = draws(1);
        double[] g = negatives(objective, 2);
        double[] gradient = compare(objective, f, K, g).gradient().toDoubles();
        assertThat(gradient).hasSize(f.length + g.length);
        double h = 1e-5;
        for (int i = 0; i < gradient.length; i++) {
            double[] own = i < f.length ? f : g;
            int at = i < f.length ? i : i - f.length;
            double before = own[at];
            own[at] = before + h;
            double up = compare(objective, f, K, g).loss().value();
            own[at] = before - h;
            double down = compare(objective, f, K, g).loss().value();
            own[at] = before;
            assertThat(gradient[i]).isCloseTo((up - down) / (2 * h), within(1e-9));
        }
    }

    /** By hand for one sample of two components. */
    @Test
    void valuesByHand() {
        double[] f = {Math.log(3), Math.log(1)}; // p(k|x) = 3/4, 1/4; p(x) = 4
        double[] g = {Math.log(2), Math.log(6)}; // p(x) = 8
        long[] k = {1};
        assertThat(compare(CROSS_ENTROPY, f, k, new double[0]).loss().value()).isCloseTo(Math.log(4), within(1e-15));
        LossAndGradient cdCe = compare(CD_CE, f, k, g);
        assertThat(cdCe.loss().value()).isCloseTo(Math.log(8) - Math.log(4) + Math.log(4), within(1e-15));
        assertThat(cdCe.report().get(LossAndGradient.CROSS_ENTROPY)).isCloseTo(Math.log(4), within(1e-15));
        assertThat(cdCe.report().get(StepReport.GAP)).isCloseTo(Math.log(4) - Math.log(8), within(1e-15));
        assertThat(compare(new JointObjective.CdCe(new Contrastive(), 0.5, Smoothing.of(1)), f, k, g)
                        .loss()
                        .value())
                .isCloseTo(Math.log(8) - Math.log(4) + 0.5 * Math.log(4), within(1e-15));
        double own = drawn(g, 2)[0] == 0 ? Math.log(2) : Math.log(6);
        assertThat(compare(JOINT_CD, f, k, g).loss().value()).isCloseTo(own, within(1e-15));
        assertThat(compare(CONDITIONAL_CD, f, k, g).loss().value()).isCloseTo(Math.log(6), within(1e-15));
        assertThat(compare(CONDITIONAL_CD, f, k, g).report()).doesNotContainKey(LossAndGradient.CROSS_ENTROPY);
    }

    /** JointCD pushes down the drawn components, CD+CE all by the probability to be drawn: the same on average. */
    @Test
    void jointIsCdAndCeOnAverage() {
        double[] f = draws(3);
        double[] g = draws(4);
        double[] joint = compare(JOINT_CD, f, K, g).gradient().toDoubles();
        double[] whole = compare(CD_CE, f, K, g).gradient().toDoubles();
        double[] shares = Tensors.of(g, N, COMPONENTS).softmax(1).toDoubles();
        long[] k = drawn(g, COMPONENTS);
        for (int i = 0; i < N; i++) {
            for (int component = 0; component < COMPONENTS; component++) {
                int at = i * COMPONENTS + component;
                assertThat(joint[at]).isCloseTo(whole[at], within(1e-14)); // the positives' are the same
                assertThat(joint[N * COMPONENTS + at]).isEqualTo(k[i] == component ? 1.0 / N : 0);
                assertThat(whole[N * COMPONENTS + at]).isCloseTo(shares[at] / N, within(1e-14));
            }
        }
    }

    /** Pairs of a robust objective are drawn where its chains walk, from exp((1 − β)f). */
    @Test
    void robustPairsAreDrawnAtTheSamplingScale() {
        int rows = 400; // with 400 draws of 4 components other scales would agree with probability 0
        double[] g = Key.of(6).stream().doubles((long) rows * COMPONENTS, -2, 2).toArray();
        double[] f = Arrays.copyOf(g, rows * COMPONENTS);
        Objective robust = new JointObjective.JointCd(Objectives.robust(0.5));
        double[] gradient = compare(robust, f, new long[rows], g).gradient().toDoubles();
        long[] expected = JointDensity.draw(KEY.child(0).stream(), Tensors.of(g, rows, COMPONENTS), 0.5);
        long[] found = new long[rows];
        for (int i = 0; i < rows; i++) {
            for (int component = 0; component < COMPONENTS; component++) {
                if (gradient[(rows + i) * COMPONENTS + component] > 0) {
                    found[i] = component;
                }
            }
        }
        assertThat(found).isEqualTo(expected);
        assertThat(found).isNotEqualTo(drawn(g, COMPONENTS));
    }

    @Test
    void greatNumbersStayNumbers() {
        double[] f = {1e6, -1e6, 3, 0};
        LossAndGradient comparison = compare(CD_CE, f, new long[] {1}, f);
        assertThat(comparison.loss().value()).isCloseTo(2e6, within(1e-6));
        double[] gradient = comparison.gradient().toDoubles();
        assertThat(Arrays.copyOfRange(gradient, 4, 8)).containsExactly(new double[] {1, 0, 0, 0}, within(1e-15));
    }

    /** One component: every objective is its generative part on f. */
    @Test
    void withOneComponentThereIsNothingElse() {
        double[] f = {1, 2, 0.5};
        double[] g = {0, 1.5, -1, 0.3};
        long[] none = new long[3];
        Robust robust = Objectives.robust(0.5);
        for (Objective objective : List.of(
                robust, new JointObjective.CdCe(robust, 1, Smoothing.of(1)), new JointObjective.JointCd(robust))) {
            LossAndGradient found = compareOne(objective, f, none, g);
            assertThat(found.loss().value()).isEqualTo(robust.of(f, g).value());
            assertThat(found.report()).doesNotContainKey(LossAndGradient.CROSS_ENTROPY);
            assertThat(found.gradient().toDoubles()).startsWith(robust.of(f, g).positiveGradient());
            assertThat(found.gradient().toDoubles()).endsWith(robust.of(f, g).negativeGradient());
        }
    }

    private LossAndGradient compareOne(Objective objective, double[] f, long[] k, double[] g) {
        return PlainLoss.compare(
                KEY,
                EnergyModel.plain(new Mirror()),
                parameters,
                objective,
                new Batch(Tensors.of(f, f.length, 1), k),
                new DrawnNegatives(Tensors.of(g, g.length, 1), new long[g.length], OptionalDouble.empty()));
    }

    /** Components apart have unknown constants: a robust objective weighs within each. */
    @Test
    void givenComponentsAreWeighedApart() {
        double[] f = draws(8);
        double[] g = draws(9);
        long[] k = {0, 2, 0};
        Robust robust = Objectives.robust(0.5);
        double[] up = {f[0], f[COMPONENTS + 2], f[2 * COMPONENTS]};
        double[] down = {g[0], g[COMPONENTS + 2], g[2 * COMPONENTS]};
        double expected = JointObjective.byComponent(robust, up, k, down, k).value();
        assertThat(compare(new JointObjective.ConditionalCd(robust), f, k, g)
                        .loss()
                        .value())
                .isCloseTo(expected, within(1e-14));
        assertThat(compare(robust, f, k, g).loss().value()).isCloseTo(expected, within(1e-14));
        assertThat(robust.of(up, down).value()).isNotCloseTo(expected, within(0.01)); // the twin
    }

    @Test
    void aTableOfAnotherWidthIsRefused() {
        EnergyModel wide = new EnergyModel(new Mirror(), new LogitHead(5));
        Batch batch = new Batch(Tensors.of(draws(1), N, COMPONENTS), K);
        DrawnNegatives negatives = new DrawnNegatives(batch.x(), K, OptionalDouble.empty());
        assertThatThrownBy(() -> PlainLoss.compare(KEY, wide, parameters, CD_CE, batch, negatives))
                .hasMessageContaining("expected [6, 5]");
    }

    /** The label term on rows of its own is that of those rows; the generative part looks at none of them. */
    @ParameterizedTest
    @MethodSource("objectives")
    void labelledRowsHaveTheLabelTermAlone(Objective objective) {
        if (objective.labels() == 0) {
            return;
        }
        double[] f = draws(1);
        double[] g = negatives(objective, 2);
        double[] other = Arrays.copyOf(draws(3), 2 * COMPONENTS);
        long[] labels = {2, 0};
        LossAndGradient found = PlainLoss.compare(
                KEY,
                new EnergyModel(new Mirror(), new LogitHead(COMPONENTS)),
                parameters,
                objective,
                new Batch(Tensors.of(f, N, COMPONENTS), K)
                        .labelledBy(new Batch(Tensors.of(other, 2, COMPONENTS), labels)),
                new DrawnNegatives(
                        Tensors.of(g, g.length / COMPONENTS, COMPONENTS),
                        Arrays.copyOf(K, g.length / COMPONENTS),
                        OptionalDouble.empty()));
        LossAndGradient labelled = compare(CROSS_ENTROPY, other, labels, new double[0]);
        Objective unlabelled = new JointObjective.Custom(
                objective instanceof JointObjective withComponents ? withComponents.by() : new Contrastive(),
                objective.compares(),
                0,
                Smoothing.of(1));
        double[] gradient = found.gradient().toDoubles();
        double[] own = labelled.gradient().toDoubles();
        int generative = f.length + g.length;
        for (int i = 0; i < own.length; i++) {
            assertThat(gradient[generative + i]).isCloseTo(objective.labels() * own[i], within(1e-15));
        }
        if (objective.sampled()) {
            LossAndGradient rest = compare(unlabelled, f, K, g);
            assertThat(Arrays.copyOf(gradient, generative))
                    .containsExactly(rest.gradient().toDoubles(), within(1e-15));
            assertThat(found.loss().value())
                    .isCloseTo(rest.loss().value() + objective.labels() * labelled.crossEntropy(), within(1e-14));
        } else {
            assertThat(Arrays.copyOf(gradient, generative)).containsOnly(0);
        }
        assertThat(found.report().get(LossAndGradient.CROSS_ENTROPY)).isCloseTo(labelled.crossEntropy(), within(1e-15));
    }

    @Test
    void labelledRowsWantALabelTerm() {
        Batch batch = new Batch(Tensors.of(draws(1), N, COMPONENTS), K);
        assertThatThrownBy(() -> PlainLoss.compare(
                        KEY,
                        new EnergyModel(new Mirror(), new LogitHead(COMPONENTS)),
                        parameters,
                        JOINT_CD,
                        batch.labelledBy(batch),
                        new DrawnNegatives(batch.x(), K, OptionalDouble.empty())))
                .hasMessageContaining("rows for the label term, and the objective has no such");
    }

    /** With a GradScale of 0 there is nothing to pull back, of any row. */
    @Test
    void aGradientOfNothingIsZero() {
        double[] f = {1e6, 0, 1e6, 0};
        double[] g = {0, 0, 0, 0};
        LossAndGradient found =
                compare(new JointObjective.CdCe(Objectives.robust(1), 0, Smoothing.of(1)), f, new long[] {0, 1}, g);
        assertThat(found.gradient().toDoubles()).hasSize(8).containsOnly(0);
    }
}
