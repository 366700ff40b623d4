package dev.kelvin.train.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.io.Sha256;
import dev.kelvin.negative.Batch;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.BatchSource;
import dev.kelvin.train.FakeLearner;
import dev.kelvin.train.Learner;
import dev.kelvin.train.Recorder;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TinyRun;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import dev.kelvin.train.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainerTest {
    @TempDir
    Path folder;

    private final Recorder recorder = new Recorder();

    private Trainer trainer(FakeLearner learner, long iterations, int retries) {
        return trainer(learner, iterations, retries, Optional.empty());
    }

    private Trainer trainer(
            FakeLearner learner, long iterations, int retries, Optional<ToDoubleFunction<Learner>> score) {
        Trainer.Settings settings = new Trainer.Settings(iterations, 4, 10, 7, new Guard.Settings(100, 3, retries));
        return new Trainer(
                settings,
                BatchSource.fresh(TinyRun.DATA),
                learner,
                new Checkpoints(folder),
                score,
                recorder,
                System::nanoTime);
    }

    /** The steps of the checkpoints in the folder, by their JSON. */
    private List<Long> saved() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".json"))
                    .map(name -> Long.parseLong(name.replaceFirst("(-\\d+)?\\.json$", "")))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aGoodRunTakesEachStepOnceWithAKeyOfItsOwn() throws IOException {
        try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
            assertThat(trainer(learner, 25, 3).run(() -> false)).isEqualTo(Trainer.Outcome.FINISHED);
            assertThat(learner.steps)
                    .containsExactlyElementsOf(LongStream.range(0, 25).boxed().toList());
            assertThat(new HashSet<>(learner.keys)).hasSize(25);
            assertThat(recorder.reports.keySet())
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 25).boxed().toList());
            assertThat(saved()).containsExactly(20L, 25L);
        }
    }

    /** A run that was killed while its last save removed an older checkpoint, header first, leaves the tensors. */
    @Test
    void whatAKilledRunLeftIsRemovedThoughNothingIsLeftToDo() throws IOException {
        try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
            trainer(learner, 25, 3).run(() -> false);
            Path orphan = Files.write(folder.resolve("000000010.safetensors"), new byte[] {1});
            assertThat(trainer(learner, 25, 3).run(() -> false)).isEqualTo(Trainer.Outcome.FINISHED);
            assertThat(orphan).doesNotExist();
            assertThat(saved()).containsExactly(20L, 25L);
        }
    }

    @Test
    void nanGoesBackAtOnceWithAFreshKey() throws IOException {
        try (FakeLearner learner = new FakeLearner((step, visit) -> step == 14 && visit == 0 ? Double.NaN : 1)) {
            assertThat(trainer(learner, 20, 3).run(() -> false)).isEqualTo(Trainer.Outcome.FINISHED);
            assertThat(recorder.events)
                    .contains("started at 0", "back from 15 to 10, 1 of 3: " + nanName(), "started at 10");
            assertThat(learner.steps).hasSize(15 + 10);
            assertThat(new HashSet<>(learner.keys)).hasSize(25); // none is used again
            assertThat(learner.count()).isEqualTo(20); // the five broken steps are undone
            assertThat(new Checkpoints(folder).newest().orElseThrow().retries()).isEqualTo(1);
        }
    }

    /** Loss and gap are both NaN; the first one in the report is named. */
    private static String nanName() {
        return new StepReport(Map.of("loss", Double.NaN, "gap", Double.NaN))
                        .values()
                        .keySet()
                        .iterator()
                        .next()
                + " is NaN";
    }

    @Test
    void theBoundIsWaitedForAndThenGoesBack() throws IOException {
        // beyond the bound at 8, 9, 10: the checkpoint of 10 is due in the middle and must not be written
        try (FakeLearner learner = new FakeLearner((step, visit) -> step >= 8 && visit == 0 ? 101 : 1)) {
            trainer(learner, 14, 3).run(() -> false);
            assertThat(recorder.events).anyMatch(event -> event.startsWith("back from 11 to 0, 1 of 3: f of the"));
        }
    }

    @Test
    void badStatesAreNotSaved() throws IOException {
        // two steps beyond the bound, then good again: never broken, but 10 was bad
        try (FakeLearner learner = new FakeLearner((step, visit) -> step == 8 || step == 9 ? 101 : 1)) {
            assertThat(trainer(learner, 15, 0).run(() -> false)).isEqualTo(Trainer.Outcome.FINISHED);
            assertThat(saved()).containsExactly(0L, 15L);
        }
        // bad at the very end: the last good one stays
        Path other = folder.resolve("other");
        try (FakeLearner learner = new FakeLearner((step, visit) -> step == 14 ? 101 : 1)) {
            Trainer.Settings settings = new Trainer.Settings(15, 4, 10, 7, new Guard.Settings(100, 3, 0));
            Trainer trainer = new Trainer(
                    settings,
                    BatchSource.fresh(TinyRun.DATA),
                    learner,
                    new Checkpoints(other),
                    Optional.empty(),
                    recorder,
                    System::nanoTime);
            assertThatThrownBy(() -> trainer.run(() -> false)).isInstanceOf(DivergedException.class);
            assertThat(new Checkpoints(other).newest().orElseThrow().step()).isEqualTo(10);
        }
    }

    /** A step's numbers are taken before its update: only the state itself shows that the update broke it. */
    @Test
    void aStateThatIsNotFiniteIsNotSavedAndGoesBack() throws IOException {
        for (long breaksAt : new long[] {19, 24}) { // the last before a checkpoint, and of the run
            recorder.events.clear();
            Checkpoints checkpoints = new Checkpoints(folder.resolve("breaks at " + breaksAt));
            try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
                learner.breaksAt = breaksAt;
                Trainer.Settings settings = new Trainer.Settings(25, 4, 10, 7, new Guard.Settings(100, 3, 1));
                new Trainer(
                                settings,
                                BatchSource.fresh(TinyRun.DATA),
                                learner,
                                checkpoints,
                                Optional.empty(),
                                recorder,
                                System::nanoTime)
                        .run(() -> false);
                long to = breaksAt == 19 ? 10 : 20;
                assertThat(recorder.events)
                        .contains("back from " + (breaksAt + 1) + " to " + to + ", 1 of 1: parameters is not finite");
                assertThat(learner.count()).isEqualTo(25);
            }
        }
    }

    @Test
    void aStateThatIsNotFiniteIsNotSavedOnAStop() throws IOException {
        try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
            learner.breaksAt = 12;
            assertThat(trainer(learner, 20, 3).run(() -> learner.steps.size() == 13))
                    .isEqualTo(Trainer.Outcome.INTERRUPTED);
            assertThat(saved()).containsExactly(0L, 10L);
        }
    }

    @Test
    void afterSoManyTriesTheRunStopsAndKeepsEverything() throws IOException {
        try (FakeLearner learner = new FakeLearner((step, visit) -> step == 12 ? Double.NaN : 1)) {
            assertThatThrownBy(() -> trainer(learner, 20, 2).run(() -> false))
                    .isInstanceOf(DivergedException.class)
                    .hasMessageStartingWith("step 13: ")
                    .hasMessageContaining(
                            "is NaN, after going back 2 times. Everything up to the last good checkpoint");
            assertThat(learner.steps.stream().filter(step -> step == 12)).hasSize(3);
            assertThat(recorder.events.stream().filter(event -> event.startsWith("back from")))
                    .hasSize(2);
            assertThat(saved()).containsExactly(0L, 10L);
        }
    }

    @Test
    void withoutTriesTheFirstNanStops() {
        try (FakeLearner learner = new FakeLearner((step, visit) -> step == 12 ? Double.NaN : 1)) {
            assertThatThrownBy(() -> trainer(learner, 20, 0).run(() -> false))
                    .isInstanceOf(DivergedException.class)
                    .hasMessageContaining("after going back 0 times");
            assertThat(learner.steps).hasSize(13);
        }
    }

    /** Killed after going back, a resumed run meets the same trouble in the same place and goes back itself. */
    @Test
    void keysOfASecondTryDependOnTheTriesAlone() throws IOException {
        try (FakeLearner once = new FakeLearner((step, visit) -> step == 14 && visit == 0 ? Double.NaN : 1)) {
            trainer(once, 20, 3).run(() -> false);
            try (FakeLearner again = new FakeLearner((step, visit) -> step == 14 && visit == 0 ? Double.NaN : 1)) {
                Trainer.Settings settings = new Trainer.Settings(20, 4, 10, 7, new Guard.Settings(100, 3, 3));
                Checkpoints other = new Checkpoints(folder.resolve("other"));
                int[] calls = {0};
                Trainer trainer = new Trainer(
                        settings,
                        BatchSource.fresh(TinyRun.DATA),
                        again,
                        other,
                        Optional.empty(),
                        new Recorder(),
                        System::nanoTime);
                assertThat(trainer.run(() -> calls[0]++ == 18)).isEqualTo(Trainer.Outcome.INTERRUPTED);
                // 15 steps, back to 10, 3 more: saved at 13 with one try used
                assertThat(other.newest().orElseThrow().step()).isEqualTo(13);
                trainer.run(() -> false);
                assertThat(again.keys).isEqualTo(once.keys);
            }
        }
    }

    @Test
    void aStopSavesAndSaysSo() throws IOException {
        try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
            Trainer trainer = trainer(learner, 20, 3);
            assertThat(trainer.run(() -> learner.steps.size() == 13)).isEqualTo(Trainer.Outcome.INTERRUPTED);
            assertThat(saved()).containsExactly(0L, 10L, 13L);
            assertThat(trainer.run(() -> false)).isEqualTo(Trainer.Outcome.FINISHED);
            assertThat(learner.steps).hasSize(20);
            assertThat(trainer.run(() -> false)).isEqualTo(Trainer.Outcome.FINISHED); // nothing is left to do
            assertThat(learner.steps).hasSize(20);
        }
    }

    @Test
    void everyScoredCheckpointIsTold() throws IOException {
        try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
            trainer(learner, 25, 3, Optional.of(scored -> ((FakeLearner) scored).count() / 2))
                    .run(() -> false);
            assertThat(recorder.events)
                    .containsExactly("started at 0", "scored 10 5.0", "scored 20 10.0", "scored 25 12.5");
            assertThat(new Checkpoints(folder).newest().orElseThrow().score()).contains(12.5);
        }
    }

    @Test
    void theLastTwoAndTheBestAreKept() throws IOException {
        // the lowest score is that of step 20
        try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
            trainer(learner, 60, 3, Optional.of(scored -> Math.abs(((FakeLearner) scored).count() - 21)))
                    .run(() -> false);
            assertThat(saved()).containsExactly(20L, 50L, 60L);
            assertThat(new Checkpoints(folder)
                            .read(CheckpointChoice.BEST, tensor -> false)
                            .map(Checkpoints.Saved::header)
                            .orElseThrow()
                            .step())
                    .isEqualTo(20);
        }
    }

    @Test
    void aScoreThatIsNoneIsNeverTheBest() throws IOException {
        try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
            trainer(learner, 60, 3, Optional.of(scored -> {
                        double count = ((FakeLearner) scored).count();
                        return count == 10 ? Double.NaN : count == 20 ? Double.NEGATIVE_INFINITY : 100 - count;
                    }))
                    .run(() -> false);
            assertThat(saved()).containsExactly(50L, 60L);
            assertThat(new Checkpoints(folder)
                            .read(CheckpointChoice.BEST, tensor -> false)
                            .map(Checkpoints.Saved::header)
                            .orElseThrow()
                            .step())
                    .isEqualTo(60);
        }
    }

    @Test
    void positivesAreFreshAtEachStepAndFreedAfterIt() throws IOException {
        Tensor[] last = new Tensor[1];
        HashSet<List<Float>> seen = new HashSet<>();
        try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
            Trainer.Settings settings = TinyRun.settings(10, 10);
            new Trainer(
                            settings,
                            (key, step, count) -> {
                                Tensor batch = TinyRun.DATA.draw(key, count);
                                last[0] = batch;
                                List<Float> numbers = new ArrayList<>();
                                for (float value : batch.toFloats()) {
                                    numbers.add(value);
                                }
                                seen.add(numbers);
                                return Batch.of(batch);
                            },
                            learner,
                            new Checkpoints(folder),
                            Optional.empty(),
                            recorder,
                            System::nanoTime)
                    .run(() -> false);
            assertThat(seen).hasSize(10);
            assertThatThrownBy(() -> last[0].count()).hasMessageContaining("was freed");
        }
    }

    @Test
    void anUnscoredCheckpointHasNoScore() throws IOException {
        try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
            new Checkpoints(folder).save(new Checkpoints.Position(3, 1, 0), learner, OptionalDouble.empty(), true);
            Checkpoints.Header header = new Checkpoints(folder).newest().orElseThrow();
            assertThat(header.score()).isEmpty();
            assertThat(header.step()).isEqualTo(3);
            assertThat(header.retries()).isEqualTo(1);
            assertThat(header.model()).isEqualTo(TinyRun.MODEL);
        }
    }

    /** Where a broken run goes back to must not depend on where it was interrupted. */
    @Test
    void goingBackPassesOverAnInterruption() throws IOException {
        // the first visit of step 17 breaks the run; 13 was saved by an interruption
        try (FakeLearner learner = new FakeLearner((step, visit) -> step == 17 && visit == 0 ? Double.NaN : 1)) {
            Trainer trainer = trainer(learner, 20, 3);
            trainer.run(() -> learner.steps.size() == 13);
            trainer.run(() -> learner.steps.size() == 15);
            assertThat(saved()).containsExactly(0L, 10L, 15L); // as without an interruption, and where it is
            trainer.run(() -> false);
            assertThat(recorder.events).anyMatch(event -> event.contains("18") && event.contains("10"));
        }
    }

    // ---- saved by the clock

    /** A run of steps that take so long, on a clock of its own; the script may kill it. */
    private Outcome timed(Path run, double secondsAStep, long every, int retries, FakeLearner.Script script)
            throws IOException {
        long[] nanos = {0};
        Recorder seen = new Recorder();
        try (FakeLearner learner = new FakeLearner((step, visit) -> {
            nanos[0] += (long) (secondsAStep * 1e9);
            return script.gap(step, visit);
        })) {
            Trainer.Settings settings = new Trainer.Settings(40, 4, every, 7, new Guard.Settings(100, 3, retries));
            try {
                new Trainer(
                                settings,
                                BatchSource.fresh(TinyRun.DATA),
                                learner,
                                new Checkpoints(run),
                                Optional.of(scored -> ((FakeLearner) scored).count()),
                                seen,
                                () -> nanos[0])
                        .run(() -> false);
            } catch (DivergedException | Killed e) {
                seen.events.add(String.valueOf(e.getMessage()));
            }
            return new Outcome(seen.events, seen.reports, learner.keys, contents(run));
        }
    }

    /** All that a run tells and leaves. */
    private record Outcome(
            List<String> events, Map<Long, Map<String, Double>> reports, List<Key> keys, Map<String, String> files) {
        long startedAt() {
            return Long.parseLong(events.get(0).replace("started at ", ""));
        }
    }

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static Map<String, String> contents(Path run) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(run)) {
            for (Path file : files.toList()) {
                contents.put(String.valueOf(file.getFileName()), Sha256.of(file));
            }
        }
        return contents;
    }

    /** Killed in the middle of a step: what was done before it, and of it, was at most a minute's work, or one step. */
    @ParameterizedTest
    @ValueSource(doubles = {2, 7, 20, 29, 70})
    void atMostAMinuteIsLost(double secondsAStep) throws IOException {
        for (int last : new int[] {5, 23, 39}) {
            Path run = folder.resolve("killed in " + last);
            timed(run, secondsAStep, 1000, 0, (step, visit) -> {
                if (step == last) {
                    throw new Killed();
                }
                return 1;
            });
            Outcome resumed = timed(run, secondsAStep, 1000, 0, (step, visit) -> 1);
            double lost = (last + 1 - resumed.startedAt()) * secondsAStep;
            assertThat(lost).isLessThanOrEqualTo(Math.max(60, secondsAStep));
        }
    }

    /** The run breaks twice and goes back, or gives up; slow or quick, it does, tells and leaves the same. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theClockChangesNothing(int retries) throws IOException {
        FakeLearner.Script script = (step, visit) -> step == 28 && visit < 2 ? Double.NaN : 1;
        Outcome quick = timed(folder.resolve("quick"), 0, 10, retries, script);
        Outcome slow = timed(folder.resolve("slow"), 20, 10, retries, script);
        assertThat(quick.events()).anyMatch(event -> event.startsWith("back from 29 to 20, 1 of "));
        assertThat(quick.events()).anyMatch(event -> event.startsWith("step 29: ") == (retries == 1));
        assertThat(slow).isEqualTo(quick);
    }

    /** After it went back, a run that is killed goes on with what it had after, not before. */
    @Test
    void goingBackIsNotForgotten() throws IOException {
        Path run = folder.resolve("run");
        timed(run, 20, 30, 3, (step, visit) -> {
            if (visit == 1) {
                throw new Killed();
            }
            return step == 28 ? Double.NaN : 1;
        });
        Outcome resumed = timed(run, 20, 30, 3, (step, visit) -> 1);
        assertThat(resumed.startedAt()).isZero();
        assertThat(resumed.events()).noneMatch(event -> event.startsWith("back"));
        assertThat(resumed.keys().get(0))
                .isEqualTo(Key.of(7).child(1).child(resumed.startedAt()).split(2)[1]);
        assertThat(resumed.files())
                .containsOnlyKeys("000000030.json", "000000030.safetensors", "000000040.json", "000000040.safetensors");
    }

    /** Whoever was stopped after that goes back to the same state, with the same number of tries. */
    @Test
    void goingBackToTheBeginningLeavesItsCheckpoint() throws IOException {
        Path run = folder.resolve("run");
        Path first = run.resolve("000000000.json");
        timed(run, 20, 30, 3, (step, visit) -> {
            if (visit == 1) {
                throw new Killed();
            }
            return step == 28 ? Double.NaN : 1;
        });
        String before = Files.readString(first);
        timed(run, 20, 30, 3, (step, visit) -> {
            throw new Killed();
        });
        assertThat(first).hasContent(before);
    }

    @Test
    void anotherSeedIsRefused() throws IOException {
        try (FakeLearner learner = new FakeLearner((step, visit) -> 1)) {
            Trainer.Settings settings = new Trainer.Settings(20, 4, 10, 8, new Guard.Settings(100, 3, 0));
            trainer(learner, 10, 0).run(() -> false);
            Trainer other = new Trainer(
                    settings,
                    BatchSource.fresh(TinyRun.DATA),
                    learner,
                    new Checkpoints(folder),
                    Optional.empty(),
                    recorder,
                    System::nanoTime);
            assertThatThrownBy(() -> other.run(() -> false))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the saved run has seed 7, here it is 8");
        }
    }
}
