package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.dataset.GaussianFile;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.model.Model;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance.Change;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.yaml.UserException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where chains begin of a run whose model is loaded. */
class RunStartsTest {
    private static final long[] CLASSES = {1, 0, 1};

    @TempDir
    private Path folder;

    /** Two classes of 20 pictures each, of different brightness. */
    private Path pictures() throws IOException {
        RandomGenerator random = Key.of(3).stream();
        for (int i = 0; i < 40; i++) {
            BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_BYTE_GRAY);
            for (int at = 0; at < 64; at++) {
                image.getRaster().setSample(at % 8, at / 8, 0, 100 * (i % 2) + random.nextInt(100));
            }
            Path file = folder.resolve("set/" + (i % 2 == 0 ? "dark" : "light") + "/" + i + ".png");
            Files.createDirectories(file.getParent());
            ImageIO.write(image, "png", file.toFile());
        }
        return folder.resolve("set");
    }

    /** Gaussians of classes come from their file, as long as the data on record are those of the run. */
    @Test
    void gaussiansOfClassesAreDrawnWithoutTheData() throws IOException {
        Path set = pictures();
        String text = """
                data: {images: {set: "SET", grey: true, low: -1, high: 1}}
                model: {short-run: {filters: 2}}
                classes: head
                negatives: {start: class-gaussian, kernel: {langevin: {stepSize: 0.01}}, steps: 1}
                objective: cd-ce
                optimiser: {adam: {learningRate: 1e-3}}
                train: {iterations: 4, batch: 8}
                """.replace("SET", set.toString());
        Recipe recipe = Recipes.parse("a.yaml", text, List.of());
        try (Scope scope = Scope.open();
                Experiment whole = new Experiment(recipe, Device.CPU)) {
            RunFolder run = RunFolder.create(folder.resolve("run"), recipe, Provenance.of(whole, Device.CPU));
            Path fitted = GaussianFile.path(set.toString(), whole.data().hash(), true);
            try {
                float[] expected =
                        whole.model().starts().drawGiven(Key.of(1), CLASSES).toFloats();
                assertThat(fitted).exists();
                delete(set);
                Model.DataStarts starts = new RunStarts(run, moved -> moved, whole.card(), Device.CPU, false);
                assertThat(starts.of(recipe.negatives().start())
                                .drawGiven(Key.of(1), CLASSES)
                                .toFloats())
                        .isEqualTo(expected);

                // as the model sees images: a draw's mean lies in [−1, 1], and near the class's
                double mean = whole.model()
                        .starts()
                        .drawGiven(Key.of(2), new long[500])
                        .mean()
                        .item();
                double data = whole.positives()
                        .drawGiven(Key.of(2), new long[500])
                        .mean()
                        .item();
                assertThat(mean).isCloseTo(data, within(0.02));

                // others were accepted: the first hash is no longer that of the data, which are opened, and are gone
                Provenance accepted = Provenance.read(run.provenance())
                        .accepting(List.of(new Change("the data", whole.data().hash())));
                run.write(accepted);
                assertThatThrownBy(() -> starts.of(recipe.negatives().start()))
                        .isInstanceOf(UserException.class)
                        .hasMessageContaining(set.toString());
            } finally {
                Files.deleteIfExists(fitted);
            }
        }
    }

    private static void delete(Path set) throws IOException {
        try (Stream<Path> files = Files.walk(set)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
