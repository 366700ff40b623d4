package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.energy.Differences;
import dev.kelvin.energy.Direct;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.Tables;
import dev.kelvin.energy.Timeline;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Columned;
import dev.kelvin.objective.Compared;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Robust;
import dev.kelvin.optim.Schedule;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a learner descends along is the gradient of the loss that it reports, with respect to the parameters. */
class ComparisonGradientTest {
    private static final Key KEY = Key.of(5);
    private static final long[] K = {0, 2, 2, 0, 1, 1};

    private static final List<EnergyModel> MODELS = List.of(
            new EnergyModel(new Mlp(2, List.of(4), 3, Activation.SILU, 0), new Direct(3)),
            new EnergyModel(
                    new Mlp(2, List.of(5), 3, Activation.TANH, 0),
                    new Timeline(4, List.of(0.5, -1.0), 0.7, true, true)));

    private final Scope scope = Scope.open();
    private final Batch positives = new Batch(Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, K.length, 2), K);
    private final DrawnNegatives negatives = new DrawnNegatives(
            Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, K.length, 2), K, OptionalDouble.empty());

    @AfterEach
    void close() {
        scope.close();
    }

    private static List<Objective> generative() {
        List<Objective> all = new ArrayList<>(List.of(new Contrastive(), new Contrastive(0.1)));
        for (Robust.Variant variant : Robust.Variant.values()) {
            all.add(new Robust(0.5, variant));
        }
        all.add(new Robust(0.5, Robust.Variant.DEFAULT, Schedule.constant(), 0.1).at(new Objective.Moment(0, 1, 0.25)));
        return all;
    }

    static Stream<Arguments> cases() {
        return MODELS.stream()
                .flatMap(model -> Stream.of(Compared.values())
                        .flatMap(compared -> Stream.of(0.0, 0.7)
                                .flatMap(labels -> generative().stream()
                                        .map(by -> Arguments.of(model, new Columned.Columns(by, compared, labels))))));
    }

    private Comparison compare(EnergyModel model, Parameters parameters, Objective objective) {
        return Comparison.of(KEY, model, parameters, objective, positives, negatives);
    }

    /** Those two forms hold a factor of their loss fixed, so that its value has another gradient. */
    private static boolean holdsAFactor(Objective objective) {
        return objective instanceof Columned.Columns columns
                && columns.by() instanceof Robust robust
                && (robust.variant() == Robust.Variant.BATCH_CORRECTED
                        || robust.variant() == Robust.Variant.TRUE_OBJECTIVE);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isTheGradientOfTheLoss(EnergyModel model, Objective objective) {
        try (Parameters parameters = Tables.parameters(model)) {
            Comparison found = compare(model, parameters, objective);
            Loss held = found.loss();
            double error = Differences.errorOver(
                    parameters.flat(),
                    () -> {
                        Comparison now = compare(model, parameters, objective);
                        return holdsAFactor(objective)
                                ? linear(held, now) + objective.labels() * now.crossEntropy()
                                : now.loss().value();
                    },
                    found.gradient().toDoubles());
            assertThat(error).isLessThan(1e-6);
        }
    }

    /** Σ ∂loss/∂f · f with the derivatives held. */
    private static double linear(Loss held, Comparison now) {
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
            Objective labels = new Columned.CrossEntropy();
            try (Parameters parameters = Tables.parameters(model)) {
                double[] gradient = Comparison.of(KEY, model, parameters, labels, positives, none)
                        .gradient()
                        .toDoubles();
                double error = Differences.errorOver(
                        parameters.flat(),
                        () -> Comparison.of(KEY, model, parameters, labels, positives, none)
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
        try (Parameters parameters = Tables.parameters(model)) {
            Objective right = new Columned.CdCe(new Robust(0.5), 0.7);
            for (Objective wrong : List.of(
                    new Columned.CdCe(new Robust(0.5), 0.7001),
                    new Columned.CdCe(new Robust(0.5001), 0.7),
                    new Columned.Columns(new Robust(0.5), Compared.GIVEN, 0.7))) {
                Tensor gradient = compare(model, parameters, wrong).gradient();
                double error = Differences.errorOver(
                        parameters.flat(),
                        () -> compare(model, parameters, right).loss().value(),
                        gradient.toDoubles());
                assertThat(error).isGreaterThan(1e-6);
            }
        }
    }
}
