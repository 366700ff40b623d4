package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.ImageKind;
import dev.kelvin.judge.Judge;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Safetensors;
import dev.kelvin.train.TrainListener;
import dev.kelvin.yaml.RecipeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models of colour images, judged by a ResNet of depth 8 with random weights from a file. */
class PretrainedEvaluationTest {
    private static final int IMAGES = 40;
    private static final int HELD_OUT = 24;
    private static final int PIXELS = 3 * 32 * 32;

    @TempDir
    private Path folder;

    private Path images;
    private Path network;

    @BeforeEach
    void write() throws IOException {
        images = Files.createDirectories(folder.resolve("colours"));
        Files.write(images.resolve("data_batch_1.bin"), records(1, IMAGES));
        Files.write(images.resolve("test_batch.bin"), records(2, HELD_OUT));
        network = folder.resolve("resnet8.safetensors");
        Map<String, Tensor> weights = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            addNormed(weights, "", 1, 3, 2);
            for (int stage = 1; stage <= 3; stage++) {
                int width = 1 << stage;
                addNormed(weights, "layer" + stage + ".0.", 1, stage == 1 ? width : width / 2, width);
                addNormed(weights, "layer" + stage + ".0.", 2, width, width);
            }
            weights.put("linear.weight", uniform(weights, -2, 2, 10, 8));
            weights.put("linear.bias", uniform(weights, -1, 1, 10));
            Safetensors.write(network, weights, Map.of());
        }
    }

    /** CIFAR-10's binary version: a label, then the pixels; each class has a brightness of its own. */
    private static byte[] records(int seed, int count) {
        RandomGenerator random = Key.of(seed).stream();
        byte[] bytes = new byte[count * (1 + PIXELS)];
        for (int i = 0; i < bytes.length; i++) {
            int image = i / (1 + PIXELS);
            bytes[i] = (byte) (i % (1 + PIXELS) == 0 ? image % 10 : 15 * (image % 10) + random.nextInt(100));
        }
        return bytes;
    }

    private static void addNormed(Map<String, Tensor> weights, String prefix, int number, int from, int to) {
        weights.put(prefix + "conv" + number + ".weight", uniform(weights, -0.7, 0.7, to, from, 3, 3));
        weights.put(prefix + "bn" + number + ".weight", uniform(weights, 0.5, 1.5, to));
        weights.put(prefix + "bn" + number + ".bias", uniform(weights, 0, 0.5, to));
        weights.put(prefix + "bn" + number + ".running_mean", uniform(weights, -0.5, 0.5, to));
        weights.put(prefix + "bn" + number + ".running_var", uniform(weights, 0.5, 1.5, to));
    }

    private static Tensor uniform(Map<String, Tensor> before, double low, double high, long... shape) {
        return Tensors.uniform(Key.of(before.size()), low, high, DType.FLOAT, Device.CPU, shape);
    }

    private Recipe recipe(String name, String... more) {
        List<String> changes = new ArrayList<>(List.of(
                "data.images.set=" + images,
                "negatives.steps=1",
                "train.iterations=2",
                "train.batch=8",
                "train.figures.features=" + network,
                "train.figures.samples=20"));
        changes.addAll(List.of(more));
        return Recipes.load(name, changes);
    }

    private Evaluation evaluated(String run, Recipe recipe) throws IOException {
        return evaluated(run, recipe, Optional.empty(), OptionalInt.empty());
    }

    private Evaluation evaluated(String run, Recipe recipe, Optional<Path> features, OptionalInt samples)
            throws IOException {
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            RunFolder there = RunFolder.create(folder.resolve(run), recipe, Provenance.of(experiment, Device.CPU));
            Runner runner = new Runner(there, Device.CPU);
            runner.train(experiment, new TrainListener() {}, () -> false);
            Judge judge = Judge.of(experiment)
                    .with(features, samples, Optional.empty())
                    .measured();
            return runner.evaluate(experiment, judge, 2, WorkListener.SILENT);
        }
    }

    @Test
    void everyKindOfImagesIsMeasuredByAsManyAndTheSameInEveryRun() throws IOException {
        Recipe recipe = recipe("digits-jem-small", "model.short-run.filters=2");
        Evaluation first = evaluated("first", recipe);
        Map<String, Double> figures = first.figures();
        assertThat(ImageKind.in(figures)).containsExactly(ImageKind.values());
        for (ImageKind kind : ImageKind.values()) {
            assertThat(figures).containsEntry(kind.count().name(), 20.0);
            assertThat(figures.get(kind.fid().name())).isPositive().isFinite();
            assertThat(figures.get(kind.kid().name())).isFinite();
            assertThat(figures.get(kind.score().name())).isBetween(1.0, 10.0);
            kind.share()
                    .ifPresent(share -> assertThat(figures)
                            .containsEntry(share.name(), figures.get(kind.fid().name()) / figures.get("fid_gaussian")));
        }
        assertThat(figures.get("fid_test")).isLessThan(figures.get("fid")); // images against two steps from noise
        assertThat(figures).containsEntry("n_class", 500.0);
        assertThat(figures.get("class_sample_accuracy")).isBetween(0.0, 1.0);
        assertThat(first.notes().get("features"))
                .startsWith("10-class ResNet-8 with 8 features, resnet8.safetensors sha256:");
        assertThat(first.notes().get("comparable")).startsWith("none of FID, KID and Inception score");
        assertThat(folder.resolve("features")).doesNotExist(); // nothing was trained
        assertThat(evaluated("second", recipe)).isEqualTo(first);
    }

    @Test
    void theCommandsFileAndNumberComeBeforeTheRecipes() throws IOException {
        Recipe recipe = recipe("digits-shortrun-small", "model.short-run.filters=2");
        Path other = folder.resolve("other.safetensors");
        Files.copy(network, other);
        Evaluation evaluation = evaluated("run", recipe, Optional.of(other), OptionalInt.of(12));
        assertThat(evaluation.notes().get("features")).contains("other.safetensors");
        assertThat(ImageKind.in(evaluation.figures()))
                .containsExactly(ImageKind.FRESH, ImageKind.GAUSSIAN, ImageKind.TEST); // it has no replay buffer
        assertThat(evaluation.figures())
                .containsEntry("n", 12.0)
                .containsEntry("n_gaussian", 12.0)
                .containsEntry("n_test", 12.0);
        assertThat(evaluation.notes()).containsEntry("accuracy_of", "the feature classifier, on the held-out images");
    }

    /** No more than there are: of training images, of chains in the buffer, of held-out images. */
    @Test
    void thereAreNoMoreImagesThanThereAre() throws IOException {
        Recipe recipe = recipe(
                "digits-jem-small",
                "model.short-run.filters=2",
                "negatives.buffer.size=16",
                "train.figures.samples=1000");
        Map<String, Double> figures = evaluated("run", recipe).figures();
        assertThat(figures)
                .containsEntry("n", 1.0 * IMAGES)
                .containsEntry("n_gaussian", 1.0 * IMAGES)
                .containsEntry("n_buffer", 16.0)
                .containsEntry("n_test", 1.0 * HELD_OUT);
        // of fewer images FID is higher, and so is the Gaussian's that it is divided by
        assertThat(figures.get("fid_buffer_share")).isLessThan(figures.get("fid_buffer") / figures.get("fid_gaussian"));
        assertThat(figures.get("fid_test_share")).isLessThan(figures.get("fid_test") / figures.get("fid_gaussian"));
    }

    @Test
    void theCurveOfTrainingIsByTheSameNetwork() throws IOException {
        Recipe recipe = recipe(
                "digits-jem-small", "model.short-run.filters=2", "train.judgeEvery=1", "train.figures.chains=20");
        evaluated("curve", recipe);
        List<MetricsLog.Line> curve = new MetricsLog(folder.resolve("curve").resolve("metrics.jsonl"))
                .read().stream()
                        .filter(line -> line.values().containsKey("fid_buffer"))
                        .toList();
        assertThat(curve).extracting(MetricsLog.Line::step).containsExactly(1L, 2L);
        assertThat(curve.get(0).values()).containsOnlyKeys("fid_buffer", "is_buffer", "buffer_unlikely");
        assertThat(folder.resolve("features")).doesNotExist();
    }

    @Test
    void aLatentPriorsSamplesAreMeasuredToo() throws IOException {
        Recipe recipe = recipe("digits-latent-small", "latent.generator.widths=[2,2,2]", "latent.posterior.steps=1");
        assertThat(evaluated("latent", recipe).figures())
                .containsKeys("fid", "fid_without_prior", "fid_gaussian", "fid_test")
                .containsEntry("n", 20.0);
    }

    @Test
    void aFileOfAnotherNetworkIsRefusedBeforeTraining() throws IOException {
        Recipe recipe = recipe("digits-shortrun-small", "model.short-run.filters=2");
        try (Scope scope = Scope.open()) {
            Safetensors.write(network, Map.of("conv1.weight", Tensors.of(new float[] {1}, 1)), Map.of());
        }
        assertThatThrownBy(() -> evaluated("run", recipe))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageContaining("missing bn1.weight");
        assertThat(folder.resolve("run").resolve("metrics.jsonl")).doesNotExist();
    }

    @Test
    void onlyImagesHaveFeatures() throws IOException {
        assertThatThrownBy(() -> Recipes.load("rings", List.of("train.figures.features=" + network)))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("train.figures.features names a network that judges images");
        assertThatThrownBy(() -> Recipes.load("digits-jem", List.of("train.figures.samples=1")))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("samples must be at least 2");
        try (Experiment experiment = new Experiment(Recipes.named("rings"), Device.CPU)) {
            Judge judge = Judge.of(experiment);
            assertThatThrownBy(() -> judge.with(Optional.empty(), OptionalInt.of(5), Optional.empty()))
                    .hasMessageContaining("--samples is for models of images");
        }
    }
}
