package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointsTest {
    @TempDir
    Path folder;

    private final FakeLearner learner = new FakeLearner((step, visit) -> 1);

    @BeforeEach
    void saveTwo() throws IOException {
        save(10, OptionalDouble.of(1));
        save(20, OptionalDouble.of(2));
    }

    @AfterEach
    void close() {
        learner.close();
    }

    private Checkpoints checkpoints() {
        return new Checkpoints(folder);
    }

    /** Saves a learner whose parameters are the step's number. */
    private void save(long step, OptionalDouble score) throws IOException {
        learner.averaged().flat().timesInPlace(0).addNumberInPlace((double) step);
        checkpoints().save(new Checkpoints.Position(step, 0, 0), learner, score);
    }

    private Path file(long step, String end) {
        return folder.resolve(String.format(Locale.ROOT, "%09d.%s", step, end));
    }

    private static void cut(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    /** Where a restored learner stands, by the position and by its parameters, which must agree. */
    private long restored() throws IOException {
        learner.averaged().flat().timesInPlace(0).addNumberInPlace(-1);
        Optional<Checkpoints.Position> position = checkpoints().restore(learner);
        double count = learner.count();
        assertThat((long) count)
                .isEqualTo(position.map(Checkpoints.Position::step).orElse(-1L));
        return (long) count;
    }

    /** A way in which a disk, a power cut or a person can damage the newest checkpoint. */
    @FunctionalInterface
    interface Damage {
        void to(Path json, Path tensors) throws IOException;
    }

    static Stream<Arguments> damages() {
        Map<String, Damage> damages = new LinkedHashMap<>();
        damages.put("tensors missing", (json, tensors) -> Files.delete(tensors));
        damages.put("tensors empty", (json, tensors) -> cut(tensors, 0));
        damages.put("tensors cut in the header", (json, tensors) -> cut(tensors, 5));
        damages.put("tensors cut by a byte", (json, tensors) -> cut(tensors, Files.size(tensors) - 1));
        damages.put("tensors with one bit changed", (json, tensors) -> {
            byte[] bytes = Files.readAllBytes(tensors);
            bytes[bytes.length - 1] ^= 1;
            Files.write(tensors, bytes);
        });
        damages.put("tensors a folder", (json, tensors) -> {
            Files.delete(tensors);
            Files.createDirectory(tensors);
        });
        damages.put("JSON missing", (json, tensors) -> Files.delete(json));
        damages.put("JSON empty", (json, tensors) -> cut(json, 0));
        damages.put("JSON cut by half", (json, tensors) -> cut(json, Files.size(json) / 2));
        damages.put("JSON zeros", (json, tensors) -> Files.write(json, new byte[100]));
        damages.put("JSON null", (json, tensors) -> Files.writeString(json, "null"));
        damages.put("JSON of something else", (json, tensors) -> Files.writeString(json, "{\"step\": 20}"));
        damages.put("JSON an empty object", (json, tensors) -> Files.writeString(json, "{}"));
        damages.put("JSON an array", (json, tensors) -> Files.writeString(json, "[1]"));
        damages.put("JSON a folder", (json, tensors) -> {
            Files.delete(json);
            Files.createDirectory(json);
        });
        return damages.entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    @Test
    void theNewestIsRestored() throws IOException {
        assertThat(restored()).isEqualTo(20);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damages")
    void aDamagedOneIsPassedOver(String name, Damage damage) throws IOException {
        damage.to(file(20, "json"), file(20, "safetensors"));
        assertThat(restored()).isEqualTo(10);
        assertThat(checkpoints().newest().orElseThrow().step()).isEqualTo(10);
        assertThat(checkpoints().best().orElseThrow().step()).isEqualTo(10);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damages")
    void whenAllAreDamagedThereIsNone(String name, Damage damage) throws IOException {
        damage.to(file(10, "json"), file(10, "safetensors"));
        damage.to(file(20, "json"), file(20, "safetensors"));
        assertThat(restored()).isEqualTo(-1);
        assertThat(checkpoints().best()).isEmpty();
    }

    /** Beside damaged ones two good ones are still kept: a second accident does not lose the run. */
    @Test
    void aDamagedOneDoesNotTakeAGoodOnesPlace() throws IOException {
        cut(file(20, "safetensors"), 5);
        save(25, OptionalDouble.empty());
        cut(file(25, "safetensors"), 5);
        assertThat(restored()).isEqualTo(10);
    }

    @Test
    void aDamagedBestDoesNotTakeTheRealBestsPlace() throws IOException {
        save(30, OptionalDouble.of(3));
        cut(file(10, "safetensors"), 5); // the best so far
        save(40, OptionalDouble.of(4));
        save(50, OptionalDouble.of(5));
        save(60, OptionalDouble.of(6));
        assertThat(checkpoints().best().orElseThrow().step()).isLessThan(50);
    }

    /** The process dies between the two files: tensors without JSON, or beside the JSON of another time. */
    @Test
    void theJsonIsWrittenLast() throws IOException {
        Path inTheWay = Files.createDirectory(file(30, "json"));
        Path within = Files.createFile(inTheWay.resolve("a file, so that it cannot be replaced"));
        assertThatThrownBy(() -> save(30, OptionalDouble.empty())).isInstanceOf(IOException.class);
        assertThat(file(30, "safetensors")).exists(); // the tensors were there already
        assertThat(restored()).isEqualTo(20);
        Files.delete(within);
        Files.delete(inTheWay);
        save(30, OptionalDouble.empty());
        assertThat(restored()).isEqualTo(30);
    }

    @Test
    void leftoversOfAKilledWriterAreRemovedAndStrangersAreLeft() throws IOException {
        Path leftover = Files.writeString(file(15, "safetensors.tmp4711"), "half a file");
        Path youngLeftover = Files.writeString(file(20, "json.tmp4711"), "{");
        Path orphan = Files.writeString(file(17, "safetensors"), "tensors without JSON");
        Path note = Files.writeString(folder.resolve("notes.txt"), "not ours");
        Path noteWithNumber = Files.writeString(folder.resolve("15.txt"), "not ours");
        Path deep = Files.createDirectories(folder.resolve("old.runs").resolve("1"));
        save(30, OptionalDouble.empty());
        assertThat(leftover).doesNotExist();
        assertThat(youngLeftover).doesNotExist();
        assertThat(orphan).doesNotExist();
        assertThat(note).exists();
        assertThat(noteWithNumber).exists();
        assertThat(deep).exists();
    }

    @Test
    void theLastTwoAndTheBestAreKept() throws IOException {
        save(30, OptionalDouble.of(3));
        save(40, OptionalDouble.of(4));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .containsExactlyInAnyOrder(
                            "000000010.json",
                            "000000010.safetensors",
                            "000000030.json",
                            "000000030.safetensors",
                            "000000040.json",
                            "000000040.safetensors");
        }
        assertThat(checkpoints().best().orElseThrow().step()).isEqualTo(10);
    }

    @Test
    void withoutScoresTheBestIsTheNewest() throws IOException {
        Checkpoints unscored = new Checkpoints(folder.resolve("unscored"));
        unscored.save(new Checkpoints.Position(1, 0, 0), learner, OptionalDouble.empty());
        unscored.save(new Checkpoints.Position(2, 0, 0), learner, OptionalDouble.of(Double.NaN));
        assertThat(unscored.best().orElseThrow().step()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "missing"})
    void anEmptyOrMissingFolderHasNone(String name) throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Checkpoints none = new Checkpoints(empty.resolve(name));
        assertThat(none.newest()).isEmpty();
        assertThat(none.best()).isEmpty();
        assertThat(none.restore(learner)).isEmpty();
    }
}
