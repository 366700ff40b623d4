package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.train.TrainListener;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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
        List<String> small = List.of(
                "model.short-run.filters=2",
                "negatives.steps=2",
                "train.batch=16",
                "train.iterations=6",
                "train.checkpointEvery=2");
        train("run0", "digits-shortrun", small);
        train(
                "run1",
                "digits-shortrun",
                Stream.concat(small.stream(), Stream.of("train.seed=1")).toList());
        train(
                "rounded",
                "digits-shortrun",
                Stream.concat(small.stream(), Stream.of("train.precision=bfloat16"))
                        .toList());
        train(
                "time",
                "digits-time-cdce",
                List.of(
                        "model={short-run: {filters: 2}}",
                        "time={count: 3, reference: {std: 0.6}, annealing: {steps: 1}}",
                        "negatives.steps=1",
                        "train.batch=8",
                        "optimiser.adam.schedule=constant",
                        "train.iterations=4"));
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

    /** Without judging it, which takes longer than all the rest. */
    private static void train(String name, String recipe, List<String> overrides) throws IOException {
        Recipe chosen = Recipes.load(recipe, overrides);
        try (Experiment experiment = new Experiment(chosen, Device.CPU)) {
            RunFolder run = RunFolder.create(folder.resolve(name), chosen, Provenance.of(experiment, Device.CPU));
            new Runner(run, Device.CPU).train(experiment, new TrainListener() {}, () -> false);
        }
    }

    /** A command as it is typed in the folder, in a process of its own. */
    private static String typed(String command) {
        Kelvin.Finished finished = Kelvin.run(folder, command.split(" "));
        assertThat(finished.exit()).as(finished.err()).isZero();
        return finished.out();
    }

    /** Images are compared by the features' classifier, which is kept where the command is typed. */
    private static JsonNode restore(String command) {
        return JSON.readTree(typed("restore --json " + command));
    }

    /** A command in this process, which starts far sooner; @ is the folder. */
    private static Kelvin.Finished run(String command) {
        return InProcess.run(folder, command.split(" +"));
    }

    private static JsonNode sample(String command) {
        return run("sample", command);
    }

    private static JsonNode run(String verb, String command) {
        Kelvin.Finished finished = run(verb + " --json " + command);
        assertThat(finished.exit()).as(finished.err()).isZero();
        return JSON.readTree(finished.out());
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
        JsonNode results = restore("run0 --inpaint left-half -n 3 --draws 4");
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
        JsonNode again = restore("run0 --inpaint mask.png -n 3 --draws 4 --out new/again.npy --seed 0");
        assertThat(again.path("mse_mean")).isEqualTo(results.path("mse_mean"));
        assertThat(numbers(folder.resolve("new/again.npy"), 12, 1, 8, 8)).containsExactly(drawn);
        JsonNode other = restore("run0 --inpaint left-half -n 3 --draws 4 --seed 1");
        assertThat(other.path("mse_single")).isNotEqualTo(results.path("mse_single"));
    }

    @Test
    void fillsInOnePictureByATimeJointModelOrAnotherKernel() throws IOException {
        JsonNode timed = restore("time --inpaint 0.3 --of one.png --steps 2 --draws 3");
        assertThat(timed.path("images").asInt()).isEqualTo(1);
        assertThat(timed.path("steps").asInt()).isEqualTo(4);
        assertThat(timed.path("acceptance").isNumber()).isTrue();
        numbers(folder.resolve("time/samples/inpainted.npy"), 3, 1, 8, 8);
        JsonNode hmc = restore("run0 --inpaint top-half --of one.png --draws 3 --kernel hmc --steps 3 --out hmc.npy");
        assertThat(hmc.path("acceptance").isNumber()).isTrue();
        numbers(folder.resolve("hmc.npy"), 3, 1, 8, 8);
    }

    @Test
    void denoises() throws IOException {
        JsonNode measured = restore("run0 --denoise 0.2 --add-noise -n 2 --draws 3");
        assertThat(measured.path("mse_noisy").asDouble()).isBetween(0.02, 0.06); // .04
        assertThat(measured.path("mse_mean").isNumber()).isTrue();
        assertThat(measured.path("mse_gaussian_mean").asDouble()).isLessThan(0.03);
        numbers(folder.resolve("run0/samples/denoised.npy"), 6, 1, 8, 8);
        JsonNode given = run("restore", "@time --denoise 0.2 --of @one.png --draws 3");
        assertThat(given.has("mse_mean")).isFalse();
        assertThat(given.path("steps").asInt()).isEqualTo(1); // from the second of three times on
        numbers(folder.resolve("time/samples/denoised.npy"), 3, 1, 8, 8);
    }

    @Test
    void multipliesModels() throws IOException {
        JsonNode results = sample("@run0 --with @run1*0.5 -n 5 --out @both.npy");
        assertThat(results.path("samples").asInt()).isEqualTo(5);
        float[] both = numbers(folder.resolve("both.npy"), 5, 1, 8, 8);
        sample("@run0 --with @run1 -n 5 --out @more.npy");
        assertThat(numbers(folder.resolve("more.npy"), 5, 1, 8, 8)).isNotEqualTo(both);
        JsonNode filled = restore("run0 --with run1 --inpaint left-half --of one.png --draws 2 --out f.npy");
        assertThat(filled.path("mse_mean").isNumber()).isTrue();
        JsonNode chains = run("chains", "@run0 --with @run1 --kernel mala -n 20 --burn-in 2 --chains 2 --out @chains");
        assertThat(chains.path("rhat").isNumber() || chains.path("rhat").isNull())
                .isTrue();
        assertThat(Files.readString(folder.resolve("chains/report.html"))).contains("times that of", "run1");
    }

    @Test
    void samplesAnOlderCheckpointAndScoresOnePicture() throws IOException {
        JsonNode older = sample("@run0 --checkpoint 4 -n 3 --out @older.npy");
        assertThat(older.path("checkpoint").asInt()).isEqualTo(4);
        sample("@run0 -n 3 --out @newest.npy");
        assertThat(numbers(folder.resolve("older.npy"), 3, 1, 8, 8))
                .isNotEqualTo(numbers(folder.resolve("newest.npy"), 3, 1, 8, 8));
        Kelvin.Finished missing = run("sample @run0 --checkpoint 2");
        assertThat(missing.exit()).isEqualTo(REFUSED);
        assertThat(missing.complaint())
                .endsWith("run0 has no checkpoint of step 2; it keeps the last two and the best by its score: 6, 4");
        assertThat(typed("score run0 one.png --checkpoint 4").lines().toList())
                .hasSize(2)
                .last()
                .asString()
                .matches("0,-?[0-9.e-]+,,,,"); // another checkpoint was judged, or none
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            restore @run0 --inpaint left-half --denoise 0.1   | are mutually exclusive
            restore @run0 --add-noise                         | Missing required argument(s): --denoise=SIGMA
            restore @run0                                     | Missing required argument (specify one of these): (--inpaint=MASK
            restore @run0 --denoise 0.1                       | the held-out images have no noise to remove
            restore @run0 --denoise 0 --add-noise             | --denoise must be above 0
            restore @run0 --inpaint left-half --draws 0       | --draws must be at least 1
            restore @run0 --inpaint left-half --chains 4      | Unknown options: '--chains'
            restore @run0 --inpaint nothing                   | there is no mask nothing
            restore @run0 --inpaint left-half --class 3       | knows no classes
            chains @run0 --target banana --kernel hmc         | name a RUN or a --target, not both
            chains --target banana --kernel hmc --with @run0  | --with is for a RUN's model
            chains @run0                                      | Missing required option: '--kernel=KERNEL'
            sample @run0 --burn-in 4                          | Unknown options: '--burn-in', '4'
            sample @run0 --with @run1*x                       | --with takes RUN or RUN*WEIGHT
            sample @run0 --with @none                         | there is no run at
            sample @run0 --with @time                         | black and white are -0.5 and 0.5 there, and -1 and 1
            sample @run0 --checkpoint last                    | --checkpoint takes newest, best or a step
            """)
    void whatDoesNotGoTogetherIsRefused(String command, String why) {
        Kelvin.Finished finished = run(command);
        assertThat(finished.exit()).isIn(ExitCode.USAGE, REFUSED);
        assertThat(finished.err()).contains(why);
    }

    @ParameterizedTest
    @CsvSource({
        "chains @rounded --kernel mala -n 12, true",
        "restore @rounded --inpaint left-half --kernel mala, true",
        "chains @run0 --with @rounded --kernel hmc -n 12, true",
        "sample @run0 --with @rounded -n 4, false"
    })
    void anAcceptRejectStepNeedsDigits(String command, boolean refused) {
        Kelvin.Finished finished = run(command);
        assertThat(finished.exit()).as(finished.err()).isEqualTo(refused ? REFUSED : ExitCode.OK);
        assertThat(finished.err().contains("cannot sample digits-shortrun, whose f has three digits"))
                .isEqualTo(refused);
    }
}
