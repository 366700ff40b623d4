package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.tensor.Key;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** A run that was stopped, killed or extended equals one that was not, byte for byte. */
@Execution(ExecutionMode.CONCURRENT)
class ResumeIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int ITERATIONS = 400;

    /** In all there are twice as many: one test a kind. */
    private static final int KILLS = 10;

    private static final int KILLED = 128 + 9; // as Java and shells give it
    private static final int HUNG_UP = 128 + 1;
    private static final int TERMINATED = 128 + 15;

    private static final List<String> SMALL = List.of(
            "--set=model.mlp.hidden=[8,8]",
            "--set=negatives.steps=2",
            "--set=train.batch=16",
            "--set=train.checkpointEvery=20",
            "--set=train.logEvery=5",
            "--set=terms=[gate: {}]");

    private static final Kind NOISE_STARTS =
            new Kind("noise starts", Key.of(2).child(0), List.of("--set=optimiser.adam.schedule=constant"));

    private static final Kind PERSISTENT = new Kind(
            "persistent",
            Key.of(2).child(1),
            List.of(
                    "--set=negatives.buffer={size: 64, eviction: reservoir, reinitialise: 0.1}",
                    "--set=train.ema=0.95",
                    "--set=optimiser.adam.schedule={cosine: {finalShare: 0.1, warmup: 30}}"));

    static List<Kind> kinds() {
        return List.of(NOISE_STARTS, PERSISTENT);
    }

    /** A kind of run by the state that it carries, and the key of the moments when it is killed. */
    private record Kind(String name, Key moments, List<String> settings) {
        @Override
        public String toString() {
            return name;
        }

        String[] train(String run, int iterations) {
            List<String> words = new ArrayList<>(List.of("train", "rings", "--out", run));
            words.addAll(SMALL);
            words.addAll(settings);
            words.add("--set=train.iterations=" + iterations);
            return words.toArray(String[]::new);
        }
    }

    /** A run that nobody disturbed, and how long it took. */
    private record Whole(Path run, long millis) {}

    /** What a killed process was doing. */
    private enum Phase {
        BEFORE_THE_FOLDER,
        STARTING,
        TRAINING,
        JUDGING
    }

    private static final Map<Kind, Whole> WHOLE = new ConcurrentHashMap<>();

    @TempDir
    private static Path shared;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("kinds")
    void aStoppedRunGoesOnAsIfNothingHadBeen(Kind kind) {
        Whole whole = whole(kind);
        stopAfter(25, List.of("INT"), ExitCode.INTERRUPTED, kind.train("stopped", ITERATIONS));
        // a shell that is hung up on tells its children, and the system tells them when it ends
        stopAfter(ITERATIONS / 2, List.of("HUP", "HUP"), HUNG_UP, "train", "--resume", "stopped");
        Kelvin.Finished last = finish(Kelvin.startGated(folder, "train", "--resume", "stopped"));
        assertThat(last.err()).contains("resuming from step");
        assertSameRun(folder.resolve("stopped"), whole.run());
    }

    /** Each kill is at a moment that is uniform over what a whole run takes. */
    @ParameterizedTest
    @MethodSource("kinds")
    void aKilledRunGoesOnAsIfNothingHadBeen(Kind kind) {
        Whole whole = whole(kind);
        RandomGenerator random = kind.moments().stream();
        Map<Phase, Integer> kills = new EnumMap<>(Phase.class);
        long millis = whole.millis();
        int runs = 0;
        while (count(kills) < KILLS) {
            String run = "killed" + ++runs;
            int enough = Math.min(KILLS, count(kills) + KILLS / 2); // several runs, each killed several times
            Optional<Phase> phase;
            do {
                long began = System.nanoTime();
                phase = killed(startOrResume(kind, run), run, (long) (random.nextDouble() * millis));
                if (phase.isEmpty()) { // the machine was busier when the whole run was timed
                    millis = Math.min(millis, (System.nanoTime() - began) / 1_000_000);
                }
                phase.ifPresent(during -> kills.merge(during, 1, Integer::sum));
            } while (phase.isPresent() && count(kills) < enough);
            if (phase.isPresent()) {
                finish(startOrResume(kind, run));
            }
            assertSameRun(folder.resolve(run), whole.run());
        }
        System.out.printf("ResumeIT %s: %d runs of %d ms, killed %s%n", kind, runs, millis, kills);
    }

    /**
     * A schedule that depends on the run's length would make another run of it. The header of a checkpoint from before says
     * how long the run was to be then; its tensors are the same.
     */
    @Test
    void aFinishedRunCanBeExtended() {
        finish(Kelvin.startGated(folder, NOISE_STARTS.train("extended", ITERATIONS / 2)));
        finish(Kelvin.startGated(folder, "train", "--resume", "extended", "--set=train.iterations=" + ITERATIONS));
        assertSameRun(
                folder.resolve("extended"),
                whole(NOISE_STARTS).run(),
                name -> name.matches("checkpoints/000000[0-1].*\\.json"));
    }

    /** In a step that does not end, only the second signal can have ended the process. */
    @Test
    void aSecondInterruptKillsAtOnce() {
        Gate.close(folder, 5);
        Kelvin process = Kelvin.startGated(folder, NOISE_STARTS.train("run", ITERATIONS));
        process.until("step 5", () -> logged("run") == 5);
        process.interrupt();
        process.until("an answer", () -> process.err().contains("saving and stopping (once more kills at once)"));
        process.interrupt();
        Kelvin.Finished finished = process.await();
        assertThat(finished.exit()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(finished.err()).doesNotContain("resume with");
        assertThat(finished.out()).isEmpty();
    }

    /** With chains of millions of steps, which only the judgement has, no judgement ends before the signal. */
    @Test
    void aSignalEndsTheJudgement() {
        List<String> words = new ArrayList<>(List.of(NOISE_STARTS.train("run", 20)));
        words.addAll(List.of("--json", "--set=negatives.steps={from: 1, to: 10000000, after: 100, over: 1}"));
        Kelvin process = Kelvin.startGated(folder, words.toArray(String[]::new));
        process.until("the judgement", () -> process.err().contains("judging the model"));
        process.signal("TERM");
        Kelvin.Finished finished = process.await();
        assertThat(finished.exit()).as(finished.err()).isEqualTo(TERMINATED);
        assertThat(finished.err()).contains("stopped before the report; write it with: kelvin evaluate run");
        assertThat(JSON.readTree(finished.out()).path("ended").asString()).isEqualTo("stopped");
        assertThat(folder.resolve("run/checkpoints/000000020.json")).exists();
    }

    // ----

    private static Whole whole(Kind kind) {
        return WHOLE.computeIfAbsent(kind, missing -> {
            String run = missing.name().replace(' ', '-');
            long began = System.nanoTime();
            finish(Kelvin.startGated(shared, missing.train(run, ITERATIONS)));
            return new Whole(shared.resolve(run), (System.nanoTime() - began) / 1_000_000);
        });
    }

    private static Kelvin.Finished finish(Kelvin process) {
        Kelvin.Finished finished = process.await();
        assertThat(finished.exit()).as(finished.err()).isZero();
        return finished;
    }

    /** Sends signals when so many steps more are done, in the next one. */
    private void stopAfter(int steps, List<String> signals, int code, String... arguments) {
        int before = logged("stopped");
        Gate.close(folder, steps);
        Kelvin process = Kelvin.startGated(folder, arguments);
        process.until(steps + " steps", () -> logged("stopped") >= before + steps);
        signals.forEach(process::signal);
        process.until("an answer", () -> process.err().contains("saving and stopping"));
        Gate.open(folder);
        Kelvin.Finished finished = process.await();
        assertThat(finished.exit()).as(finished.err()).isEqualTo(code);
        assertThat(finished.out()).isEmpty();
        assertThat(finished.err()).contains("saving and stopping", "resume with: kelvin train --resume stopped");
        assertThat(logged("stopped")).isEqualTo(before + steps);
    }

    private Kelvin startOrResume(Kind kind, String run) {
        return Files.exists(folder.resolve(run))
                ? Kelvin.startGated(folder, "train", "--resume", run)
                : Kelvin.startGated(folder, kind.train(run, ITERATIONS));
    }

    private static int count(Map<Phase, Integer> kills) {
        return kills.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Kills a process after some time, if it has not finished by then, and says what it was doing. */
    private Optional<Phase> killed(Kelvin process, String run, long millis) {
        Kelvin.Finished end = process.await(millis).orElseGet(process::kill);
        if (end.exit() == ExitCode.OK) {
            return Optional.empty();
        }
        assertThat(end.exit()).as(end.err()).isEqualTo(KILLED);
        if (end.err().contains("judging the model")) {
            return Optional.of(Phase.JUDGING);
        }
        if (end.err().contains("training rings")) {
            return Optional.of(Phase.TRAINING);
        }
        return Optional.of(Files.exists(folder.resolve(run)) ? Phase.STARTING : Phase.BEFORE_THE_FOLDER);
    }

    private int logged(String run) {
        return logged(folder.resolve(run).resolve("metrics.jsonl"));
    }

    /** The last step in a log; a line that is being written does not count. */
    static int logged(Path file) {
        try {
            if (!Files.exists(file)) {
                return 0;
            }
            String text = Files.readString(file);
            List<String> lines =
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
            return lines.isEmpty()
                    ? 0
                    : JSON.readTree(lines.get(lines.size() - 1)).path("step").asInt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parameters, average, optimiser, buffer, metrics, figures, samples and pictures. */
    static void assertSameRun(Path actual, Path expected) {
        assertSameRun(actual, expected, name -> false);
    }

    private static void assertSameRun(Path actual, Path expected, Predicate<String> mayDiffer) {
        Map<String, Path> wanted = results(expected);
        assertThat(wanted)
                .containsKeys("recipe.yaml", "metrics.jsonl", "evaluation.json", "samples/model.npy")
                .containsKeys(newest(wanted));
        Map<String, Path> found = results(actual);
        assertThat(found.keySet()).isEqualTo(wanted.keySet());
        wanted.keySet().removeIf(mayDiffer.or(name -> name.equals("timing.json"))); // by the clock
        wanted.forEach((name, file) -> assertThat(found.get(name)).as(name).hasSameBinaryContentAs(file));
    }

    private static String newest(Map<String, Path> files) {
        return files.keySet().stream()
                .filter(name -> name.endsWith(".safetensors"))
                .max(String::compareTo)
                .orElseThrow();
    }

    /** Everything but what may tell one run from another: when it began, and what a kill left half-written. */
    private static Map<String, Path> results(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            Map<String, Path> results = new TreeMap<>();
            files.filter(Files::isRegularFile)
                    .forEach(file -> results.put(root.relativize(file).toString(), file));
            results.keySet()
                    .removeIf(name ->
                            name.matches("\\.lock|provenance\\.json|report\\.html|events\\..*|.*\\.tmp[\\d-]+"));
            return results;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
