package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The verbs about chains: chains, diagnose, compare, reproduce. */
class SamplingIT {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private static Path shared;

    @TempDir
    private Path folder;

    /** Two small runs that the tests look at. */
    @BeforeAll
    static void train() {
        for (String seed : List.of("0", "1")) {
            Kelvin.Finished trained = InProcess.run(
                    shared,
                    "train",
                    "rings",
                    "--out",
                    "@run" + seed,
                    "--seed",
                    seed,
                    "--set=model.mlp.hidden=[8,8]",
                    "--set=train.iterations=40");
            assertThat(trained.exit()).as(trained.err()).isZero();
        }
    }

    private JsonNode sample(String... more) {
        List<String> words =
                new ArrayList<>(List.of("chains", "--json", "--out", "@out", "-n", "200", "--burn-in", "100"));
        words.addAll(List.of(more));
        Kelvin.Finished finished = InProcess.run(folder, words.toArray(String[]::new));
        assertThat(finished.exit()).as(finished.err()).isZero();
        return JSON.readTree(finished.out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mala",
                "hmc",
                "{hmc: {stepSize: 0.3, leaps: 5}}",
                "{langevin: {stepSize: 0.1, anneal: polynomial}}",
                "{psgld: {stepSize: 0.01}}",
                "{tempered-mala: {stepSize: 0.1}}",
                "{svgd: {stepSize: 0.1}}",
                "{gradient-descent: {stepSize: 0.1}}",
                "{replica-exchange: {inner: {mala: {stepSize: 0.2}}, rungs: 3, hottest: 5}}"
            })
    void samplesATargetWithEveryKernel(String kernel) throws IOException {
        JsonNode results = sample("--target", "banana", "--kernel", kernel, "--chains", "4", "--check-gradient");
        assertThat(results.get("chains").asInt()).isEqualTo(4);
        assertThat(results.has("rhat")).isTrue();
        assertThat(results.get("good").isBoolean()).isTrue();
        try (Scope scope = Scope.open()) {
            assertThat(Npy.read(folder.resolve("out/trace.npy")).shape()).containsExactly(200, 4, 2);
        }
        assertThat(Files.readString(folder.resolve("out/report.html")))
                .contains(
                        "Do the chains agree?",
                        "Are they right?",
                        "Autocorrelation",
                        "Figures of merit",
                        "Gradient evaluations per chain");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{langevin: {stepSize: 100}}",
                "{gradient-descent: {stepSize: 1e20}}",
                "{langevin: {stepSize: 0.1, noise: 1e30}}"
            })
    void chainsThatDivergeInTheBurnInSaySo(String kernel) {
        Kelvin.Finished finished = InProcess.run(
                folder,
                "chains",
                "--target",
                "banana",
                "--kernel",
                kernel,
                "--burn-in",
                "20",
                "-n",
                "20",
                "--out",
                "@out");
        assertThat(finished.exit()).as(finished.err()).isEqualTo(ExitCode.DIVERGED);
        assertThat(finished.err())
                .contains(
                        "step 20: f of banana is NaN where chain 0 is after the burn-in; take a smaller step or noise")
                .doesNotContain("internal error");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aSeedDecidesTheDraws() {
        JsonNode once = sample("--target", "normal", "--kernel", "mala", "--chains", "4", "--seed", "5");
        Kelvin.Finished again = InProcess.run(
                folder,
                "chains",
                "--json",
                "--out",
                "@again",
                "-n",
                "200",
                "--burn-in",
                "100",
                "--target",
                "normal",
                "--kernel",
                "mala",
                "--chains",
                "4",
                "--seed",
                "5");
        assertThat(JSON.readTree(again.out()).get("rhat")).isEqualTo(once.get("rhat"));
    }

    @Test
    void believesAnEasyTargetAndNotStuckChains() {
        JsonNode easy = sample("--target", "normal", "--kernel", "hmc");
        assertThat(easy.get("rhat").asDouble()).isLessThan(1.05);
        assertThat(easy.get("ess_bulk").asDouble()).isGreaterThan(400);
        Kelvin.Finished stuck = InProcess.run(
                folder,
                "chains",
                "--out",
                "@stuck",
                "--target",
                "mixture",
                "--kernel",
                "{mala: {stepSize: 0.01}}",
                "-n",
                "200");
        assertThat(stuck.exit()).isZero();
        assertThat(stuck.out()).contains("R-hat is");
    }

    @Test
    void samplesARunWithAnotherKernel() {
        JsonNode results = sample(shared.resolve("run0").toString(), "--kernel", "mala", "--check-gradient");
        assertThat(results.get("density").asString()).isEqualTo("run0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--target funel --kernel mala | 3 | target has no 'funel'; did you mean 'funnel'?",
                "--target {funnel:{dimension:1,std:0}} --kernel mala | 3 | dimension must be at least 2, found 1",
                "--target {funnel:{dimension:1,std:0}} --kernel mala | 3 | std must be above 0, found 0",
                "--target funnel | 2 | Missing required option",
                "--kernel mala | 2 | name a RUN, or an analytic density with --target",
                "--target funnel --kernel hcm | 3 | kernel has no 'hcm'; did you mean 'hmc'?",
                "--target funnel --kernel {mala:{stepSize:0}} | 3 | stepSize must be above 0, found 0",
                "--target funnel --kernel {mala:{stepSize:1,temperature:-1}} | 3 | temperature must be above 0, found -1",
                "--target funnel --kernel langevin | 3 | langevin lacks 'stepSize'",
                "--target funnel --kernel mala --warm-up all | 2 | takes windows, step-size; found",
                "--target funnel --kernel {mala:{stepSize:1}} --warm-up windows | 3 | goes with a kernel that names no stepSize",
                "--target funnel --kernel {hmc:{leaps:3}} --warm-up windows | 3 | tunes hmc, mala and jittered-hmc with no setting",
                "--target funnel --kernel mala --chains 0 | 3 | --chains must be at least 1, found 0",
                "--target funnel --kernel mala -n 11 | 3 | -n must be at least 12, found 11",
                "--target funnel --kernel mala --thin 0 | 3 | thin must be at least 1, found 0",
                "--target funnel --kernel {replica-exchange:{inner:{mala:{stepSize:1,temperature:2}}}} | 3 | inner must sample at temperature 1"
            })
    void refusesWithoutLeavingAnything(String words, int exit, String message) throws IOException {
        List<String> all = new ArrayList<>(List.of("chains", "--out", "@out"));
        for (String word : words.split(" ", -1)) {
            all.add(word.replace(":", ": ").replace(",", ", "));
        }
        Kelvin.Finished finished = InProcess.run(folder, all.toArray(String[]::new));
        assertThat(finished.exit()).as(finished.err()).isEqualTo(exit);
        assertThat(finished.err()).contains(message).doesNotContain("\tat ", "Exception");
        assertThat(finished.out()).isEmpty();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().equals("out")))
                    .isEmpty();
        }
    }

    @Test
    void aFolderThatHoldsSomethingIsLeftAlone() throws IOException {
        Files.createDirectories(folder.resolve("out"));
        Files.writeString(folder.resolve("out/mine.txt"), "mine");
        Kelvin.Finished finished =
                InProcess.run(folder, "chains", "--target", "banana", "--kernel", "mala", "-n", "50", "--out", "@out");
        assertThat(finished.exit()).isEqualTo(3);
        assertThat(finished.complaint()).contains("out is there already");
    }

    @Test
    void diagnosesARun() {
        Kelvin.Finished words = InProcess.run(shared, "diagnose", "@run0");
        assertThat(words.exit()).as(words.err()).isZero();
        assertThat(words.out()).contains("The model: ", "kelvin train "); // forty steps train nothing
        JsonNode results = JSON.readTree(
                InProcess.run(shared, "diagnose", "@run0", "--json").out());
        assertThat(results.get("sentences").size()).isPositive();
        assertThat(results.has("rhat")).isTrue();
    }

    @Test
    void comparesRuns() throws IOException {
        Kelvin.Finished finished = Kelvin.run(shared, "compare", "run0", "run1", "--json", "--out", "both.html");
        assertThat(finished.exit()).as(finished.err()).isZero();
        JsonNode results = JSON.readTree(finished.out());
        assertThat(results.get("run0").has("kl")).isTrue();
        assertThat(Files.readString(shared.resolve("both.html"))).contains("How their recipes differ", "train.seed");
        assertThat(InProcess.run(shared, "compare", "@run0", "@run0").exit()).isEqualTo(3);
        assertThat(InProcess.run(shared, "compare", "@run0").exit()).isEqualTo(2);
    }

    @Test
    void listsStudiesAndRefusesUnknownOnes() {
        assertThat(InProcess.run(folder, "reproduce").out())
                .startsWith("000-digits")
                .contains("001-toy");
        Kelvin.Finished unknown = InProcess.run(folder, "reproduce", "001-toys");
        assertThat(unknown.exit()).isEqualTo(3);
        assertThat(unknown.complaint()).contains("did you mean '001-toy'?");
        assertThat(InProcess.run(folder, "reproduce", "001-toy", "--jobs", "0").exit())
                .isEqualTo(2);
    }

    @Test
    void reproducesAStudyOfOnesOwn() throws IOException {
        Files.copy(shared.resolve("run0/recipe.yaml"), folder.resolve("small.yaml"));
        Files.writeString(folder.resolve("my study.yaml"), """
                name: mine
                paper: ours
                about: a
                scale: b
                seeds: 1
                runs: [{name: r, recipe: small.yaml}]
                claims: [{id: close, place: here, says: it is near, rule: r.kl < 1000}]
                """);
        Kelvin.Finished finished =
                Kelvin.run(folder, "reproduce", "my study.yaml", "--json", "--quiet", "--out", "out");
        assertThat(finished.exit()).as(finished.err()).isZero();
        assertThat(finished.err()).isEmpty();
        assertThat(JSON.readTree(finished.out())
                        .path("mine/close")
                        .path("verdict")
                        .asString())
                .isEqualTo("holds");
        assertThat(folder.resolve("out/mine.html")).isNotEmptyFile();
    }
}
