package dev.kelvin.cli;

import static dev.kelvin.cli.ResumeIT.assertSameRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.json.JsonMapper;

/** Processes that train one model together make the same run as one alone, byte for byte, and end when one of them does. */
@Execution(ExecutionMode.CONCURRENT)
class RanksIT {
    private static final int SHARDS = 4;
    private static final int STEPS = 15; // until one is killed
    private static final List<String> TINY = List.of(
            "--set=model.mlp.hidden=[8,8]",
            "--set=negatives.steps=2",
            "--set=negatives.buffer={size: 64, reinitialise: 0.1}",
            "--set=objective={robust: {beta: 0.5}}",
            "--set=train={iterations: 40, batch: 16, shards: 4, checkpointEvery: 10, logEvery: 5}",
            "--set=terms=[gate: {}]");

    @TempDir
    private Path folder;

    private static String[] train(String run, String... more) {
        List<String> words = new ArrayList<>(List.of("train", "rings", "--out", run));
        words.addAll(TINY);
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private static Kelvin.Finished finish(Kelvin process) {
        Kelvin.Finished finished = process.await();
        assertThat(finished.exit()).as(finished.err()).isZero();
        return finished;
    }

    @Test
    void processesMakeTheSameRunEvenIfOneWasKilled() {
        finish(Kelvin.startGated(folder, train("alone")));

        Kelvin.Finished two = finish(Kelvin.startGated(folder, train("two", "--ranks=2", "--processes", "--json")));
        assertThat(new JsonMapper().readTree(two.out()).path("ended").asString())
                .isEqualTo("finished");
        assertThat(two.err()).contains("by 2 ranks");
        assertSameRun(folder.resolve("two"), folder.resolve("alone"));

        killed();
        assertThat(finish(Kelvin.startGated(folder, "train", "--resume", "killed"))
                        .err())
                .contains("resuming from step 10");
        assertSameRun(folder.resolve("killed"), folder.resolve("alone"));
    }

    /** Both wait in the same step when the second is killed. */
    private void killed() {
        String store = folder.resolve("store").toUri().toString();
        Gate.close(folder, STEPS * SHARDS / 2);
        Kelvin second = Kelvin.startGated(folder, train("killed", "--ranks=2", "--rank=1", "--store=" + store));
        Kelvin first = Kelvin.startGated(folder, train("killed", "--ranks=2", "--rank=0", "--store=" + store));
        Path log = folder.resolve("killed/metrics.jsonl");
        first.until("step " + STEPS, () -> ResumeIT.logged(log) == STEPS);
        second.kill();
        Gate.open(folder);
        Kelvin.Finished ended = first.await();
        assertThat(ended.exit()).as(ended.err()).isEqualTo(ExitCode.RECIPE);
        assertThat(ended.messages().filter(line -> line.startsWith("kelvin:")))
                .containsExactly("kelvin: another rank has ended, or cannot be reached any more; resume the run with:"
                        + " kelvin train --resume killed");
    }
}
