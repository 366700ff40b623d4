package dev.kelvin.metric.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.MaximumMeanDiscrepancy;
import dev.kelvin.metric.SteinDiscrepancy;
import dev.kelvin.metric.TestFigures;
import dev.kelvin.part.Catalogue;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FigureOfMeritTest {
    private static final Gaussian UNIT = Gaussian.isotropic(new double[2], 1);

    private record Model(LogDensity density, Tensor samples, Tensor heldOut, Tensor training) implements Judged {}

    private static Model model(int samples) {
        return new Model(
                UNIT,
                UNIT.draw(Key.of(1), samples, DType.DOUBLE),
                UNIT.draw(Key.of(2), 300, DType.DOUBLE),
                Tensors.of(new double[8], 4, 2));
    }

    @Test
    void aRegisteredFigureIsDeclaredAndComputedWithOurs() {
        try (Scope scope = Scope.open()) {
            Model model = model(200);
            Map<String, Double> found = FigureOfMerit.all(Key.of(3), model);
            assertThat(found).containsKeys("mmd2", "stein", "test_contrast");
            // f = −‖x‖²/2 + const, and the training data lie at 0
            double square = model.heldOut().square().sum().item() / 300;
            assertThat(found.get("test_contrast")).isCloseTo(-square / 2, within(1e-12));
            assertThat(Figure.find("test_contrast")).contains(TestFigures.Contrast.CONTRAST);
            assertThat(TestFigures.Contrast.CONTRAST.verdict(found)).isEqualTo(Verdict.FAIR);
            assertThat(Catalogue.of(FigureOfMerit.class)).containsKeys("mmd2", "stein", "contrast");
        }
    }

    /** Or evaluation.json would differ between two runs of the same bytes: a Map.of has another order in every process. */
    @Test
    void figuresComeInTheOrderInWhichTheyAreDeclared() {
        try (Scope scope = Scope.open()) {
            assertThat(FigureOfMerit.all(Key.of(3), model(200)).keySet())
                    .containsSubsequence("mmd2", "stein", "test_contrast", "test_least", "test_greatest");
        }
    }

    @Test
    void fewSamplesAreTakenWhole() {
        try (Scope scope = Scope.open()) {
            Model model = model(200);
            assertThat(FigureOfMerit.all(Key.of(3), model))
                    .containsEntry("mmd2", MaximumMeanDiscrepancy.squared(model.samples(), model.heldOut()))
                    .containsEntry("stein", SteinDiscrepancy.of(UNIT, model.samples()));
        }
    }

    @Test
    void ofManySamplesTheKeyDrawsSome() {
        try (Scope scope = Scope.open()) {
            Model model = model(1500);
            FigureOfMerit stein = new SteinDiscrepancy();
            assertThat(stein.of(Key.of(3), model)).isEqualTo(stein.of(Key.of(3), model));
            assertThat(stein.of(Key.of(3), model)).isNotEqualTo(stein.of(Key.of(4), model));
            FigureOfMerit mmd = new MaximumMeanDiscrepancy();
            assertThat(mmd.of(Key.of(3), model)).isEqualTo(mmd.of(Key.of(3), model));
            assertThat(mmd.of(Key.of(3), model)).isNotEqualTo(mmd.of(Key.of(4), model));
        }
    }

    @Test
    void samplesThatAreNotOfTheModelAreFarFromIt() {
        try (Scope scope = Scope.open()) {
            Model right = model(500);
            Model wrong = new Model(UNIT, right.samples().plus(2), right.heldOut(), right.training());
            Map<String, Double> good = FigureOfMerit.all(Key.of(3), right);
            Map<String, Double> bad = FigureOfMerit.all(Key.of(3), wrong);
            assertThat(bad.get("stein")).isGreaterThan(10 * good.getOrDefault("stein", Double.NaN));
            assertThat(bad.get("mmd2")).isGreaterThan(10 * Math.abs(good.getOrDefault("mmd2", Double.NaN)));
        }
    }
}
