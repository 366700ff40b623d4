package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.draw.Png;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.TrainListener;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BufferPicturesTest {
    @TempDir
    private Path folder;

    private static final List<String> SMALL = List.of(
            "negatives.steps=1", "train.iterations=9", "train.batch=8", "train.logEvery=2", "train.checkpointEvery=2");

    private static Recipe recipe(String name, String... more) {
        List<String> changes = new ArrayList<>(SMALL);
        changes.addAll(List.of(more));
        return Recipes.load(name, changes);
    }

    private RunFolder train(String name, Recipe recipe, int until) throws IOException {
        return StoppedRun.train(folder.resolve(name), recipe, until);
    }

    private static List<String> names(RunFolder run) throws IOException {
        if (!Files.isDirectory(run.path().resolve("samples"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(run.samples())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** The last is of the end, where a run that goes on has no checkpoint; a stopped run gets the same pictures. */
    @Test
    void areDrawnAtCheckpointsAndTheSameWhenResumed() throws IOException {
        Recipe recipe = recipe("digits-jem-small", "model.short-run.filters=2", "negatives.buffer.size=30");
        RunFolder whole = train("whole", recipe, 9);
        assertThat(names(whole))
                .containsExactly("buffer-000000002.png", "buffer-000000004.png", "buffer-000000009.png");
        assertThat(BufferPictures.read(whole.samples())).containsOnlyKeys(2L, 4L, 9L);
        Png last = BufferPictures.read(whole.samples()).get(9L);
        assertThat(last.width()).isEqualTo(2 + 10 * (5 * 8 + 2)); // ten digits of 8 pixels, five times as large
        assertThat(last.height()).isEqualTo(2 + 3 * (5 * 8 + 2));

        RunFolder stopped = train("stopped", recipe, 7);
        assertThat(names(stopped))
                .containsExactly("buffer-000000002.png", "buffer-000000004.png", "buffer-000000006.png");
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            Runner runner = new Runner(stopped, Device.CPU);
            runner.resume(experiment, List.of(), false);
            runner.train(experiment, new TrainListener() {}, () -> false);
        }
        assertThat(names(stopped)).isEqualTo(names(whole));
        for (String name : names(whole)) {
            assertThat(stopped.samples().resolve(name))
                    .hasSameBinaryContentAs(whole.samples().resolve(name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rings", "digits-time-small"})
    void pointsAndModelsWithoutABufferHaveNone(String name) throws IOException {
        assertThat(names(train(name, recipe(name), 3))).isEmpty();
    }

    /** Of a latent model, whose buffer holds latent vectors, the generator's images; of times, images with any noise. */
    @ParameterizedTest
    @CsvSource({
        "digits-latent-small, contrastive",
        "digits-time-small, conditional-cd",
        "digits-igebm-small, contrastive"
    })
    void everyBufferOfImagesIsDrawn(String name, String objective) throws IOException {
        RunFolder run = train(name, recipe(name, "negatives.buffer={size: 40}", "objective=" + objective), 2);
        Png picture = BufferPictures.read(run.samples()).get(2L);
        assertThat(picture.width()).isEqualTo(2 + 10 * (5 * 8 + 2));
        assertThat(picture.height()).isEqualTo(2 + 4 * (5 * 8 + 2));
    }

    /** Of many times every tenth slot or so is drawn, of a buffer that is smaller than that every one. */
    @Test
    void aBufferOfFewChainsIsDrawnWhole() throws IOException {
        RunFolder run = train(
                "few",
                recipe(
                        "digits-time-small",
                        "time.count=300",
                        "train.batch=2",
                        "negatives={start: batch, kernel: {mala: {stepSize: 0.02}}, steps: 1, buffer: {size: 2}}"),
                2);
        assertThat(BufferPictures.read(run.samples()).get(2L).height()).isEqualTo(2 + 5 * 8 + 2);
    }

    /** However long a run, there are three for each power of ten, and the newest; other files stay. */
    @Test
    void aLongRunKeepsFew() throws IOException {
        Path other = Files.writeString(folder.resolve("buffer-7.png"), "not ours");
        BufferPictures pictures = new BufferPictures(folder, 500);
        Png picture = Png.of(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB));
        for (long step = 500; step <= 123 * 500; step += 500) {
            pictures.add(step, picture);
        }
        assertThat(BufferPictures.read(folder).keySet())
                .containsExactly(500L, 1000L, 2500L, 5000L, 10000L, 25000L, 50000L, 61500L);
        assertThat(other).exists();
    }
}
