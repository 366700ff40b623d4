package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Differences;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensities;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.energy.Timeline;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.BinaryCrossEntropy;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.objective.Robust;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.objective.Trimmed;
import dev.kelvin.optim.Schedule;
import dev.kelvin.part.Catalogue;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a learner descends along is the gradient of the loss that it reports, with respect to the parameters. */
class LossAndGradientGradientTest {
    private static final Key KEY = Key.of(5);
    private static final long[] K = {0, 2, 2, 0, 1, 1};

    private static final List<EnergyModel> MODELS = List.of(
            new EnergyModel(new Mlp(2, List.of(4), 3, Activation.SILU, 0), new LogitHead(3)),
            new EnergyModel(
                    new Mlp(2, List.of(5), 3, Activation.TANH, 0),
                    new Timeline(4, List.of(0.5, -1.0), 0.7, true, true)),
            new EnergyModel(
                    new Mlp(2, List.of(5), 3, Activation.TANH, 0),
                    new Timeline(
                            4,
                            List.of(0.5, -1.0),
                            0.7,
                            true,
                            false,
                            Timeline.Base.FIRST,
                            true,
                            Timeline.Mixing.COSINE)));

    private final Scope scope = Scope.open();
    private final Batch positives = new Batch(Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, K.length, 2), K);
    private final DrawnNegatives negatives = new DrawnNegatives(
            Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, K.length, 2), K, OptionalDouble.empty());

    /** Rows for the label term alone, fewer than the positives. */
    private final Batch others =
            new Batch(Tensors.normal(Key.of(4), DType.DOUBLE, Device.CPU, 4, 2), new long[] {2, 1, 0, 2});

    @AfterEach
    void close() {
        scope.close();
    }

    /** The generative parts; two forms of the robust one hold a factor of their loss fixed, so that its value has another gradient. */
    private record Part(Objective by, boolean holdsAFactor) {}

    private static List<Part> generative() {
        List<Part> all =
                new ArrayList<>(Stream.of(new Contrastive(), new Contrastive(0.1, 0), new Contrastive(0.1, 0.3))
                        .map(by -> new Part(by, false))
                        .toList());
        all.add(new Part(new Contrastive(0, 1), false));
        Objective.Moment cold = new Objective.Moment(0, 1, 0.25);
        for (Robust.Variant variant : Robust.Variant.values()) {
            boolean holds = variant == Robust.Variant.BATCH_CORRECTED || variant == Robust.Variant.TRUE_OBJECTIVE;
            all.add(new Part(Objectives.robust(0.5, variant), holds));
            all.add(new Part(Objectives.robust(0.5, variant).at(cold), holds));
        }
        all.add(new Part(new Robust(0.5, Robust.Variant.DEFAULT, Schedule.constant(), 0.1).at(cold), false));
        all.add(new Part(Objectives.robustOverT(2).at(cold), false));
        all.add(new Part(new BinaryCrossEntropy(0.1), false));
        all.add(new Part(new Trimmed(0.4, new Contrastive(0.1, 0)), false));
        return all;
    }

    /** Every registered objective on components, at an α and without. */
    private static List<JointObjective> on(Objective by) {
        List<JointObjective> all =
                new ArrayList<>(List.of(new JointObjective.JointCd(by), new JointObjective.ConditionalCd(by)));
        for (double labels : new double[] {0, 0.7}) {
            for (Smoothing alpha : List.of(Smoothing.of(1), Smoothing.of(3))) {
                all.add(new JointObjective.CdCe(by, labels, alpha));
                for (ContrastedDensity compared : ContrastedDensity.values()) {
                    all.add(new JointObjective.Custom(by, compared, labels, alpha));
                }
            }
        }
        return all;
    }

    static Stream<Arguments> cases() {
        return MODELS.stream()
                .flatMap(model -> generative().stream()
                        .flatMap(part -> on(part.by).stream()
                                .map(objective -> Arguments.of(model, objective, part.holdsAFactor))));
    }

    @Test
    void everyRegisteredObjectiveIsChecked() {
        assertThat(Catalogue.of(Objective.class).values())
                .containsExactlyInAnyOrder(
                        Contrastive.class,
                        Robust.class,
                        BinaryCrossEntropy.class,
                        Trimmed.class,
                        JointObjective.CdCe.class,
                        JointObjective.JointCd.class,
                        JointObjective.ConditionalCd.class,
                        JointObjective.CrossEntropy.class,
                        JointObjective.Custom.class);
    }

    private LossAndGradient compare(EnergyModel model, Parameters parameters, Objective objective) {
        return PlainLoss.compare(KEY, model, parameters, objective, positives, negatives);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isTheGradientOfTheLoss(EnergyModel model, Objective objective, boolean holdsAFactor) {
        check(model, objective, holdsAFactor, positives);
        if (objective.labels() > 0) {
            check(model, objective, holdsAFactor, positives.labelledBy(others));
        }
    }

    private void check(EnergyModel model, Objective objective, boolean holdsAFactor, Batch batch) {
        try (Parameters parameters = JointDensities.parameters(model)) {
            LossAndGradient found = PlainLoss.compare(KEY, model, parameters, objective, batch, negatives);
            Loss held = found.loss();
            double error = Differences.errorOver(
                    parameters.flat(),
                    () -> {
                        LossAndGradient now = PlainLoss.compare(KEY, model, parameters, objective, batch, negatives);
                        return holdsAFactor
                                ? linear(held, now) + objective.labels() * now.crossEntropy()
                                : now.loss().value();
                    },
                    found.gradient().toDoubles());
            assertThat(error).isLessThan(1e-6);
        }
    }

    /** Σ ∂loss/∂f · f with the derivatives held. */
    private static double linear(Loss held, LossAndGradient now) {
        double sum = 0;
        for (int i = 0; i < now.positives().length; i++) {
            sum += held.positiveGradient()[i] * now.positives()[i];
        }
        for (int j = 0; j < now.negatives().length; j++) {
            sum += held.negativeGradient()[j] * now.negatives()[j];
        }
        return sum;
    }

    @Test
    void ofCrossEntropyAloneToo() {
        for (EnergyModel model : MODELS) {
            DrawnNegatives none =
                    new DrawnNegatives(positives.x().narrow(0, 0, 0), new long[0], OptionalDouble.empty());
            Objective labels = new JointObjective.CrossEntropy();
            try (Parameters parameters = JointDensities.parameters(model)) {
                double[] gradient = PlainLoss.compare(KEY, model, parameters, labels, positives, none)
                        .gradient()
                        .toDoubles();
                double error = Differences.errorOver(
                        parameters.flat(),
                        () -> PlainLoss.compare(KEY, model, parameters, labels, positives, none)
                                .loss()
                                .value(),
                        gradient);
                assertThat(error).isLessThan(1e-6);
            }
        }
    }

    @Test
    void theCheckSeesAWrongGradient() {
        EnergyModel model = MODELS.get(0);
        try (Parameters parameters = JointDensities.parameters(model)) {
            Objective right = new JointObjective.CdCe(Objectives.robust(0.5), 0.7, Smoothing.of(1));
            for (Objective wrong : List.of(
                    new JointObjective.CdCe(Objectives.robust(0.5), 0.7001, Smoothing.of(1)),
                    new JointObjective.CdCe(Objectives.robust(0.5001), 0.7, Smoothing.of(1)),
                    new JointObjective.CdCe(Objectives.robust(0.5), 0.7, Smoothing.of(1.0001)),
                    new JointObjective.Custom(Objectives.robust(0.5), ContrastedDensity.GIVEN, 0.7, Smoothing.of(1)))) {
                Tensor gradient = compare(model, parameters, wrong).gradient();
                double error = Differences.errorOver(
                        parameters.flat(),
                        () -> compare(model, parameters, right).loss().value(),
                        gradient.toDoubles());
                assertThat(error).isGreaterThan(1e-6);
            }
        }
    }

    /**
     * In float, through a table: the form without the positive, because the default one has the factor GradScale, which at
     * β = 0 is M/(M + 1).
     */
    @Test
    void aTinyBetaIsContrastiveDivergence() {
        EnergyModel model = MODELS.get(0);
        Batch data = new Batch(positives.x().to(DType.FLOAT), K);
        DrawnNegatives samples = new DrawnNegatives(negatives.x().to(DType.FLOAT), K, OptionalDouble.empty());
        try (Parameters parameters = model.layout().init(Key.of(1), DType.FLOAT)) {
            double[] plain = floats(model, parameters, new Contrastive(), data, samples);
            double length = Math.sqrt(Arrays.stream(plain).map(g -> g * g).sum());
            double[] tiny =
                    floats(model, parameters, Objectives.robust(1e-6, Robust.Variant.NO_POSITIVE), data, samples);
            assertThat(tiny).containsExactly(plain, within(1e-4 * length));
            double[] cold = floats(
                    model,
                    parameters,
                    Objectives.robustOverT(1e-6).at(new Objective.Moment(0, 1, 5e-5)),
                    data,
                    samples);
            double used = K.length / (K.length + 1.0); // GradScale
            assertThat(Arrays.stream(cold).map(g -> g / used).toArray()).containsExactly(plain, within(1e-4 * length));
            double[] large =
                    floats(model, parameters, Objectives.robust(0.5, Robust.Variant.NO_POSITIVE), data, samples);
            double furthest = 0; // the twin
            for (int i = 0; i < large.length; i++) {
                furthest = Math.max(furthest, Math.abs(large[i] - plain[i]));
            }
            assertThat(furthest).isGreaterThan(1e-3 * length);
        }
    }

    private static double[] floats(
            EnergyModel model, Parameters parameters, Objective by, Batch data, DrawnNegatives samples) {
        return PlainLoss.compare(KEY, model, parameters, new JointObjective.CdCe(by, 0, Smoothing.of(1)), data, samples)
                .gradient()
                .toDoubles();
    }
}
