package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.ImageJudge;
import dev.kelvin.judge.Judge;
import dev.kelvin.judge.PlaneJudge;
import dev.kelvin.judge.component.ComponentJudge.Measured;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.recipe.ImageFigures;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What scores are compared with, of models of the plane and of images. */
class HeldOutReferenceTest {

    private static Evaluation figures(double lower, double upper) {
        return new Evaluation(
                Map.of(ModelFigures.LOG_Z_LOWER.name(), lower, ModelFigures.LOG_Z_UPPER.name(), upper),
                Map.of(),
                List.of());
    }

    /** log p of the plane's points is f less log of the sum over a grid: its exponential has the sum 1. */
    @Test
    void thePlanesDensityIsNormalised() {
        Recipe recipe = Recipes.load("rings", List.of());
        try (Experiment experiment = new Experiment(recipe, Device.CPU);
                Scope scope = Scope.open()) {
            PlaneJudge judge = (PlaneJudge) Judge.of(experiment).measured();
            HeldOutReference reference = judge.reference(figures(0, 0), 7).orElseThrow();
            assertThat(reference.step()).isEqualTo(7);
            assertThat(reference.heldOut()).hasSize(PlaneJudge.HELD_OUT);
            assertThat(reference.quantile(Double.NEGATIVE_INFINITY)).isEqualTo(1.0 / (1 + PlaneJudge.HELD_OUT));
            boolean whole = judge.model().edgeMass() < 0.01;
            assertThat(reference.logNormaliser().isPresent()).isEqualTo(whole);
            // an untrained model is flat, and so is beyond the edge what a trained one is not
            assertThat(whole).isFalse();
            double f = experiment
                    .model()
                    .logDensity()
                    .at(Tensors.of(new float[] {0, 0}, 1, 2))
                    .item();
            assertThat(judge.model().logNormaliser()).isCloseTo(f + Math.log(area(judge)), within(3.0)); // nearly flat
        }
    }

    private static double area(PlaneJudge judge) {
        var box = judge.toy().domain();
        return (box.xMax() - box.xMin()) * (box.yMax() - box.yMin());
    }

    /** Only a pinned time-joint model has a normaliser, and only where its bounds agree. */
    @Test
    void imagesHaveQuantilesAndFewHaveLikelihoods() {
        List<String> small = List.of(
                "model={short-run: {filters: 2}}",
                "time={count: 3, reference: {std: 0.6}, annealing: {steps: 1}}",
                "negatives.steps=1",
                "train.batch=8",
                "optimiser.adam.schedule=constant");
        try (Experiment experiment = new Experiment(Recipes.load("digits-time-cdce", small), Device.CPU)) {
            ImageDataset data = (ImageDataset) experiment.data();
            Map<String, double[]> f = Map.of(ImageJudge.TEST, new double[] {3, 1, 2});
            ImageJudge judge =
                    new ImageJudge(experiment, data, f, Measured.NONE, ImageFigures.DEFAULT, Optional.empty());
            HeldOutReference known = judge.reference(figures(-0.1, 0.3), 5).orElseThrow();
            assertThat(known.heldOut()).containsExactly(1, 2, 3);
            assertThat(known.logDensity(2).orElseThrow()).isCloseTo(2 - 0.1, within(1e-12));
            assertThat(judge.reference(figures(-0.5, 0.3), 5).orElseThrow().logNormaliser())
                    .isEmpty();
            assertThat(judge.reference(new Evaluation(Map.of(), Map.of(), List.of()), 5)
                            .orElseThrow()
                            .logNormaliser())
                    .isEmpty();
            Map<String, double[]> broken = Map.of(ImageJudge.TEST, new double[] {3, Double.NaN});
            assertThat(new ImageJudge(experiment, data, broken, Measured.NONE, ImageFigures.DEFAULT, Optional.empty())
                            .reference(figures(0, 0), 5))
                    .isEmpty();
        }
        List<String> plain = List.of("model.short-run.filters=2", "train.batch=8");
        try (Experiment experiment = new Experiment(Recipes.load("digits-shortrun", plain), Device.CPU)) {
            ImageJudge judge = new ImageJudge(
                    experiment,
                    (ImageDataset) experiment.data(),
                    Map.of(ImageJudge.TEST, new double[] {1}),
                    Measured.NONE,
                    ImageFigures.DEFAULT,
                    Optional.empty());
            assertThat(judge.reference(figures(0, 0), 5).orElseThrow().logNormaliser())
                    .isEmpty();
        }
    }
}
