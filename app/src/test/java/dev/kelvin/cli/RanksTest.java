package dev.kelvin.cli;

import static dev.kelvin.cli.ResumeIT.assertSameRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that are threads of one process, and what cannot be asked of ranks. */
class RanksTest {
    @TempDir
    Path folder;

    private Kelvin.Finished train(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "train",
                "rings",
                "--set=model.mlp.hidden=[8,8]",
                "--set=negatives.steps=2",
                "--set=negatives.buffer={size: 64, reinitialise: 0.1}",
                "--set=objective={robust: {beta: 0.5}}",
                "--set=train={iterations: 30, batch: 16, shards: 4, checkpointEvery: 10, logEvery: 5}"));
        words.addAll(List.of(more));
        return InProcess.run(folder, words.toArray(String[]::new));
    }

    @Test
    void threadsMakeTheSameRun() {
        assertThat(train("--out=@alone").exit()).isZero();
        Kelvin.Finished threads = train("--out=@threads", "--devices=cpu,cpu,cpu,cpu");
        assertThat(threads.exit()).as(threads.err()).isZero();
        assertThat(threads.err()).contains("on cpu by 4 ranks in");
        assertSameRun(folder.resolve("threads"), folder.resolve("alone"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--ranks=3 | 3 ranks cannot share out the recipe's shards, of which there are 4: let --ranks divide it",
                "--ranks=0 | --ranks takes a number from 1 to 4096, found 0",
                "--ranks=x | takes a whole number such as 0 or 42",
                "--ranks=2 --devices=cpu | --devices names a device for each of 2 ranks, found 1",
                "--ranks=2 --rank=1 | a process that is one of several takes --ranks, --rank and --store",
                "--rank=1 --store=file:///s | a process that is one of several takes --ranks, --rank and --store",
                "--ranks=2 --rank=2 --store=file:///s | --rank is a number from 0 to 1 with --ranks 2, found 2",
                "--ranks=2 --rank=1 --store=file:///s --processes | give one of them",
                "--processes | --processes takes --ranks N",
                "--devices=cpu,cpu --ranks=2 --processes | --devices are for the threads of one process",
                "--ranks=2 --address=here | --address goes with --rank",
                "--ranks=2 --timeout=5 | --timeout goes with --rank or --processes",
                "--ranks=2 --processes --timeout=0 | --timeout takes 1 to 1000000 seconds, found 0",
                "--ranks=2 --rank=0 --store=http://here | --store: a store is file:///path, of a file that all processes can",
                "--ranks=2 --rank=0 --store=tcp://here | or tcp://host:port, found tcp://here",
                "--ranks=2 --seeds=0..1 | each of several seeds is trained by one rank: leave out --seeds or the ranks",
                "--ranks=2 --dry-run | --dry-run tries steps on one rank",
            })
    void refused(String words, String problem) {
        Kelvin.Finished ended = train(words.strip().split(" "));
        assertThat(ended.exit()).as(ended.err()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains(problem.strip());
    }
}
