package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.judge.Attack;
import dev.kelvin.judge.ImageJudge;
import dev.kelvin.judge.Judge;
import dev.kelvin.judge.OutOfDistributionEvaluation;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.ProjectedGradient.Norm;
import dev.kelvin.metric.Scores;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.panel.ImageScorePanel;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A joint energy model of digits, trained for seconds: what it says of images, and what it draws when a class is asked for. */
class JointModelTest {
    private static final WorkListener SILENT = (work, done, of) -> {};

    @TempDir
    private static Path folder;

    private static Experiment jem;

    private static Recipe recipe(String components, String kernel, String objective, String more) {
        return Recipes.parse("a.yaml", """
                %sdata: {images: {set: digits, noise: 0.03}}
                model: {short-run: {filters: 8}}
                negatives: {start: {uniform: {}}, kernel: %s, steps: 10%s}
                objective: %s
                optimiser: {adam: {learningRate: 1e-3}}
                train: {iterations: 150, batch: 64, checkpointEvery: 150, ema: 0.9}
                """.formatted(components, kernel, more, objective), List.of());
    }

    @BeforeAll
    static void train() throws IOException {
        jem = new Experiment(
                recipe(
                        "classes: head\n",
                        "{langevin: {stepSize: 1, noise: 0.01}}",
                        "{cd-ce: {}}",
                        ", buffer: {size: 500}"),
                Device.CPU);
        new Trainer(
                        jem.trainerSettings(),
                        jem.batches(),
                        jem.learner(),
                        new Checkpoints(folder),
                        Optional.empty(),
                        new TrainListener() {},
                        System::nanoTime)
                .run(() -> false);
    }

    @AfterAll
    static void close() {
        jem.close();
    }

    private static ImageDataset data() {
        return (ImageDataset) jem.data();
    }

    /** Checkpoints are compared by the held-out error, where p(y|x) is learnt. */
    @Test
    void checkpointsAreScoredByTheirError() {
        CheckpointMetric score = Judge.of(jem).score().orElseThrow();
        double accuracy = ComponentJudge.of(jem)
                .evaluate(Map::of)
                .calibration()
                .orElseThrow()
                .accuracy();
        assertThat(score.figure().name()).isEqualTo("error");
        assertThat(score.value().getAsDouble()).isEqualTo(1 - accuracy).isLessThan(0.5);
        try (Experiment given = new Experiment(
                recipe("classes: head\n", "{langevin: {stepSize: 1}}", "{contrastive: {}}", ""), Device.CPU)) {
            assertThat(Judge.of(given).score()).isEmpty();
        }
    }

    @Test
    void attacksLowerTheAccuracyTheMoreTheLargerTheyAre() {
        Attack attack = new Attack(List.of(Norm.LINF, Norm.L2), List.of(0.2, 0.05), 3, 200);
        Map<String, Double> figures = attack.figures(jem, data(), SILENT);
        assertThat(figures.keySet())
                .containsExactly(
                        "accuracy_linf_0",
                        "accuracy_linf_refined_0",
                        "accuracy_linf_0.05",
                        "accuracy_linf_refined_0.05",
                        "accuracy_linf_0.2",
                        "accuracy_linf_refined_0.2",
                        "accuracy_l2_0",
                        "accuracy_l2_refined_0",
                        "accuracy_l2_0.05",
                        "accuracy_l2_refined_0.05",
                        "accuracy_l2_0.2",
                        "accuracy_l2_refined_0.2",
                        "accuracy_refined");
        double plain = Objects.requireNonNull(figures.get("accuracy_linf_0"));
        double little = Objects.requireNonNull(figures.get("accuracy_linf_0.05"));
        double much = Objects.requireNonNull(figures.get("accuracy_linf_0.2"));
        assertThat(plain).isGreaterThan(0.8);
        assertThat(little).isLessThan(plain);
        assertThat(much).isLessThan(plain / 2).isLessThan(little);
        assertThat(figures.get("accuracy_l2_0.2")).isLessThan(plain).isGreaterThan(much); // a far smaller ball
        assertThat(ImageScorePanel.attacks(figures)).hasSize(2);
        assertThat(figures.get("accuracy_refined")).isEqualTo(figures.get("accuracy_l2_refined_0"));
    }

    @Test
    void refinementMovesImagesUpwards() {
        try (Scope scope = Scope.open()) {
            Tensor x = data().learnt(data().test().images(0, 1, 2, 3));
            Tensor same = jem.model()
                    .sampler()
                    .draw(SampleRequest.refined(Key.of(1), x, 0))
                    .x();
            assertThat(same.toFloats()).isEqualTo(x.toFloats());
            double[] before = jem.model().logDensity().at(x).toDoubles();
            double[] after = jem.model()
                    .logDensity()
                    .at(jem.model()
                            .sampler()
                            .draw(SampleRequest.refined(Key.of(1), x, 5))
                            .x())
                    .toDoubles();
            for (int i = 0; i < before.length; i++) { // at T = 5e-5 there is next to no noise
                assertThat(after[i]).isGreaterThan(before[i]);
            }
        }
    }

