package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that was stopped and resumed equals one that was not, to the bit. */
class ResumeTest {
    private static final long ITERATIONS = 60;
    private static final long EVERY = 20;

    @TempDir
    Path folder;

    /** Everything that a run is: the learner's whole state, and what it reported. */
    private record End(
            Map<String, List<Float>> tensors, Map<String, Long> numbers, TreeMap<Long, Map<String, Double>> reports) {
        static End of(Learner learner, Recorder recorder) {
            State state = State.empty();
            learner.save(state);
            Map<String, List<Float>> tensors = state.tensors().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, entry -> floats(entry.getValue())));
            return new End(tensors, state.numbers(), recorder.reports);
        }

        private static List<Float> floats(Tensor tensor) {
            float[] values = tensor.toFloats();
            Float[] boxed = new Float[values.length];
            Arrays.setAll(boxed, i -> values[i]);
            return List.of(boxed);
        }
    }

    /** What kills a run in the middle of a step, with nothing saved. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static Trainer trainer(Learner learner, Path folder, TrainListener listener) {
        return new Trainer(
                TinyRun.settings(ITERATIONS, EVERY),
                TinyRun.positives(learner.model()),
                learner,
                new Checkpoints(folder),
                Optional.of(any -> any.averaged().flat().norm().item()),
                listener,
                System::nanoTime);
    }

    private static final Map<TinyRun.Kind, End> WHOLE = new EnumMap<>(TinyRun.Kind.class);

    @BeforeAll
    static void runWithoutInterruption(@TempDir Path runs) throws IOException {
        for (TinyRun.Kind kind : TinyRun.Kind.values()) {
            Recorder recorder = new Recorder();
            try (Learner learner = TinyRun.learner(kind, Key.of(1), ITERATIONS)) {
                assertThat(trainer(learner, runs.resolve(kind.name()), recorder).run(() -> false))
                        .isEqualTo(Trainer.Outcome.FINISHED);
                WHOLE.put(kind, End.of(learner, recorder));
            }
        }
    }

    private static End uninterrupted(TinyRun.Kind kind) {
        End end = WHOLE.get(kind);
        if (end == null) {
            throw new IllegalStateException("no run of " + kind);
        }
        return end;
    }

    /** Goes on with a learner that was born with other numbers: all that matters must come from the checkpoint. */
    private End resumed(TinyRun.Kind kind, Path run, Recorder recorder) throws IOException {
        try (Learner learner = TinyRun.learner(kind, Key.of(99), ITERATIONS)) {
            assertThat(trainer(learner, run, recorder).run(() -> false)).isEqualTo(Trainer.Outcome.FINISHED);
            return End.of(learner, recorder);
        }
    }

    static Stream<Arguments> stops() {
        return Stream.of(TinyRun.Kind.values())
                .flatMap(kind -> Stream.of(1, 7, 20, 33, 59).map(stop -> Arguments.of(kind, stop)));
    }

    @ParameterizedTest
    @MethodSource("stops")
    void stoppedAndResumed(TinyRun.Kind kind, int stop) throws IOException {
        End whole = uninterrupted(kind);
        Path run = folder.resolve("stopped");
        Recorder recorder = new Recorder();
        int[] asked = {0};
        try (Learner learner = TinyRun.learner(kind, Key.of(1), ITERATIONS)) {
            assertThat(trainer(learner, run, recorder).run(() -> asked[0]++ == stop))
                    .isEqualTo(Trainer.Outcome.INTERRUPTED);
        }
        assertThat(recorder.reports).hasSize(stop);
        assertThat(resumed(kind, run, recorder)).isEqualTo(whole);
        assertThat(whole.tensors().keySet()).contains("parameters");
        assertThat(whole.reports()).hasSize((int) ITERATIONS);
    }

    @ParameterizedTest
    @EnumSource(TinyRun.Kind.class)
    void killedAndResumed(TinyRun.Kind kind) throws IOException {
        End whole = uninterrupted(kind);
        for (int stop : new int[] {1, 20, 33}) {
            Path run = folder.resolve("killed at " + stop);
            Recorder recorder = new Recorder();
            kill(kind, run, recorder, stop);
            assertThat(resumed(kind, run, recorder)).isEqualTo(whole);
        }
    }

    private static void kill(TinyRun.Kind kind, Path run, Recorder recorder, int stop) {
        int[] asked = {0};
        try (Learner learner = TinyRun.learner(kind, Key.of(1), ITERATIONS)) {
            assertThatThrownBy(() -> trainer(learner, run, recorder).run(() -> {
                        if (asked[0]++ == stop) {
                            throw new Killed();
                        }
                        return false;
                    }))
                    .isInstanceOf(Killed.class);
        }
    }

    /** Killed while the newest checkpoint was written: half of its files are there. */
    @ParameterizedTest
    @EnumSource(TinyRun.Kind.class)
    void killedWhileSaving(TinyRun.Kind kind) throws IOException {
        End whole = uninterrupted(kind);
        for (int way = 0; way < 4; way++) {
            Path run = folder.resolve("way " + way);
            Recorder recorder = new Recorder();
            kill(kind, run, recorder, 45);
            Path json = run.resolve("000000040.json");
            Path tensors = run.resolve("000000040.safetensors");
            byte[] bytes = Files.readAllBytes(tensors);
            byte[] half = Arrays.copyOf(bytes, bytes.length / 2);
            if (way == 0) { // the temporary file was being written
                Files.delete(json);
                Files.delete(tensors);
                Files.write(run.resolve("000000040.safetensors.tmp1"), half);
            } else if (way == 1) { // between the two
                Files.delete(json);
            } else if (way == 2) { // the system lost what was not yet on the disk
                Files.write(tensors, half);
            } else {
                Files.write(json, new byte[0]);
            }
            assertThat(new Checkpoints(run).newest().orElseThrow().step()).isEqualTo(20);
            assertThat(resumed(kind, run, recorder)).isEqualTo(whole);
            try (Stream<Path> files = Files.list(run)) {
                assertThat(files.filter(
                                file -> String.valueOf(file.getFileName()).contains("tmp")))
                        .isEmpty();
            }
        }
    }

    /** The twin: if one of the parts is not restored, the runs differ. */
    @ParameterizedTest
    @EnumSource(TinyRun.Kind.class)
    void whatIsNotRestoredIsSeen(TinyRun.Kind kind) throws IOException {
        End whole = uninterrupted(kind);
        Recorder recorder = new Recorder();
        Path run = folder.resolve("stopped");
        int[] asked = {0};
        try (Learner learner = TinyRun.learner(kind, Key.of(1), ITERATIONS)) {
            trainer(learner, run, recorder).run(() -> asked[0]++ == 33);
        }
        String forgotten = switch (kind) {
            case FRESH -> "optimiser.mean";
            case TIME -> "negatives.steps";
            default -> "negatives.slots";
        };
        try (Learner learner = TinyRun.learner(kind, Key.of(99), ITERATIONS)) {
            State state = State.empty();
            learner.save(state);
            Tensor own = state.tensors().get(forgotten);
            assertThat(own).isNotNull();
            Learner forgetful = new Forgetful(learner, forgotten);
            trainer(forgetful, run, recorder).run(() -> false);
            assertThat(End.of(learner, recorder)).isNotEqualTo(whole);
        }
    }

    /** Restores all but one tensor. */
    private record Forgetful(Learner inner, String forgotten) implements Learner {
        @Override
        public StepReport step(Key key, long step, Batch positives) {
            return inner.step(key, step, positives);
        }

        @Override
        public EnergyModel model() {
            return inner.model();
        }

        @Override
        public Parameters averaged() {
            return inner.averaged();
        }

        @Override
        public void save(State state) {
            inner.save(state);
        }

        @Override
        public void load(State state) {
            State own = State.empty();
            inner.save(own);
            Map<String, Tensor> tensors = new LinkedHashMap<>(state.tensors());
            Tensor kept = own.tensors().get(forgotten);
            if (kept != null) {
                tensors.put(forgotten, kept);
            }
            inner.load(State.of(tensors, state.numbers()));
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
