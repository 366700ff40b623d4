package dev.kelvin.train.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.train.FakeLearner;
import dev.kelvin.train.Recorder;
import dev.kelvin.train.TinyRun;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs that have lost all of their checkpoints, or have none yet. */
class DamagedCheckpointsTest {
    @TempDir
    Path folder;

    private final FakeLearner learner = new FakeLearner((step, visit) -> 1);

    @BeforeEach
    void saveTwo() throws IOException {
        checkpoints().save(new Checkpoints.Position(10, 0, 0), learner, OptionalDouble.of(1), true);
        checkpoints().save(new Checkpoints.Position(20, 0, 0), learner, OptionalDouble.of(2), true);
    }

    @AfterEach
    void close() {
        learner.close();
    }

    private Checkpoints checkpoints() {
        return new Checkpoints(folder);
    }

    private Path file(long step, String end) {
        return folder.resolve(String.format(Locale.ROOT, "%09d.%s", step, end));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    private Trainer trainer() {
        return new Trainer(
                TinyRun.settings(100, 10),
                (key, step, count) -> {
                    throw new AssertionError("no step may be taken");
                },
                learner,
                checkpoints(),
                Optional.empty(),
                new Recorder(),
                System::nanoTime);
    }

    /** Taken for a run without any, it would begin again, and write over what may still be mended. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("dev.kelvin.train.checkpoint.CheckpointsTest#damages")
    void whenAllAreDamagedWhoeverWantsOneIsStopped(String name, CheckpointsTest.Damage damage) throws IOException {
        damage.to(file(10, "json"), file(10, "safetensors"));
        damage.to(file(20, "json"), file(20, "safetensors"));
        List<String> before = names();
        for (ThrowableAssert.ThrowingCallable reader : List.<ThrowableAssert.ThrowingCallable>of(
                () -> trainer().run(() -> false),
                () -> checkpoints().restore(learner, false),
                () -> checkpoints().restore(learner, true),
                () -> checkpoints().restore(CheckpointChoice.BEST, learner),
                () -> checkpoints().restore(CheckpointChoice.at(20), learner),
                () -> checkpoints().read(CheckpointChoice.NEWEST, tensor -> true),
                () -> checkpoints().newest(),
                () -> checkpoints().read(CheckpointChoice.BEST, tensor -> false),
                () -> checkpoints().steps())) {
            assertThatThrownBy(reader)
                    .isInstanceOf(UnreadableFileException.class)
                    .hasMessageStartingWith(folder + ": no checkpoint is whole: ")
                    .hasMessageContainingAll("000000010.", "000000020.", "left as they are", "from a copy");
        }
        assertThat(names()).isEqualTo(before);
    }

    /** Its files may be damaged in different ways. */
    @Test
    void eachDamageIsNamed() throws IOException {
        Files.delete(file(10, "json"));
        Files.delete(file(20, "safetensors"));
        assertThatThrownBy(() -> checkpoints().restore(learner, false))
                .hasMessageContainingAll(file(20, "safetensors") + " is missing", file(10, "json") + " is missing");
    }

    /** A run that was killed before its first checkpoint was complete has lost nothing. */
    @Test
    void theFirstOnesTensorsAloneAreNoDamage() throws IOException {
        Path run = Files.createDirectory(folder.resolve("killed"));
        Files.copy(file(10, "safetensors"), run.resolve("000000000.safetensors"));
        Files.writeString(run.resolve("000000000.json.tmp4711"), "{");
        assertThat(new Checkpoints(run).restore(learner, false)).isEmpty();
        assertThat(new Checkpoints(run).newest()).isEmpty();
    }

    /** What is gone must not come back with nothing but its newest checkpoint. */
    @Test
    void aRunThatWasRemovedIsNotMadeAgain() {
        Path run = folder.resolve("removed");
        Checkpoints checkpoints = new Checkpoints(run.resolve("checkpoints"));
        assertThatThrownBy(() ->
                        checkpoints.save(new Checkpoints.Position(1, 0, 0), learner, OptionalDouble.empty(), true))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("there is no folder " + run, "removed or moved");
        assertThat(run).doesNotExist();
    }
}
