package com.example.kelvin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.model.Model;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What Kelvin does with its own parts, it does with a user's: trains, resumes, judges, loads. */
class OwnPartsIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Path RECIPE = Path.of("own.yaml").toAbsolutePath();
    private static final int ITERATIONS = 300;
    private static final String CHAINS = "--set=negatives.steps=5";
    private static final int KILLED = 128 + 9; // as Java and shells give it
    private static final int REFUSED = 3;

    @TempDir
    private static Path folder;

    /** A run that nobody disturbed. */
    private static Path whole;

    private static String[] train(String run) {
        return new String[] {
            "train",
            RECIPE.toString(),
            "--out=" + run,
            "--set=train.iterations=" + ITERATIONS,
            "--set=train.checkpointEvery=50",
            "--set=train.logEvery=10",
            CHAINS
        };
    }

    @BeforeAll
    static void trainsWithOwnParts() throws Exception {
        CommandLine.Finished finished =
                CommandLine.start(folder, train("whole")).await();
        assertThat(finished.exit()).as("%s", finished).isZero();
        whole = folder.resolve("whole");
    }

    /** From some step on its chains take for ever, so that it is killed before it ends; it goes on with the others' chains. */
    @Test
    void aKilledRunGoesOnToTheSameBytes() throws Exception {
        Path killed = folder.resolve("killed");
        List<String> endless = new ArrayList<>(List.of(train("killed")));
        endless.set(endless.indexOf(CHAINS), "--set=negatives.steps={from: 5, to: 1000000000, after: 120, over: 1}");
        CommandLine process = CommandLine.start(folder, endless.toArray(String[]::new));
        process.until("a checkpoint in the middle", () -> newest(killed) >= ITERATIONS / 3);
        assertThat(process.kill().exit()).isEqualTo(KILLED);
        assertThat(newest(killed)).isLessThan(ITERATIONS);

        CommandLine.Finished resumed =
                CommandLine.start(folder, "train", "--resume", "killed", CHAINS).await();
        assertThat(resumed.exit()).as("%s", resumed).isZero();
        assertThat(resumed.err()).contains("resuming from step");
        assertThat(checkpoints(killed)).isEqualTo(checkpoints(whole)).isNotEmpty();
        assertThat(killed.resolve("metrics.jsonl")).hasSameTextualContentAs(whole.resolve("metrics.jsonl"));
        assertThat(killed.resolve("evaluation.json")).hasSameTextualContentAs(whole.resolve("evaluation.json"));
    }

    @Test
    void eachPartDidItsWork() throws IOException {
        String metrics = Files.readString(whole.resolve("metrics.jsonl"));
        assertThat(metrics).contains("\"push\"", "\"gradient-penalty\"", "\"acceptance\"");
        JsonNode evaluation = JSON.readTree(Files.readString(whole.resolve("evaluation.json")));
        assertThat(evaluation.path("kl").asDouble()).isLessThan(0.5); // before training it is 1.1
        assertThat(evaluation.path("nearest_neighbour").asDouble())
                .isGreaterThan(evaluation.path("nearest_neighbour_data").asDouble())
                .isLessThan(1);
    }

    @Test
    void theReportTellsOfThem() throws IOException {
        assertThat(Files.readString(whole.resolve("report.html")))
                .contains(
                        "64 radial basis functions",
                        "random-walk Metropolis",
                        "a logistic loss on the gap",
                        "a penalty on the gradient of f",
                        NearestNeighbour.SAMPLES.title());
    }

    @Test
    void theModelIsLoadedAndScoresPoints() throws IOException {
        try (Model model = Model.load(whole)) {
            double[] f = model.score(new double[][] {{1, 0}, {0, 0}, {3, 3}}); // a mode, amid the modes, far away
            assertThat(f[0]).isGreaterThan(f[1]).isGreaterThan(f[2]);
            assertThat(model.step()).isEqualTo(ITERATIONS);
            assertThat(model.sample(0, 100)).hasDimensions(100, 2); // by the random walk
        }
    }

    @Test
    void theCommandScoresPointsAsTheModelDoes() throws Exception {
        Files.writeString(folder.resolve("points.csv"), "x,y\n1,0\n0,0\n3,3\n");
        CommandLine.Finished scored = CommandLine.start(folder, "score", "whole", "points.csv", "--out=f.jsonl")
                .await();
        assertThat(scored.exit()).as("%s", scored).isZero();
        try (Model model = Model.load(whole)) {
            double[] f = model.score(new double[][] {{1, 0}, {0, 0}, {3, 3}});
            assertThat(Files.readAllLines(folder.resolve("f.jsonl")).stream()
                            .map(line -> (float) JSON.readTree(line).path("f").asDouble()))
                    .containsExactly((float) f[0], (float) f[1], (float) f[2]);
        }
    }

    @Test
    void withoutTheClassesTheRunIsRefusedAndKept() throws Exception {
        Map<String, String> before = checkpoints(whole);
        CommandLine.Finished finished = CommandLine.runWithoutOwnParts(folder, "train", "--resume", "whole");
        assertThat(finished.exit()).isEqualTo(REFUSED);
        assertThat(finished.out()).isEmpty();
        assertThat(finished.err()).contains("radial-basis", "random-walk", "logistic", "gradient-penalty");
        assertThat(checkpoints(whole)).isEqualTo(before);
    }

    @Test
    void imagesInAFormatOfOnesOwnAreShown() throws Exception {
        Files.writeString(folder.resolve("crosses.txt"), "hex-images\n0f0\nfff\n0f0\n\nf0f\n0f0\nf0f\n");
        CommandLine.Finished shown = CommandLine.start(
                        folder, "data", "show", "crosses.txt", "--out=sheet.png", "--json")
                .await();
        assertThat(shown.exit()).as("%s", shown).isZero();
        JsonNode facts = JSON.readTree(shown.out());
        assertThat(facts.path("images").asInt()).isEqualTo(2);
        assertThat(facts.path("shape").asString()).isEqualTo("1x3x3");
        assertThat(folder.resolve("sheet.png")).isNotEmptyFile();
    }

    /** The step of the newest checkpoint; −1 where there is none. */
    private static long newest(Path run) {
        Path checkpoints = run.resolve("checkpoints");
        if (!Files.isDirectory(checkpoints)) {
            return -1;
        }
        try (Stream<Path> files = Files.list(checkpoints)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("[0-9]+\\.json"))
                    .mapToLong(name -> Long.parseLong(name.substring(0, name.indexOf('.'))))
                    .max()
                    .orElse(-1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes of every checkpoint's files, as text that can be compared. */
    private static Map<String, String> checkpoints(Path run) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(run.resolve("checkpoints"))) {
            for (Path file : files.toList()) {
                found.put(file.getFileName().toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return found;
    }
}
