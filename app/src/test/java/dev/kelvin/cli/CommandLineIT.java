package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every verb, and every mistake with it, as a user meets them. */
@Execution(ExecutionMode.CONCURRENT)
class CommandLineIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> TINY = List.of(
            "--set=model.mlp.hidden=[8,8]",
            "--set=negatives.steps=3",
            "--set=train.batch=16",
            "--set=train.iterations=40",
            "--set=train.checkpointEvery=20",
            "--set=train.logEvery=5");

    @TempDir
    private static Path shared;

    @TempDir
    private Path folder;

    private static Kelvin.Finished trained = new Kelvin.Finished(-1, "", "");

    /** One run that the tests below look at and don't change. */
    @BeforeAll
    static void train() {
        trained = Kelvin.run(shared, tiny("train", "rings", "--out", "run", "--json"));
        assertThat(trained.exit()).as(trained.err()).isZero();
    }

    // ---- what works

    @Test
    void helps() {
        Kelvin.Finished help = InProcess.run(folder, "--help");
        assertThat(help.exit()).isZero();
        assertThat(help.err()).isEmpty();
        assertThat(help.out()).contains("train", "sample", "evaluate", "recipes", "doctor", "Start with", "130");
    }

    @Test
    void saysItsVersion() {
        Kelvin.Finished version = Kelvin.run(folder, "--version");
        assertThat(version.exit()).isZero();
        assertThat(version.out().strip()).matches("kelvin \\d+\\.\\d+\\.\\d+\\S* \\(commit \\S+\\)");
    }

    @Test
    void listsRecipes() {
        Kelvin.Finished recipes = InProcess.run(folder, "recipes");
        assertThat(recipes.exit()).isZero();
        assertThat(recipes.err()).isEmpty();
        assertThat(recipes.out().lines().map(line -> line.substring(0, line.indexOf(' '))))
                .containsExactly(
                        "rings",
                        "table",
                        "gmm",
                        "four-gaussians",
                        "spiral",
                        "moons",
                        "checkerboard",
                        "pinwheel",
                        "001-toy",
                        "gmm-robust",
                        "rings-robust",
                        "spiral-jointcd",
                        "spiral-cdce",
                        "spiral-jointcd-paper",
                        "spiral-cdce-paper",
                        "digits-shortrun",
                        "digits-shortrun-small",
                        "digits-classes",
                        "digits-jem",
                        "digits-jem-robust",
                        "digits-jem-small",
                        "fashion-jem",
                        "cifar10-jem",
                        "digits-sada-jem",
                        "cifar10-sada-jem",
                        "digits-cooperative",
                        "cifar10-cooperative",
                        "digits-igebm",
                        "digits-igebm-small",
                        "digits-improved-cd",
                        "mnist-improved-cd",
                        "cifar10-improved-cd",
                        "digits-time-cdce",
                        "digits-time-jointcd",
                        "digits-time-small",
                        "mnist-time-cdce",
                        "cifar10-time-cdce",
                        "cifar10-time-jointcd",
                        "digits-latent",
                        "digits-latent-small",
                        "cifar10-latent",
                        "cifar10-latent-ti");
    }

    @Test
    void listsRecipesAsJson() {
        Kelvin.Finished recipes = InProcess.run(folder, "recipes", "--json");
        assertThat(recipes.exit()).isZero();
        JsonNode all = JSON.readTree(recipes.out());
        assertThat(all).hasSize(42);
        assertThat(all.get(0).path("name").asString()).isEqualTo("rings");
        assertThat(all)
                .allSatisfy(
                        recipe -> assertThat(recipe.path("about").asString()).isNotEmpty());
    }

    @Test
    void examinesTheMachine() {
        Kelvin.Finished doctor = Kelvin.run(folder, "doctor", "--json");
        assertThat(doctor.exit()).as(doctor.toString()).isZero();
        JsonNode found = object(doctor);
        assertThat(found.path("problem").asString()).isEqualTo("none");
        assertThat(found.path("libtorch").asString()).matches("\\d+\\.\\d+.*");
        assertThat(found.path("gflops").asDouble()).isPositive();
        assertThat(found.path("differs_from_cpu_by").get(0).asString()).isEqualTo("0.0e+00 (at most 1e-03) mlp");
        assertThat(found.path("differs_from_cpu_by").toString()).containsPattern("[1-9]\\.\\de-02 .*bfloat16");
    }

    @Test
    void trainPrintsOneJsonObject() {
        JsonNode results = object(trained);
        assertThat(results.path("ended").asString()).isEqualTo("finished");
        assertThat(results.path("recipe").asString()).isEqualTo("rings");
        assertThat(results.path("run").asString()).isEqualTo("run");
        assertThat(results.path("report").asString()).isEqualTo("run/report.html");
        assertThat(List.of("kl", "tv", "sample_tv"))
                .allSatisfy(name -> assertThat(results.path(name).asDouble()).isPositive());
    }

    @Test
    void trainLeavesAWholeRun() throws IOException {
        Path run = shared.resolve("run");
        assertThat(List.of(
                        "recipe.yaml",
                        "provenance.json",
                        "metrics.jsonl",
                        "evaluation.json",
                        "report.html",
                        "checkpoints/000000040.json",
                        "checkpoints/000000040.safetensors",
                        "samples/density.png",
                        "samples/samples.png",
                        "samples/chain.png"))
                .allSatisfy(name -> assertThat(run.resolve(name)).isNotEmptyFile());
        JsonNode provenance = JSON.readTree(run.resolve("provenance.json").toFile());
        assertThat(provenance.path("seed").asString()).isEqualTo("0");
        assertThat(provenance.path("dataHash").asString()).hasSize(64);
        try (Stream<String> lines = Files.lines(run.resolve("metrics.jsonl"))) {
            assertThat(lines.map(line -> JSON.readTree(line).path("step").asInt()))
                    .containsExactly(1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 10, 15, 20, 20, 25, 30, 30, 35, 40, 40);
        }
        assertThat(names(run)).noneMatch(name -> name.contains(".tmp"));
        assertThat(names(shared)).noneMatch(name -> name.startsWith("."));
    }

    @Test
    void theRecipeOfARunGivesTheSameRun() {
        Kelvin.Finished again = InProcess.run(
                folder, "train", shared.resolve("run/recipe.yaml").toString(), "--out", "@again", "--json");
        assertThat(again.exit()).as(again.err()).isZero();
        assertThat(figures(object(again))).isEqualTo(figures(object(trained)));
    }

    @Test
    void evaluateAndSampleAgreeWithTheRun() throws IOException {
        Path run = copyOfRun();
        Kelvin.Finished evaluated = InProcess.run(folder, "evaluate", run.toString(), "--json", "--quiet");
        assertThat(evaluated.exit()).as(evaluated.err()).isZero();
        assertThat(evaluated.err()).isEmpty();
        assertThat(figures(object(evaluated))).isEqualTo(figures(object(trained)));

        byte[] picture = Files.readAllBytes(run.resolve("samples/samples.png"));
        Kelvin.Finished sampled =
                InProcess.run(folder, "sample", run.toString(), "-n", "100", "--steps", "7", "--json");
        assertThat(sampled.exit()).as(sampled.err()).isZero();
        JsonNode results = object(sampled);
        assertThat(results.path("samples").asInt()).isEqualTo(100);
        assertThat(results.path("checkpoint").asInt()).isEqualTo(40);
        assertThat(Path.of(results.path("picture").asString())).isNotEmptyFile();
        try (Tensor x = Npy.read(Path.of(results.path("file").asString()))) {
            assertThat(x.shape()).containsExactly(100, 2);
        }
        assertThat(run.resolve("samples/samples.png")).hasBinaryContent(picture); // the report's own
    }

    @Test
    void aDryRunWritesNothing() throws IOException {
        Kelvin.Finished dry = Kelvin.run(folder, tiny("train", "rings", "--dry-run", "--json"));
        assertThat(dry.exit()).as(dry.err()).isZero();
        assertThat(object(dry).path("parameters").asInt()).isEqualTo(2 * 8 + 8 + 8 * 8 + 8 + 8 + 1);
        assertThat(object(dry).path("ms_per_step").asDouble()).isPositive();
        assertThat(names(folder)).isEmpty();
    }

    @Test
    void aDryRunOfARunLeavesItAlone() throws IOException {
        Path run = copyOfRun();
        Map<String, Integer> before = contents(run);
        Kelvin.Finished dry = InProcess.run(
                folder, "train", "--resume", run.toString(), "--set=train.iterations=80", "--dry-run", "--json");
        assertThat(dry.exit()).as(dry.err()).isZero();
        assertThat(contents(run)).isEqualTo(before);
    }

    // ---- mistakes on the command line

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "train --frobnicate rings | Unknown option: '--frobnicate'",
                "frobnicate               | Unmatched argument at index 0: 'frobnicate'",
                "train                    | name a RECIPE, such as rings",
                "train rings --resume x   | not both",
                "train --resume x --out y | leave out --out",
                "train rings --seed one   | one",
            })
    void refusesWrongUse(String arguments, String complaint) throws IOException {
        Kelvin.Finished finished = InProcess.run(folder, arguments.split(" "));
        assertThat(finished.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(finished.out()).isEmpty();
        assertThat(finished.err()).contains(complaint).doesNotContain("    at ");
        assertThat(names(folder)).isEmpty();
    }

    @Test
    void suggestsTheNearestRecipe() throws IOException {
        Kelvin.Finished finished = InProcess.run(folder, "train", "ringz");
        assertThat(finished.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(finished.complaint()).contains("Kelvin has no recipe 'ringz'; did you mean 'rings'?");
        assertThat(names(folder)).isEmpty();
    }

    @Test
    void pointsAtTheMistakesOfARecipe() throws IOException {
        String recipe = Files.readString(shared.resolve("run/recipe.yaml"))
                .replace("stepSize:", "stepsize:")
                .replace("batch: 16", "batch: -16");
        Files.writeString(folder.resolve("broken.yaml"), recipe);
        Kelvin.Finished finished = Kelvin.run(folder, "train", "broken.yaml", "--json");
        assertThat(finished.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(object(finished).path("problem").asString()).contains("'stepsize'", "batch must be at least 1");
        assertThat(finished.err())
                .contains("'stepsize'; did you mean 'stepSize'?")
                .doesNotContain("\tat ", "    at ", "Exception");
        assertThat(finished.err().strip().lines())
                .hasSizeGreaterThanOrEqualTo(2)
                .allMatch(line -> line.matches("broken\\.yaml:\\d+:\\d+: .*"));
        assertThat(names(folder)).containsExactly("broken.yaml");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "train.iterations         | write it as setting=value",
                "train.iteration=5        | did you mean 'iterations'?",
                "train.iterations=many    | many",
                "train.iterations=0       | iterations",
                "optimiser.adam.beta1=1.5 | beta1",
            })
    void refusesWrongSettings(String setting, String complaint) throws IOException {
        Kelvin.Finished finished = InProcess.run(folder, "train", "rings", "--set", setting);
        assertThat(finished.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(finished.complaint()).startsWith("--set " + setting).contains(complaint);
        assertThat(names(folder)).isEmpty();
    }

    @Test
    void refusesDevicesThatAreNotThere() throws IOException {
        Kelvin.Finished nonsense = InProcess.run(folder, "train", "rings", "--device", "nonsense", "--out", "@run");
        assertThat(nonsense.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(nonsense.complaint()).isEqualTo("kelvin: there is no device 'nonsense' (cpu, cuda, cuda:N or auto)");

        assumeThat(Device.cudaCount()).isZero();
        Kelvin.Finished cuda = InProcess.run(folder, "train", "rings", "--device", "cuda", "--out", "@run");
        assertThat(cuda.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(cuda.complaint()).contains("0 CUDA devices", "no cuda:0", "KELVIN_LIBTORCH");
        assertThat(names(folder)).isEmpty();
    }

    // ---- mistakes with files

    @Test
    void keepsFoldersThatExist() throws IOException {
        Files.createDirectory(folder.resolve("mine"));
        Files.writeString(folder.resolve("mine/thesis.tex"), "dear");
        Kelvin.Finished finished = InProcess.run(folder, tiny("train", "rings", "--out", "@mine"));
        assertThat(finished.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(finished.complaint())
                .isEqualTo("kelvin: " + folder.resolve("mine")
                        + " exists already; name another folder with --out, or resume it with: kelvin train --resume "
                        + folder.resolve("mine"));
        assertThat(names(folder)).containsExactly("mine", "mine/thesis.tex");
    }

    @Test
    void aFileIsNoFolder() throws IOException {
        Files.writeString(folder.resolve("file"), "");
        Kelvin.Finished below = InProcess.run(folder, tiny("train", "rings", "--out", "@file/run"));
        assertThat(below.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(below.complaint()).endsWith("/file is there already");
        assertThat(names(folder)).containsExactly("file");
    }

    @Test
    void saysWhereItMayNotWrite() throws IOException {
        Path locked = Files.createDirectory(
                folder.resolve("locked"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
        assumeThat(Files.isWritable(locked)).as("root may write anywhere").isFalse();
        Kelvin.Finished denied = InProcess.run(folder, tiny("train", "rings", "--out", "@locked/run"));
        assertThat(denied.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(denied.complaint()).contains("no permission for");
    }

    @ParameterizedTest
    @ValueSource(strings = {"train --resume", "evaluate", "sample"})
    void needsARunThatIsThere(String verb) throws IOException {
        List<String> words = new ArrayList<>(List.of(verb.split(" ")));
        words.add("@nowhere");
        Kelvin.Finished missing = InProcess.run(folder, words.toArray(String[]::new));
        assertThat(missing.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(missing.complaint()).isEqualTo("kelvin: there is no run at " + folder.resolve("nowhere"));
        Files.createDirectory(folder.resolve("nowhere"));
        Kelvin.Finished other = InProcess.run(folder, words.toArray(String[]::new));
        assertThat(other.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(other.complaint())
                .isEqualTo("kelvin: " + folder.resolve("nowhere") + " is not a run: it has no recipe.yaml");
        assertThat(names(folder)).containsExactly("nowhere");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "train.iterations=30    | has done 40 steps already",
                "model.mlp.hidden=[4,4] | does not fit the recipe",
            })
    void aResumedRunRefusesSettingsThatDoNotFit(String setting, String complaint) throws IOException {
        Path run = copyOfRun();
        Map<String, Integer> before = contents(run);
        Kelvin.Finished finished = InProcess.run(folder, "train", "--resume", run.toString(), "--set", setting);
        assertThat(finished.exit()).isEqualTo(ExitCode.RECIPE);
        assertThat(finished.complaint()).contains(complaint);
        assertThat(contents(run)).isEqualTo(before);
    }

    @Test
    void passesOverADamagedCheckpoint() throws IOException {
        Path run = copyOfRun();
        Path newest = run.resolve("checkpoints/000000040.safetensors");
        byte[] bytes = Files.readAllBytes(newest);
        bytes[bytes.length - 1] ^= 1;
        Files.write(newest, bytes);
        Kelvin.Finished resumed = Kelvin.run(folder, "train", "--resume", run.toString(), "--json");
        assertThat(resumed.exit()).as(resumed.err()).isZero();
        assertThat(resumed.err()).contains("000000040.safetensors is damaged", "resuming from step 20");
        assertThat(figures(object(resumed))).isEqualTo(figures(object(trained)));
        assertThat(newest)
                .hasBinaryContent(Files.readAllBytes(shared.resolve("run/checkpoints/000000040.safetensors")));
        assertThat(run.resolve("metrics.jsonl")).hasSameBinaryContentAs(shared.resolve("run/metrics.jsonl"));
    }

    @Test
    void onlyOneProcessTrainsARun() throws IOException {
        Kelvin first = Kelvin.start(folder, tiny("train", "rings", "--out", "run", "--set=train.iterations=1000000"));
        try {
            first.until("training", () -> Files.exists(folder.resolve("run/metrics.jsonl")));
            byte[] recipe = Files.readAllBytes(folder.resolve("run/recipe.yaml"));
            Kelvin.Finished second = Kelvin.run(folder, "train", "--resume", "run", "--set=train.iterations=2000000");
            assertThat(second.exit()).isEqualTo(ExitCode.RECIPE);
            assertThat(second.complaint()).isEqualTo("kelvin: run is being trained by another process");
            assertThat(folder.resolve("run/recipe.yaml")).hasBinaryContent(recipe);
        } finally {
            first.kill();
        }
    }

    // ---- numbers that break

    @Test
    void aDivergedRunIsKept() {
        Kelvin.Finished finished = Kelvin.run(
                folder, tiny("train", "rings", "--out", "run", "--json", "--set=optimiser.adam.learningRate=1e30"));
        assertThat(finished.exit()).isEqualTo(ExitCode.DIVERGED);
        JsonNode results = object(finished);
        assertThat(results.path("ended").asString()).isEqualTo("diverged");
        assertThat(results.path("run").asString()).isEqualTo("run");
        assertThat(results.path("problem").asString()).contains("after going back 3 times");
        assertThat(finished.err())
                .containsPattern("step \\d+: .* is (NaN|infinite). Went back to checkpoint 0 with a new key \\(1 of 3")
                .contains("(3 of 3 tries)")
                .containsPattern("kelvin: step \\d+: .*, after going back 3 times\\. Everything up to the last good")
                .contains("Try a smaller learning rate")
                .doesNotContain("    at ", "\tat ");
        assertThat(folder.resolve("run/checkpoints/000000000.safetensors")).isNotEmptyFile();
        assertThat(folder.resolve("run/recipe.yaml")).isNotEmptyFile();
    }

    private static final String JOINT = """
            name: joint
            data: {images: {set: digits, noise: 0.03, labelled: {augment: [{crop: {padding: 1}}]}}}
            model: {short-run: {filters: 2}}
            classes: head
            negatives:
              start: {uniform: {low: -1, high: 1}}
              kernel: {langevin: {stepSize: 1, noise: 0.01}}
              steps: 2
              buffer: {size: 64}
            objective: {cd-ce: {by: {robust: {betaOverT: 4}}, alpha: {adaptive: {every: 2}}}}
            optimiser: {sam: {by: {adam: {learningRate: 1e-3}}, rho: 0.05}}
            train: {iterations: 12, batch: 8, ema: 0.9, checkpointEvery: 3, logEvery: 1}
            """;

    /** A joint energy model with an absurd step goes back as often as it may, and is kept; it can be judged all the same. */
    @ParameterizedTest
    @ValueSource(strings = {"optimiser.sam.by.adam.learningRate=1e30", "negatives.kernel.langevin.stepSize=1e30"})
    void aDivergedJointModelIsKept(String absurd) throws IOException {
        Files.writeString(folder.resolve("joint.yaml"), JOINT);
        Kelvin.Finished finished =
                inShared("train", path("joint.yaml"), "--out", path("run"), "--json", "--set=" + absurd);
        assertThat(finished.exit()).as(finished.err()).isEqualTo(ExitCode.DIVERGED);
        assertThat(object(finished).path("ended").asString()).isEqualTo("diverged");
        assertThat(finished.err())
                .contains("(3 of 3 tries)")
                .containsPattern("kelvin: step \\d+: .*, after going back 3 times\\. Everything up to the last good");
        assertThat(folder.resolve("run/checkpoints/000000000.safetensors")).isNotEmptyFile();
        assertThat(folder.resolve("run/metrics.jsonl")).content().contains("\"retry\":3.0");
        Kelvin.Finished evaluated = inShared("evaluate", path("run"));
        assertThat(evaluated.exit()).as(evaluated.err()).isZero();
        assertThat(folder.resolve("run/report.html"))
                .content()
                .contains("(3 of 3 times allowed)", " and was stopped: results are of its last good checkpoint");
    }

    @Test
    void aJointModelShowsItsCurves() throws IOException {
        Files.writeString(folder.resolve("joint.yaml"), JOINT);
        Kelvin.Finished plain = inShared("train", path("joint.yaml"), "--out", path("plain"));
        assertThat(plain.exit()).as(plain.err()).isZero();
        assertThat(folder.resolve("plain/report.html"))
                .content()
                .doesNotContain("went back")
                .contains("GradScale", "Effective number of negatives", "f₊ − f₋", "Sharpness", "Smoothing factor");
    }

    /** In one folder, whose feature classifier is trained once. */
    private static Kelvin.Finished inShared(String... words) {
        return Kelvin.run(shared, words);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    /** A run that passes its bound at every other step, by its random numbers, goes back, goes on and says so in its report. */
    @Test
    void aRunThatWentBackSaysSo() throws IOException {
        String[] still = {
            "--set=optimiser.adam.learningRate=1e-9", // so that all steps are alike
            "--set=train.iterations=12",
            "--set=train.checkpointEvery=1",
            "--set=train.logEvery=1"
        };
        Kelvin.Finished plain = InProcess.run(folder, concat(tiny("train", "rings", "--out", "@plain"), still));
        assertThat(plain.exit()).as(plain.err()).isZero();
        double bound = medianGap(folder.resolve("plain/metrics.jsonl"));
        String guard = "--set=train.guard={bound: " + bound + ", patience: 1, retries: 1000}";
        Kelvin.Finished finished =
                InProcess.run(folder, concat(concat(tiny("train", "rings", "--out", "@run"), still), guard));
        assertThat(finished.exit()).as(finished.err()).isZero();
        assertThat(folder.resolve("run/report.html"))
                .content()
                .contains("Training diverged at step", "and went back to the checkpoint of step");
    }

    private static String[] concat(String[] some, String... more) {
        return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
    }

    private static double medianGap(Path metrics) throws IOException {
        double[] gaps = Files.readAllLines(metrics).stream()
                .map(JSON::readTree)
                .filter(line -> line.has("gap"))
                .mapToDouble(line -> Math.abs(line.path("gap").asDouble()))
                .sorted()
                .toArray();
        return gaps[gaps.length / 2];
    }

    /** A time-joint run from end to end, with a reference that is too narrow. */
    @Test
    void learnsAllTimesTogether() throws IOException {
        Kelvin.Finished finished = Kelvin.run(
                folder,
                "train",
                "spiral-cdce",
                "--out",
                "run",
                "--json",
                "--set=model.residual-mlp.width=8",
                "--set=time.count=6",
                "--set=time.reference.std=0.1",
                "--set=train.iterations=20",
                "--set=train.batch=16");
        assertThat(finished.exit()).as(finished.err()).isZero();
        assertThat(finished.err())
                .containsPattern(
                        "warning: The reference is too narrow: its standard deviation is 0.100, and the data's from its"
                                + " mean 0.2[56]\\d\\."); // 0.26, to the draws' error of 0.003
        Map<String, Double> figures = figures(object(finished));
        assertThat(figures)
                .containsKeys(
                        "log_likelihood",
                        "true_log_likelihood",
                        "long_sample_tv",
                        "sample_tv_floor",
                        "log_z_max",
                        "acceptance",
                        "step_ratio");
        assertThat(Files.readString(folder.resolve("run/report.html")))
                .contains("Densities at every time", "The reference is too narrow", "t = 5");
        assertThat(figures(object(InProcess.run(folder, "evaluate", "@run", "--json"))))
                .isEqualTo(figures);
        Kelvin.Finished sampled = InProcess.run(folder, "sample", "@run", "-n", "40", "--json");
        assertThat(sampled.exit()).as(sampled.err()).isZero();
        assertThat(object(sampled).path("acceptance").asDouble()).isBetween(0.2, 1.0);
        assertThat(InProcess.run(folder, "diagnose", "@run").exit()).isZero();
    }

    // ----

    private static String[] tiny(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(1 + all.indexOf("rings"), TINY);
        return all.toArray(String[]::new);
    }

    /** Stdout is one line, and that is an object. */
    private static JsonNode object(Kelvin.Finished finished) {
        assertThat(finished.out().lines()).as(finished.toString()).hasSize(1);
        JsonNode node = JSON.readTree(finished.out());
        assertThat(node.isObject()).isTrue();
        return node;
    }

    /** The figures of merit: numbers that have nothing to do with the clock. */
    private static Map<String, Double> figures(JsonNode results) {
        Map<String, Double> figures = new TreeMap<>();
        results.properties().stream()
                .filter(entry -> entry.getValue().isNumber() && !entry.getKey().equals("seconds"))
                .forEach(entry -> figures.put(entry.getKey(), entry.getValue().asDouble()));
        assertThat(figures).containsKeys("kl", "tv", "sample_tv");
        return figures;
    }

    private Path copyOfRun() throws IOException {
        Path from = shared.resolve("run");
        Path to = folder.resolve("copy");
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
        return to;
    }

    private static List<String> names(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> !file.equals(root))
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    /** What is in a run, but for the lock. */
    private static Map<String, Integer> contents(Path run) throws IOException {
        Map<String, Integer> contents = new TreeMap<>();
        for (String name : names(run)) {
            Path file = run.resolve(name);
            if (Files.isRegularFile(file) && !name.equals(".lock")) {
                contents.put(name, Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return contents;
    }
}