    @Test
    void aClassThatIsAskedForIsDrawn() {
        try (Scope scope = Scope.open()) {
            long[] k = {3, 3, 3, 7, 7, 0, 1, 2};
            int steps = 10 * jem.model().sampler().traits().factorOfGiven();
            assertThat(steps).isEqualTo(30);
            Tensor x = jem.model()
                    .sampler()
                    .draw(SampleRequest.given(Key.of(1), steps, k))
                    .x();
            Scores scores = Scores.of(jem.model().joint(), x, OodScore.F);
            for (int i = 0; i < k.length; i++) {
                assertThat(scores.predicted(i)).isEqualTo((int) k[i]);
            }
        }
    }

    /** Chains that take no step say where they start. */
    @Test
    void chainsOfAClassStartInTheBufferWhereItHasThem() {
        try (Scope scope = Scope.open()) {
            Tensor chains = jem.model().buffer().orElseThrow().chains();
            Scores of = Scores.of(jem.model().joint(), chains, OodScore.F);
            int threes = 0;
            for (int i = 0; i < chains.size(0); i++) {
                threes += of.predicted(i) == 3 ? 1 : 0;
            }
            assertThat(threes).isPositive();
            long[] k = new long[threes + 2];
            Arrays.fill(k, 3);
            Tensor starts = jem.model()
                    .sampler()
                    .draw(SampleRequest.given(Key.of(2), 0, k))
                    .x();
            double[] nearest = starts.flattenSamples()
                    .to(DType.DOUBLE)
                    .distances(chains.flattenSamples().to(DType.DOUBLE))
                    .toDoubles();
            int held = (int) chains.size(0);
            int fresh = 0;
            boolean[] taken = new boolean[held];
            for (int i = 0; i < k.length; i++) {
                int slot = -1;
                for (int j = 0; j < held; j++) {
                    slot = nearest[i * held + j] < 1e-6 ? j : slot;
                }
                if (slot < 0) {
                    fresh++;
                } else {
                    assertThat(of.predicted(slot)).isEqualTo(3);
                    assertThat(taken[slot]).isFalse();
                    taken[slot] = true;
                }
            }
            assertThat(fresh).isEqualTo(2);
        }
    }

    @Test
    void imagesOfOtherKindsAreToldApartByThreeScores() {
        Map<String, Double> figures =
                OutOfDistributionEvaluation.figures(jem, data(), List.of(ImageJudge.NOISE), Set.of(ImageJudge.NOISE));
        for (String kind : List.of("gaussian", "inverted", "shuffled", "interpolated", "grey")) {
            for (String score : List.of("", "_maxp", "_gradient")) {
                for (String figure : List.of("auroc", "aupr", "fpr95")) {
                    assertThat(figures.get(figure + score + "_" + kind)).isBetween(0.0, 1.0);
                }
            }
        }
        assertThat(figures)
                .containsKey("auroc_maxp_noise")
                .doesNotContainKey("auroc_noise")
                .hasSize(5 * 9 + 6);
        assertThat(figures.get("auroc_inverted")).isGreaterThan(0.9);
        assertThat(ImageScorePanel.outOfDistribution(figures).rows()).hasSize(6);
    }

    @Test
    void madeImagesAreWhatTheyAreCalled() {
        try (Scope scope = Scope.open()) {
            Tensor held = Tensors.uniform(Key.of(1), 0, 1, DType.DOUBLE, Device.CPU, 5, 3, 2, 2);
            Map<String, Tensor> made = OutOfDistributionEvaluation.made(Key.of(2), held);
            double[] x = held.toDoubles();
            double[] inverted = Objects.requireNonNull(made.get("inverted")).toDoubles();
            double[] mixed = Objects.requireNonNull(made.get("interpolated")).toDoubles();
            double[] grey = Objects.requireNonNull(made.get("grey")).toDoubles();
            double[] shuffled = Objects.requireNonNull(made.get("shuffled")).toDoubles();
            for (int i = 0; i < x.length; i++) {
                assertThat(inverted[i]).isCloseTo(1 - x[i], within(1e-12));
                assertThat(mixed[i]).isCloseTo((x[i] + x[(i + 12) % 60]) / 2, within(1e-12));
                assertThat(grey[i]).isEqualTo(grey[i / 12 * 12]);
            }
            assertThat(grey[0]).isNotEqualTo(grey[12]);
            assertThat(shuffled).isNotEqualTo(x);
            for (int from = 0; from < x.length; from += 4) { // a channel's pixels are the same ones
                double[] before = Arrays.copyOfRange(x, from, from + 4);
                double[] after = Arrays.copyOfRange(shuffled, from, from + 4);
                Arrays.sort(before);
                Arrays.sort(after);
                assertThat(after).isEqualTo(before);
            }
            assertThat(made.values())
                    .allSatisfy(images -> assertThat(images.shape()).containsExactly(5, 3, 2, 2));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''              | {langevin: {stepSize: 1, noise: 0.01}} | contrastive   | knows no classes
            'classes: head' | {svgd: {stepSize: 0.1}}                | {cd-ce: {}}   | push each other
            """)
    void whatCanNotBeRefinedIsRefused(String components, String kernel, String objective, String why) {
        String line = components.isEmpty() ? "" : components + "\n";
        try (Experiment other = new Experiment(recipe(line, kernel, objective, ""), Device.CPU)) {
            Attack attack = new Attack(List.of(), List.of(), 3, 20);
            assertThatThrownBy(() -> attack.figures(other, (ImageDataset) other.data(), SILENT))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(why);
        }
    }
}
