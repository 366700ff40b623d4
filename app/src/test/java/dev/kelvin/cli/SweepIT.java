package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A sweep that was killed and stopped in the middle, and shared out, equals one that was not, byte for byte. */
@Execution(ExecutionMode.CONCURRENT)
class SweepIT {
    private static final int ITERATIONS = 20;
    private static final List<String> RUNS = List.of("1_steps=1_seed=0", "2_steps=2_seed=0");

    @TempDir
    private Path folder;

    private static String[] sweep(String out, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "sweep",
                "rings",
                "--set=negatives.steps=1,2",
                "--set=model.mlp.hidden=[8, 8]",
                "--set=train.batch=16",
                "--set=train.checkpointEvery=5",
                "--set=train.logEvery=1",
                "--set=terms=[gate: {}]",
                "--set=train.iterations=" + ITERATIONS,
                "--out=" + out,
                "--json"));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    @Test
    void aKilledSweepGoesOnAsIfNothingHadBeen() throws IOException {
        JsonNode share =
                new JsonMapper().readTree(finish(sweep("whole", "--task=1/2")).out());
        assertThat(share.path("ended").asString()).isEqualTo("unfinished");
        assertThat(share.path("finished").asInt()).isEqualTo(1);
        assertThat(folder.resolve("whole/report.html")).doesNotExist();
        JsonNode both =
                new JsonMapper().readTree(finish(sweep("whole", "--task=2/2")).out());
        assertThat(both.path("ended").asString()).isEqualTo("finished");
        assertThat(both.path("ranked_by").asString()).isEqualTo("kl");
        assertThat(both.path("points").size()).isEqualTo(RUNS.size());

        Gate.close(folder, ITERATIONS + 7); // in the second run, between two checkpoints
        Kelvin killed = Kelvin.startGated(folder, sweep("killed", "--jobs=1"));
        killed.until("the second run's seventh step", () -> logged(RUNS.get(1), 7));
        assertThat(killed.kill().exit()).isEqualTo(128 + 9);
        Gate.open(folder);
        Gate.close(folder, 3); // from the checkpoint of step 5
        Kelvin stopped = Kelvin.startGated(folder, "sweep", "--resume", "killed", "--jobs=1");
        stopped.until("its next steps", () -> logged(RUNS.get(1), 8));
        stopped.interrupt();
        stopped.until("an answer", () -> stopped.err().contains("saving and stopping"));
        Gate.open(folder);
        Kelvin.Finished end = stopped.await();
        assertThat(end.exit()).as(end.err()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(end.err()).contains("stopped; continue with: kelvin sweep --resume killed");

        Kelvin.Finished last = finish("sweep", "--resume", "killed");
        assertThat(last.err()).doesNotContain(RUNS.get(0) + ": ").contains(RUNS.get(1) + ": ");
        assertThat(last.out()).contains("2 runs: 2 finished", "Report: killed/report.html");
        List<String> files = results(folder.resolve("whole"));
        assertThat(results(folder.resolve("killed"))).isEqualTo(files).contains("sweep.csv", "sweep.yaml");
        for (String file : files) {
            assertThat(folder.resolve("killed").resolve(file))
                    .as(file)
                    .hasSameBinaryContentAs(folder.resolve("whole").resolve(file));
        }
    }

    /** They are a sweep without settings. */
    @Test
    void severalSeedsOfOneRecipe() throws IOException {
        List<String> words = new ArrayList<>(List.of(sweep("seeds", "--seeds=0..1")));
        words.set(0, "train");
        words.set(words.indexOf("--set=negatives.steps=1,2"), "--set=negatives.steps=1");
        JsonNode both =
                new JsonMapper().readTree(finish(words.toArray(String[]::new)).out());
        assertThat(both.path("finished").asInt()).isEqualTo(2);
        assertThat(both.path("points").get(0).path("range").size()).isEqualTo(2);
        for (String run : List.of("seed=0", "seed=1")) {
            assertThat(folder.resolve("seeds").resolve(run).resolve("report.html"))
                    .isNotEmptyFile();
        }
        assertThat(Files.readString(folder.resolve("seeds/seed=1/recipe.yaml"))).contains("seed: 1");
        assertThat(Files.readString(folder.resolve("seeds/report.html"))).contains("2 runs: 2 finished");
    }

    private Kelvin.Finished finish(String... words) {
        Kelvin.Finished finished = Kelvin.startGated(folder, words).await();
        assertThat(finished.exit()).as(finished.err()).isZero();
        return finished;
    }

    /** Whether so many steps of a run of the sweep that is killed are in its log. */
    private boolean logged(String run, int steps) {
        Path file = folder.resolve("killed").resolve(run).resolve("metrics.jsonl");
        try {
            return Files.exists(file) && Files.readString(file).contains("\"step\":" + steps + ",");
        } catch (IOException e) {
            return false; // it is read again
        }
    }

    /** All files but those that the clock is in. */
    private static List<String> results(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .filter(
                            name -> !name.matches(
                                    "(.*/)?(\\.lock|provenance\\.json|timing\\.json|report\\.html|events\\..*|.*\\.tmp[\\d-]+)"))
                    .sorted()
                    .toList();
        }
    }
}
