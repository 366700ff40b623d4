package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Models of images through the real command line. */
class ImagesIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int ITERATIONS = 12;

    @TempDir
    private Path folder;

    private static String[] tiny(String run, int iterations) {
        List<String> words = new ArrayList<>(List.of("train", "digits-shortrun", "--json", "--out", run));
        words.addAll(List.of(
                "--set=model.short-run.filters=2",
                "--set=negatives.steps=2",
                "--set=train.batch=16",
                "--set=data.images.augment=[{crop: {padding: 1}}, flip]",
                "--set=train.iterations=" + iterations));
        return words.toArray(String[]::new);
    }

    @Test
    void trainsJudgesResumesAndSamples() throws IOException {
        Kelvin.Finished whole = Kelvin.run(folder, tiny("whole", ITERATIONS));
        assertThat(whole.exit()).as(whole.err()).isZero();
        JsonNode figures = JSON.readTree(whole.out());
        for (String name : List.of(
                "fid",
                "kid",
                "is",
                "is_data",
                "fid_gaussian",
                "fid_infinity",
                "n",
                "auroc_noise",
                "accuracy",
                "ece",
                "nll",
                "brier",
                "auroc")) {
            assertThat(figures.path(name).isNumber()).as(name).isTrue();
        }
        assertThat(figures.path("features").asString()).contains("64 features of a classifier of digits");
        assertThat(figures.path("n").asInt()).isEqualTo(1438);
        assertThat(folder.resolve("features/digits.safetensors")).exists();
        Path report = folder.resolve("whole/report.html");
        assertThat(Files.readString(report))
                .contains(
                        "What it samples",
                        "Has it memorised the training images?",
                        "What f says",
                        "The classifier behind FID and KID",
                        "Nothing was logged");
        JsonNode written = JSON.readTree(Files.readString(folder.resolve("whole/evaluation.json")));
        assertThat(written.path("reliability").size()).isEqualTo(15);
        for (String picture : List.of("samples.png", "data.png", "nearest.png", "chain.png", "reliability.png")) {
            assertThat(folder.resolve("whole/samples").resolve(picture)).isNotEmptyFile();
        }

        assertThat(figures.path("fid_buffer").isMissingNode()).isTrue();

        Kelvin.Finished low =
                InProcess.run(folder, "train", "digits-shortrun", "--dry-run", "--set=train.precision=bfloat16");
        assertThat(low.exit()).as(low.err()).isZero();

        Kelvin.Finished sample = InProcess.run(folder, "sample", "@whole", "-n", "30", "--json");
        assertThat(sample.exit()).as(sample.err()).isZero();
        assertThat(folder.resolve("whole/samples/drawn.png")).isNotEmptyFile();

        writeNoise();
        samplesEachClass(); // here, because the features are there by now
        leadsFromNoiseToImages();
        refusesSetsThatAreNotThere();
    }

    /** A time-joint model of images is trained, judged and sampled as any other. */
    private void leadsFromNoiseToImages() throws IOException {
        Kelvin.Finished whole = Kelvin.run(folder, timed("time"));
        assertThat(whole.exit()).as(whole.err()).isZero();
        assertThat(whole.err()).contains("warning: The reference is too narrow: its standard deviation is 0.1");
        JsonNode figures = JSON.readTree(whole.out());
        for (String name : List.of("fid", "acceptance", "step_ratio", "f_held_out")) {
            assertThat(figures.path(name).isNumber()).as(name).isTrue();
        }
        assertThat(Files.readString(folder.resolve("time/report.html")))
                .contains(
                        "annealed from the noise to the data, time by time",
                        "p(t given z): inferred noise level",
                        "Step sizes");

        Kelvin.Finished sample = InProcess.run(folder, "sample", "@time", "-n", "4", "--json");
        assertThat(sample.exit()).as(sample.err()).isZero();
        assertThat(JSON.readTree(sample.out()).path("steps").asInt()).isEqualTo(2);
        Kelvin.Finished longer = InProcess.run(folder, "sample", "@time", "--steps", "9");
        assertThat(longer.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(longer.err()).contains("--steps cannot be combined with a time-joint model");
    }

    private static String[] timed(String run) {
        return new String[] {
            "train",
            "digits-time-cdce",
            "--json",
            "--out",
            run,
            "--set=model={igebm: {widths: [2]}}",
            "--set=time={count: 3, reference: {std: 0.1}, annealing: {steps: 1}}",
            "--set=negatives.steps=1",
            "--set=train.batch=8",
            "--set=optimiser.adam.schedule=constant",
            "--set=train.iterations=4"
        };
    }

    private static String[] classed(String run, int iterations) {
        List<String> words = new ArrayList<>(List.of(tiny(run, iterations)));
        words.set(1, "digits-classes");
        words.addAll(List.of(
                "--set=negatives.start=data",
                "--set=data.images.outOfDistribution=[noise.npy]",
                "--set=negatives.buffer={size: 64, reinitialise: 0.1}",
                "--set=objective.robust.beta=0.1"));
        return words.toArray(String[]::new);
    }

    /** A model with classes judges by its own p(y|x), goes on to the bit, and draws the class that is asked for. */
    private void samplesEachClass() throws IOException {
        Kelvin.Finished whole = Kelvin.run(folder, classed("classes", ITERATIONS));
        assertThat(whole.exit()).as(whole.err()).isZero();
        JsonNode figures = JSON.readTree(whole.out());
        assertThat(figures.path("accuracy_of").asString()).contains("the model's own p(y|x)");
        for (String name : List.of("accuracy", "nll", "brier", "ece", "sample_accuracy")) {
            assertThat(figures.path(name).isNumber()).as(name).isTrue();
        }
        assertThat(Files.readString(folder.resolve("classes/report.html")))
                .contains("Each row of samples is of one class", "Accuracy on class-conditional samples");
        comparesWithOutOfDistributionSetsAndTheBuffer(figures);

        assertThat(Kelvin.run(folder, classed("halfway", ITERATIONS / 2)).exit())
                .isZero();
        Kelvin.Finished rest =
                Kelvin.run(folder, "train", "--resume", "halfway", "--json", "--set=train.iterations=" + ITERATIONS);
        assertThat(rest.exit()).as(rest.err()).isZero();
        assertThat(JSON.readTree(rest.out()).path("fid_buffer").asDouble())
                .isEqualTo(figures.path("fid_buffer").asDouble());

        Kelvin.Finished threes = InProcess.run(folder, "sample", "@classes", "-n", "5", "--class", "3", "--json");
        assertThat(threes.exit()).as(threes.err()).isZero();
        assertThat(labels(threes)).containsExactly(3, 3, 3, 3, 3);
        Kelvin.Finished all = InProcess.run(folder, "sample", "@classes", "-n", "12", "--json");
        assertThat(labels(all)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1);

        Kelvin.Finished eleven = InProcess.run(folder, "sample", "@classes", "--class", "ten");
        assertThat(eleven.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(eleven.complaint()).contains("there is no class 'ten'; there are 0, 1, 2", "numbered from 0 to 9");
        Kelvin.Finished none = InProcess.run(folder, "sample", "@whole", "--class", "3");
        assertThat(none.complaint()).contains("knows no classes");
        Kelvin.Finished unlabelled = InProcess.run(
                folder, "train", "digits-classes", "--set=data.images.set=@noise.npy", "--out", "@refused");
        assertThat(unlabelled.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(unlabelled.complaint()).contains("have no labels, and the recipe asks for classes");
    }

    private long[] labels(Kelvin.Finished sample) throws IOException {
        try (Scope scope = Scope.open()) {
            return Npy.read(folder.resolve(
                            JSON.readTree(sample.out()).path("labels").asString()))
                    .toLongs();
        }
    }

    /** A set whose name is that of a kind of images. */
    private void writeNoise() throws IOException {
        try (Scope scope = Scope.open()) {
            Tensor noise = Tensors.bytes(40, 1, 8, 8);
            byte[] bytes = new byte[40 * 8 * 8];
            new Random(0).nextBytes(bytes);
            noise.memory(0, bytes.length).put(bytes);
            Npy.write(folder.resolve("noise.npy"), noise);
        }
    }

    /** Another set beside, and a replay buffer, whose chains have a FID of their own. */
    private void comparesWithOutOfDistributionSetsAndTheBuffer(JsonNode figures) throws IOException {
        assertThat(figures.path("n_buffer").asInt()).isEqualTo(64);
        assertThat(figures.path("fid_buffer").isNumber()).isTrue();
        assertThat(figures.path("auroc_against").asString()).isEqualTo("other noise");
        assertThat(figures.path("auroc").asDouble())
                .isEqualTo(figures.path("auroc_other_noise").asDouble());
        assertThat(Files.readString(folder.resolve("classes/report.html")))
                .contains("FID of the replay buffer", "AUROC against noise", "AUROC against other noise");
    }

    private void refusesSetsThatAreNotThere() {
        Kelvin.Finished wrong = InProcess.run(
                folder,
                "train",
                "digits-shortrun",
                "--set=data.images.outOfDistribution=[@missing.npy]",
                "--out",
                "@refused");
        assertThat(wrong.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(wrong.complaint()).contains("missing.npy");
        assertThat(folder.resolve("refused")).doesNotExist();
    }

    /** Three classes in an npz, named by a relative path; then the data move, and the run is used from elsewhere. */
    @Test
    void ownImagesMayMoveAndRunsAreUsedFromAnyFolder() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        writeClasses(data.resolve("floatimgs.npz"), 0);
        List<String> words = new ArrayList<>(List.of(tiny("run", 2)));
        words.set(1, "digits-classes");
        words.add("--set=data.images.set=data/floatimgs.npz");
        words.add("--set=data.images.dequantise=true"); // whose shades are to be known without the data
        Kelvin.Finished whole = Kelvin.run(folder, words.toArray(String[]::new));
        assertThat(whole.exit()).as(whole.err()).isZero();
        JsonNode figures = JSON.readTree(whole.out());
        assertThat(figures.path("sample_accuracy").isNumber()).isTrue();
        assertThat(figures.path("reference").asString()).isEqualTo("the 36 training images of data/floatimgs");
        assertThat(Files.readString(folder.resolve("run/report.html")))
                .contains("floatimgs.npz (digits-classes)", "of one class: 0, 1, 2.")
                .doesNotContain("Handwritten");

        Files.move(data, folder.resolve("moved"));
        String run = folder.resolve("run").toString();
        Path drawn = folder.resolve("drawn.npy");
        assertThat(complaint("sample", run, "-n", "4", "--out", drawn.toString()))
                .isEmpty(); // without the data
        try (Scope scope = Scope.open()) {
            assertThat(Npy.read(folder.resolve("drawn-labels.npy")).toLongs()).containsExactly(0, 1, 2, 0);
        }
        assertThat(complaint("evaluate", run))
                .contains("are not at " + data.resolve("floatimgs.npz"), "say where they are with --data PATH");
        Path other = Files.copy(folder.resolve("moved/floatimgs.npz"), folder.resolve("other.npz"));
        writeNoise();
        assertThat(complaint(
                        "evaluate", run, "--data", folder.resolve("noise.npy").toString()))
                .contains("have no labels");
        assertThat(complaint("train", "digits-shortrun", "--data", "x")).contains("there is no such file");
        assertThat(complaint("train", "rings", "--data", "x")).contains("--data is for images and tables");

        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Kelvin.Finished resumed =
                Kelvin.run(elsewhere, "train", "--resume", "../run", "--data", other.toString(), "--json");
        assertThat(resumed.exit()).as(resumed.err()).isZero();
        assertThat(JSON.readTree(resumed.out()).path("fid")).isEqualTo(figures.path("fid"));
        assertThat(Files.readString(folder.resolve("run/recipe.yaml"))).contains("set: \"" + other + "\"");
    }

    @Test
    void samplesThatStartAtTheDataWantThoseOfTheRun() throws IOException {
        Path data = folder.resolve("own.npz");
        writeClasses(data, 0);
        List<String> words = new ArrayList<>(List.of(tiny("at-data", 2)));
        words.add("--set=data.images.set=own.npz");
        words.add("--set=negatives.start=data");
        Kelvin.Finished whole = Kelvin.run(folder, words.toArray(String[]::new));
        assertThat(whole.exit()).as(whole.err()).isZero();
        String run = folder.resolve("at-data").toString();
        assertThat(complaint("sample", run, "-n", "2")).isEmpty();
        writeClasses(data, 1);
        assertThat(complaint("sample", run, "-n", "2")).contains("are others: their SHA-256 was");
        Files.delete(data);
        assertThat(complaint("sample", run, "-n", "2")).contains("say where they are with --data PATH");
    }

    /** What a command says that runs in this process. */
    private static String complaint(String... words) {
        StringWriter err = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .execute(words);
        assertThat(exit == ExitCode.OK)
                .as(err.toString())
                .isEqualTo(err.toString().isEmpty());
        return err.toString();
    }

    private static void writeClasses(Path file, long seed) throws IOException {
        int count = 45;
        float[] pixels = new float[count * 8 * 8];
        long[] labels = new long[count];
        Random random = new Random(seed);
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = random.nextFloat();
        }
        Arrays.setAll(labels, i -> i % 3);
        try (Scope scope = Scope.open();
                ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            Map<String, Tensor> arrays = Map.of("x.npy", Tensors.of(pixels, count, 8, 8), "y.npy", Tensors.of(labels));
            for (Map.Entry<String, Tensor> array : arrays.entrySet()) {
                Path part = file.resolveSibling(array.getKey());
                Npy.write(part, array.getValue());
                zip.putNextEntry(new ZipEntry(array.getKey()));
                Files.copy(part, zip);
                Files.delete(part);
            }
        }
    }

    @Test
    void showsChecksAndListsSets() {
        Kelvin.Finished list = InProcess.run(folder, "data", "list");
        assertThat(list.exit()).isZero();
        assertThat(list.out()).contains("digits", "cifar10", "svhn", "ships with Kelvin");
        Kelvin.Finished show = Kelvin.run(folder, "data", "show", "digits", "--json");
        assertThat(show.exit()).as(show.err()).isZero();
        assertThat(JSON.readTree(show.out()).path("images").asInt()).isEqualTo(1797);
        assertThat(folder.resolve("digits.png")).isNotEmptyFile();
        Kelvin.Finished check = InProcess.run(folder, "data", "check", "digits", "--json");
        assertThat(JSON.readTree(check.out()).path("images_a_class").path("0").asInt())
                .isEqualTo(178);
    }

    @Test
    void badFilesAndSetsAreOneLineAndExitThree() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "these are no images");
        Kelvin.Finished check = InProcess.run(folder, "data", "check", text.toString());
        assertThat(check.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(check.complaint()).contains("notes.txt");
        Kelvin.Finished train = InProcess.run(
                folder, "train", "digits-shortrun", "--set=data.images.set=@nowhere.npy", "--out", "@refused");
        assertThat(train.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(train.complaint()).contains("nowhere.npy");
        assertThat(folder.resolve("refused")).doesNotExist();
        Kelvin.Finished points = InProcess.run(folder, "train", "rings", "--set=data.images.set=digits");
        assertThat(points.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(points.complaint()).contains("model takes points, the data are images");
        Kelvin.Finished get = InProcess.run(folder, "data", "get", "imagenet");
        assertThat(get.exit()).isEqualTo(2);
        assertThat(get.err()).contains("there is no set 'imagenet' to get");
    }
}
