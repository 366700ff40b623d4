package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.tensor.Npy;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a trained model is used for: filling in and denoising images, products of models, older checkpoints, one image. */
class UsesIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int REFUSED = 3;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void train() throws IOException {
        for (String seed : List.of("0", "1")) {
            done(
                    "train",
                    "digits-shortrun",
                    "--out",
                    "run" + seed,
                    "--seed",
                    seed,
                    "--set=model.short-run.filters=2",
                    "--set=negatives.steps=2",
                    "--set=train.batch=16",
                    "--set=train.iterations=6",
                    "--set=train.checkpointEvery=2");
        }
        done(
                "train",
                "digits-time-cdce",
                "--out",
                "time",
                "--set=model={short-run: {filters: 2}}",
                "--set=time={count: 3, reference: {std: 0.6}, annealing: {steps: 1}}",
                "--set=negatives.steps=1",
                "--set=train.batch=8",
                "--set=optimiser.adam.schedule=constant",
                "--set=train.iterations=4");
        try (ImageSet digits = Digits.load();
                Scope scope = Scope.open()) {
            BufferedImage one = new BufferedImage(8, 8, BufferedImage.TYPE_BYTE_GRAY);
            BufferedImage mask = new BufferedImage(8, 8, BufferedImage.TYPE_BYTE_GRAY);
            long[] pixels = digits.pixels().narrow(0, 5, 1).toLongs();
            for (int i = 0; i < 64; i++) {
                one.getRaster().setSample(i % 8, i / 8, 0, Math.round(pixels[i] * 255 / 16f));
                mask.getRaster().setSample(i % 8, i / 8, 0, i % 8 < 4 ? 255 : 0);
            }
            ImageIO.write(one, "png", folder.resolve("one.png").toFile());
            ImageIO.write(mask, "png", folder.resolve("mask.png").toFile());
        }
    }

    private static String done(String... words) {
        Kelvin.Finished finished = Kelvin.run(folder, words);
        assertThat(finished.exit()).as(finished.err()).isZero();
        return finished.out();
    }

    private static JsonNode sample(String... more) {
        List<String> words = new ArrayList<>(List.of("sample", "--json"));
        words.addAll(List.of(more));
        return JSON.readTree(done(words.toArray(String[]::new)));
    }

    private static float[] numbers(Path file, long... shape) throws IOException {
        try (Scope scope = Scope.open()) {
            Tensor read = Npy.read(file);
            assertThat(read.shape()).containsExactly(shape);
            return read.toFloats();
        }
    }

    @Test
    void fillsInHalfOfHeldOutImages() throws IOException {
        JsonNode results = sample("run0", "--inpaint", "left-half", "-n", "3", "--fillings", "4");
        for (String figure : List.of(
                "mse_mean",
                "mse_single",
                "same_class",
                "mse_gaussian_mean",
                "mse_gaussian_single",
                "same_class_gaussian")) {
            assertThat(results.path(figure).isNumber()).as(figure).isTrue();
        }
        assertThat(results.path("images").asInt()).isEqualTo(3);
        assertThat(results.path("checkpoint").asInt()).isEqualTo(6);
        assertThat(results.path("steps").asInt()).isEqualTo(2);
        Path file = folder.resolve("run0/samples/inpainted.npy");
        float[] drawn = numbers(file, 12, 1, 8, 8);
        for (int i = 0; i < drawn.length; i++) {
            int first = i / 256 * 256 + i % 64; // of the first filling of the same image
            assertThat(drawn[i] == drawn[first]).isEqualTo(i % 8 >= 4 || i % 256 < 64);
        }
        assertThat(folder.resolve("run0/samples/inpainted.png")).isNotEmptyFile();
        assertThat(JSON.readTree(Files.readString(folder.resolve("run0/samples/inpainted.json")))
                        .path("mse_mean"))
                .isEqualTo(results.path("mse_mean"));
        JsonNode again = sample(
                "run0", "--inpaint", "mask.png", "-n", "3", "--fillings", "4", "--out", "new/again.npy", "--seed", "0");
        assertThat(again.path("mse_mean")).isEqualTo(results.path("mse_mean"));
        assertThat(numbers(folder.resolve("new/again.npy"), 12, 1, 8, 8)).containsExactly(drawn);
        JsonNode other = sample("run0", "--inpaint", "left-half", "-n", "3", "--fillings", "4", "--seed", "1");
        assertThat(other.path("mse_single")).isNotEqualTo(results.path("mse_single"));
    }

    @Test
    void fillsInOnePictureByATimeJointModelOrAnotherKernel() throws IOException {
        JsonNode timed = sample("time", "--inpaint", "0.3", "--of", "one.png", "--steps", "2", "--fillings", "3");
        assertThat(timed.path("images").asInt()).isEqualTo(1);
        assertThat(timed.path("steps").asInt()).isEqualTo(4);
        assertThat(timed.path("acceptance").isNumber()).isTrue();
        numbers(folder.resolve("time/samples/inpainted.npy"), 3, 1, 8, 8);
        JsonNode hmc = sample(
                "run0",
                "--inpaint",
                "top-half",
                "--of",
                "one.png",
                "--fillings",
                "3",
                "--kernel",
                "hmc",
                "--steps",
                "3",
                "--out",
                "hmc.npy");
        assertThat(hmc.path("acceptance").isNumber()).isTrue();
        numbers(folder.resolve("hmc.npy"), 3, 1, 8, 8);
    }

    @Test
    void denoises() throws IOException {
        JsonNode measured = sample("run0", "--denoise", "0.2", "--add-noise", "-n", "2", "--draws", "3");
        assertThat(measured.path("mse_noisy").asDouble()).isBetween(0.02, 0.06); // .04
        assertThat(measured.path("mse_mean").isNumber()).isTrue();
        assertThat(measured.path("mse_gaussian_mean").asDouble()).isLessThan(0.03);
        numbers(folder.resolve("run0/samples/denoised.npy"), 6, 1, 8, 8);
        JsonNode given = sample("time", "--denoise", "0.2", "--of", "one.png", "--draws", "3");
        assertThat(given.has("mse_mean")).isFalse();
        numbers(folder.resolve("time/samples/denoised.npy"), 3, 1, 8, 8);
    }

    @Test
    void multipliesModels() throws IOException {
        JsonNode results = sample("run0", "--with", "run1*0.5", "-n", "5", "--out", "both.npy");
        assertThat(results.path("samples").asInt()).isEqualTo(5);
        float[] both = numbers(folder.resolve("both.npy"), 5, 1, 8, 8);
        sample("run0", "--with", "run1", "-n", "5", "--out", "more.npy");
        assertThat(numbers(folder.resolve("more.npy"), 5, 1, 8, 8)).isNotEqualTo(both);
        JsonNode filled = sample(
                "run0", "--with", "run1", "--inpaint", "left-half", "-n", "1", "--fillings", "2", "--out", "f.npy");
        assertThat(filled.path("mse_mean").isNumber()).isTrue();
        JsonNode chains = sample(
                "run0",
                "--with",
                "run1",
                "--kernel",
                "mala",
                "-n",
                "20",
                "--burn-in",
                "2",
                "--chains",
                "2",
                "--out",
                "chains");
        assertThat(chains.path("rhat").isNumber() || chains.path("rhat").isNull())
                .isTrue();
        assertThat(Files.readString(folder.resolve("chains/report.html"))).contains("times that of run1");
    }

    @Test
    void samplesAnOlderCheckpointAndScoresOnePicture() throws IOException {
        JsonNode older = sample("run0", "--checkpoint", "4", "-n", "3", "--out", "older.npy");
        assertThat(older.path("checkpoint").asInt()).isEqualTo(4);
        sample("run0", "-n", "3", "--out", "newest.npy");
        assertThat(numbers(folder.resolve("older.npy"), 3, 1, 8, 8))
                .isNotEqualTo(numbers(folder.resolve("newest.npy"), 3, 1, 8, 8));
        Kelvin.Finished missing = Kelvin.run(folder, "sample", "run0", "--checkpoint", "2");
        assertThat(missing.exit()).isEqualTo(REFUSED);
        assertThat(missing.complaint())
                .endsWith("run0 has no checkpoint of step 2; it keeps the last two and the best by its score: 6, 4");
        assertThat(done("score", "run0", "one.png", "--checkpoint", "4").lines().toList())
                .hasSize(2)
                .last()
                .asString()
                .matches("0,-?[0-9.E-]+,-?[0-9.E-]+");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --inpaint left-half --denoise 0.1        | --inpaint and --denoise are two things: name one
            --add-noise                              | --add-noise goes with --denoise
            --denoise 0.1                            | the held-out images have no noise to remove
            --of one.png                             | --of goes with --inpaint or --denoise
            --fillings 3                             | --fillings goes with --inpaint or --denoise
            --denoise 0 --add-noise                  | --denoise must be above 0
            --inpaint left-half --fillings 0         | --fillings must be at least 1
            --inpaint left-half --chains 4           | --chains cannot be combined with --inpaint or --denoise
            --burn-in 4                              | --burn-in goes with --kernel
            --inpaint nothing                        | there is no mask nothing
            --inpaint left-half --class 3            | knows no classes
            --with FOLDER/run1*x                     | --with takes RUN or RUN*WEIGHT
            --with FOLDER/none                       | there is no run at
            --with FOLDER/time                       | black and white are -0.5 and 0.5 there, and -1 and 1
            --checkpoint last                        | --checkpoint takes newest, best or a step
            """)
    void whatDoesNotGoTogetherIsRefused(String options, String why) {
        StringWriter err = new StringWriter();
        List<String> words =
                new ArrayList<>(List.of("sample", folder.resolve("run0").toString()));
        words.addAll(List.of(options.replace("FOLDER", folder.toString()).split(" +")));
        int exit = Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .execute(words.toArray(String[]::new));
        assertThat(exit).isIn(Main.USAGE, REFUSED);
        assertThat(err.toString()).contains(why);
    }

    @Test
    void aTargetHasNoImages() {
        Kelvin.Finished wrong =
                Kelvin.run(folder, "sample", "--target", "banana", "--kernel", "hmc", "--inpaint", "left-half");
        assertThat(wrong.err()).contains("--inpaint, --denoise and --with are for a RUN's model");
    }
}
