package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.distributed.LostRankException;
import dev.kelvin.distributed.Ranks;
import dev.kelvin.distributed.Shards;
import dev.kelvin.io.Sha256;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.State;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shards are what is computed, ranks are who computes it: checkpoints are the same bytes whatever their number. */
class ShardedRunTest {
    private static final Key BORN = Key.of(1);

    @TempDir
    Path folder;

    private static BooleanSupplier never() {
        return () -> false;
    }

    private static BooleanSupplier at(int step) {
        int[] asked = {0};
        return () -> asked[0]++ == step;
    }

    /** Every file of a run by its SHA-256. */
    private static Map<String, String> sums(Path run) throws IOException {
        Map<String, String> sums = new TreeMap<>();
        try (Stream<Path> files = Files.list(run)) {
            for (Path file : files.toList()) {
                sums.put(file.getFileName().toString(), Sha256.of(Files.readAllBytes(file)));
            }
        }
        return sums;
    }

    private record End(Map<String, String> files, Map<Long, Map<String, Double>> reports) {
        @Override
        public String toString() {
            return files.toString();
        }
    }

    private End whole(ShardedRun.Kind kind, int ranks) throws IOException {
        Path run = folder.resolve(kind + " by " + ranks);
        Recorder recorder = new Recorder();
        assertThat(ShardedRun.run(kind, ranks, BORN, run, recorder, rank -> never()))
                .isEqualTo(Trainer.Outcome.FINISHED);
        return new End(sums(run), recorder.reports);
    }

    @ParameterizedTest
    @EnumSource(ShardedRun.Kind.class)
    void theNumberOfRanksChangesNoByte(ShardedRun.Kind kind) throws IOException {
        End one = whole(kind, 1);
        assertThat(one.files).hasSize(4);
        assertThat(one.reports).hasSize((int) ShardedRun.ITERATIONS);
        assertThat(whole(kind, 2)).isEqualTo(one);
        assertThat(whole(kind, 4)).isEqualTo(one);
    }

    /** Whichever rank wants to stop, and whatever a later learner is born with. */
    @ParameterizedTest
    @EnumSource(ShardedRun.Kind.class)
    void resumedWithAnotherNumberOfRanks(ShardedRun.Kind kind) throws IOException {
        Path run = folder.resolve("resumed");
        Recorder recorder = new Recorder();
        assertThat(ShardedRun.run(kind, 2, BORN, run, recorder, rank -> rank == 1 ? at(4) : never()))
                .isEqualTo(Trainer.Outcome.INTERRUPTED);
        assertThat(ShardedRun.run(kind, 1, Key.of(98), run, recorder, rank -> at(9)))
                .isEqualTo(Trainer.Outcome.INTERRUPTED);
        assertThat(recorder.reports).hasSize(13);
        assertThat(ShardedRun.run(kind, 4, Key.of(99), run, recorder, rank -> never()))
                .isEqualTo(Trainer.Outcome.FINISHED);
        assertThat(new End(sums(run), recorder.reports)).isEqualTo(whole(kind, 1));
    }

    /** One rank fails: the others end, and the run resumes to the same bytes. */
    @Test
    void whereOneRankFailsAllEnd() throws IOException {
        ShardedRun.Kind kind = ShardedRun.Kind.ROBUST;
        Path run = folder.resolve("failed");
        Recorder recorder = new Recorder();
        IllegalStateException failure = new IllegalStateException("rank 2 is out of order");
        assertThatThrownBy(() -> ShardedRun.run(
                        kind,
                        4,
                        BORN,
                        run,
                        recorder,
                        rank -> rank == 2
                                ? () -> {
                                    if (recorder.reports.size() > 13) {
                                        throw failure;
                                    }
                                    return false;
                                }
                                : never()))
                .isInstanceOf(LostRankException.class)
                .hasMessage("rank 2 has ended before the others")
                .satisfies(
                        thrown -> assertThat(thrown.getSuppressed()).hasSize(3).contains(failure));
        ShardedRun.run(kind, 2, Key.of(99), run, recorder, rank -> never());
        assertThat(new End(sums(run), recorder.reports)).isEqualTo(whole(kind, 1));
    }

    /** What one rank alone holds is not finite: all go back. */
    @Test
    void allGoBackTogether() throws IOException {
        Recorder recorder = new Recorder();
        long[] steps = new long[2];
        Trainer.Outcome outcome = ShardedRun.together(2, ranks -> {
            try (FakeLearner learner = new FakeLearner((step, visit) -> 0)) {
                learner.breaksAt = ranks.rank() == 1 ? 15 : -1;
                BatchSource positives = BatchSource.fresh(TinyRun.DATA);
                Trainer.Outcome ended = ShardedRun.trainer(
                                positives, learner, folder.resolve("broken"), recorder, ranks)
                        .run(never());
                steps[ranks.rank()] = learner.steps.size();
                return ended;
            }
        });
        assertThat(outcome).isEqualTo(Trainer.Outcome.FINISHED);
        assertThat(recorder.events).contains("back from 20 to 10, 1 of 3: what another rank holds is not finite");
        assertThat(steps).containsExactly(30, 30);
    }

    /** A learner that is not the first shard's forgets its own shards unless they are saved and loaded. */
    @Test
    void whatOtherRanksHoldIsSaved() {
        State state = State.empty();
        try (Learner learner = ShardedRun.learner(ShardedRun.Kind.ROBUST, BORN, new Shards(4, Ranks.ALONE))) {
            learner.save(state);
        }
        assertThat(state.tensors().keySet())
                .contains("negatives.slots", "negatives.shard.1.slots", "negatives.shard.3.slots");
    }
}
