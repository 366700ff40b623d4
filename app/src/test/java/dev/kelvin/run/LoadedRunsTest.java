package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.model.Model;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.TrainListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of the command line's recipes as {@link Model} loads them, without their data and recipes. */
class LoadedRunsTest {
    @TempDir
    private Path folder;

    /** Two iterations of a recipe with these settings. */
    private Path train(String recipe, String... settings) throws IOException {
        List<String> few = new ArrayList<>(
                List.of("train.iterations=2", "train.batch=8", "negatives.steps=1", "train.checkpointEvery=2"));
        few.addAll(List.of(settings));
        Recipe chosen = Recipes.load(recipe, few);
        Path path = folder.resolve("run");
        try (Experiment experiment = new Experiment(chosen, Device.CPU)) {
            RunFolder run = RunFolder.create(path, chosen, Provenance.of(experiment, Device.CPU));
            new Runner(run, Device.CPU).train(experiment, new TrainListener() {}, () -> false);
        }
        Files.delete(path.resolve("recipe.yaml"));
        return path;
    }

    @ParameterizedTest
    @ValueSource(strings = {"gmm", "rings-robust"}) // from the buffer; afresh, because its chains walked on (1 − β)f
    void pointsAreScoredAndSampled(String recipe) throws IOException {
        try (Model model = Model.load(train(recipe, "negatives.buffer.size=50"))) {
            assertThat(model.shape()).containsExactly(2L);
            assertThat(model.score(new double[][] {{0, 0}, {1, 1}})).hasSize(2);
            assertThat(model.sample(0, 20)).hasDimensions(20, 2);
            assertThat(model.temperature()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"}) // held as bytes, or as floats
    void imagesWithClassesAreScoredClassifiedAndSampled(String bytes) throws IOException {
        Path run = train(
                "digits-jem-small", "model.short-run.filters=2", "negatives.buffer={size: 40, bytes: " + bytes + "}");
        try (Model model = Model.load(run);
                ImageSet digits = Digits.load()) {
            assertThat(model.range()).contains(new PixelRange(-1, 1));
            assertThat(model.shape()).containsExactly(1L, 8L, 8L);
            assertThat(model.classes()).isEqualTo(Digits.NAMES);
            assertThat(model.score(digits)).hasSize(1797);
            assertThat(model.classify(digits)).hasSize(1797);
            assertThat(model.temperature()).isEqualTo(5e-5);
            double[][] samples = model.sample(0, 30);
            assertThat(samples).hasDimensions(30, 64);
            assertThat(model.classify(samples)).hasSize(30);
        }
    }

    @Test
    void timeJointModelsAreScoredAndSampled() throws IOException {
        Path run = train("digits-time-small");
        try (Model model = Model.load(run);
                ImageSet digits = Digits.load()) {
            assertThat(model.score(digits)).hasSize(1797);
            assertThat(model.classes()).isEmpty();
            assertThat(model.sample(0, 5)).hasDimensions(5, 64).isDeepEqualTo(model.sample(0, 5));
        }
    }

    /** The table itself is gone; rows and samples are in its units all the same. */
    @Test
    void tablesAreScoredAndSampledInTheirUnits() throws IOException {
        Path file = folder.resolve("table.csv");
        StringBuilder text = new StringBuilder("height,weight\n");
        for (int i = 0; i < 200; i++) {
            double turn = i * 0.7;
            text.append(
                    String.format(Locale.ROOT, "%.3f,%.3f%n", 1700 + 90 * Math.sin(turn), 70 + 9 * Math.cos(3 * turn)));
        }
        Files.writeString(file, text);
        Path run = train("table", "data.table.file=" + file, "data.table.advise=false", "negatives.buffer.size=128");
        Files.delete(file);
        try (Model model = Model.load(run)) {
            assertThat(model.columns()).containsExactly("height", "weight");
            assertThat(model.score(new double[][] {{1700, 70}})[0])
                    .isGreaterThan(model.score(new double[][] {{2500, 70}})[0]);
            assertThat(Stream.of(model.sample(0, 50)).map(row -> row[0]))
                    .allSatisfy(height -> assertThat(height).isBetween(1000.0, 2400.0));
            assertThatThrownBy(() -> model.score(new double[][] {{1700}}))
                    .hasMessage("row 0 has 1 value; expected 2: height, weight");
        }
    }
}
