package dev.kelvin.train.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.io.DyingFiles;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.train.FakeLearner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints whose tensors are cut into parts. */
class CheckpointPartsTest {
    private static final OptionalLong WHOLE = OptionalLong.empty();
    private static final OptionalLong SMALL = OptionalLong.of(100); // the tensors take some hundred bytes

    @TempDir
    Path folder;

    private final FakeLearner learner = new FakeLearner((step, visit) -> 1);

    @AfterEach
    void close() {
        learner.close();
    }

    /** Saves a learner whose parameters are the step's number, and its score too. */
    private void save(Path into, OptionalLong largest, long... steps) throws IOException {
        for (long step : steps) {
            learner.averaged().flat().timesInPlace(0).addNumberInPlace((double) step);
            new Checkpoints(into, Optional.empty(), largest)
                    .save(new Checkpoints.Position(step, 0, 0), learner, OptionalDouble.of(step), true);
        }
    }

    private Path run(String name) throws IOException {
        return Files.createDirectory(folder.resolve(name));
    }

    private static List<Path> files(Path in) throws IOException {
        try (Stream<Path> files = Files.list(in)) {
            return files.sorted().toList();
        }
    }

    private static List<String> names(Path in) throws IOException {
        return files(in).stream()
                .map(file -> String.valueOf(file.getFileName()))
                .toList();
    }

    private static List<Path> parts(Path in, long step) throws IOException {
        return files(in).stream()
                .filter(file ->
                        file.getFileName().toString().matches(".*" + step + "\\.safetensors\\.[0-9]+-of-[0-9]+"))
                .toList();
    }

    /** The step that is read, which must be the parameters' too. */
    private long read(Path in, CheckpointChoice which) throws IOException {
        learner.averaged().flat().timesInPlace(0).addNumberInPlace(-1);
        Optional<Checkpoints.Position> found = new Checkpoints(in).restore(which, learner);
        assertThat((long) learner.count())
                .isEqualTo(found.map(Checkpoints.Position::step).orElse(-1L));
        return (long) learner.count();
    }

    @Test
    void partsOneAfterTheOtherAreTheFile() throws IOException {
        Path whole = run("whole");
        Path cut = run("cut");
        save(whole, WHOLE, 10);
        save(cut, SMALL, 10);
        List<Path> parts = parts(cut, 10);
        assertThat(parts).hasSizeGreaterThan(3);
        assertThat(parts.get(0).getFileName()).hasToString("000000010.safetensors.001-of-00" + parts.size());
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (Path part : parts) {
            assertThat(Files.size(part)).isLessThanOrEqualTo(SMALL.getAsLong());
            joined.write(Files.readAllBytes(part));
        }
        assertThat(whole.resolve("000000010.safetensors")).hasBinaryContent(joined.toByteArray());
        assertThat(cut.resolve("000000010.json")).hasSameBinaryContentAs(whole.resolve("000000010.json"));
    }

    /** At sizes around the file's, and with parts that begin in the header, in a tensor and on a number's second byte. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void areReadAtEverySize(int beside) throws IOException {
        Path whole = run("whole");
        save(whole, WHOLE, 10);
        long size = Files.size(whole.resolve("000000010.safetensors"));
        for (long largest : new long[] {size + beside, size / 2 + beside, 64 + beside, 8 + beside}) {
            Path cut = run("cut " + largest);
            save(cut, OptionalLong.of(largest), 10);
            assertThat(names(cut)).hasSize(1 + (int) ((size + largest - 1) / largest));
            assertThat(read(cut, CheckpointChoice.NEWEST)).isEqualTo(10);
        }
    }

    @Test
    void joinedOrCutByHandTheyAreRead() throws IOException {
        save(folder, SMALL, 10);
        List<Path> parts = parts(folder, 10);
        try (var out = Files.newOutputStream(folder.resolve("000000010.safetensors"))) {
            for (Path part : parts) {
                Files.copy(part, out);
                Files.delete(part);
            }
        }
        assertThat(read(folder, CheckpointChoice.NEWEST)).isEqualTo(10);
    }

    @Test
    void aMissingPartIsNamed() throws IOException {
        save(folder, SMALL, 10, 20);
        Path gone = parts(folder, 20).get(1);
        Files.delete(gone);
        assertThat(read(folder, CheckpointChoice.NEWEST)).isEqualTo(10);
        Path first = parts(folder, 10).get(0);
        Files.delete(first);
        assertThatThrownBy(() -> new Checkpoints(folder).restore(learner, false))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageContainingAll(gone + " is missing", first + " is missing");
        Files.delete(folder.resolve("000000020.json"));
        Files.delete(folder.resolve("000000010.json"));
        assertThatThrownBy(() -> new Checkpoints(folder).restore(learner, false))
                .hasMessageContaining("000000020.json is missing"); // its parts are no run that has none yet
    }

    @Test
    void aChangedOrShortenedPartIsDamage() throws IOException {
        save(folder, SMALL, 10, 20);
        Path part = parts(folder, 20).get(2);
        byte[] bytes = Files.readAllBytes(part);
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            Files.write(part, changed);
            assertThat(read(folder, CheckpointChoice.NEWEST)).isEqualTo(10);
        }
        Files.write(part, new byte[0]);
        assertThat(read(folder, CheckpointChoice.NEWEST)).isEqualTo(10);
        Files.write(part, bytes);
        assertThat(read(folder, CheckpointChoice.NEWEST)).isEqualTo(20);
    }

    /** A run that goes on with another size, back to parts of the first, and then without any; files of others stay. */
    @Test
    void nothingOfAnotherSizeIsLeft() throws IOException {
        save(folder, SMALL, 10, 20);
        Files.writeString(folder.resolve("000000020.safetensors.001-of-099.tmp4711-1"), "half a part");
        Files.writeString(folder.resolve("000000020.safetensors.txt"), "not ours");
        save(folder, OptionalLong.of(150), 20);
        long size = 0;
        for (Path part : parts(folder, 10)) {
            size += Files.size(part);
        }
        assertThat(parts(folder, 20)).hasSize((int) ((size + 149) / 150));
        save(folder, SMALL, 20);
        save(folder, WHOLE, 20);
        assertThat(names(folder).stream().filter(name -> name.startsWith("000000020")))
                .containsExactly("000000020.json", "000000020.safetensors", "000000020.safetensors.txt");
        save(folder, SMALL, 20, 30, 40, 50);
        assertThat(names(folder).stream().filter(name -> name.startsWith("000000020")))
                .containsExactly("000000020.safetensors.txt");
        assertThat(read(folder, CheckpointChoice.BEST)).isEqualTo(10);
        assertThat(read(folder, CheckpointChoice.NEWEST)).isEqualTo(50);
    }

    /** What a run leaves that is killed before any of the changes of a save, and what becomes of it when it goes on. */
    @ParameterizedTest
    @ValueSource(longs = {100, 250, Long.MAX_VALUE})
    void killedBetweenAnyTwoChangesTheNewestAndTheBestStay(long bytes) throws IOException {
        OptionalLong largest = OptionalLong.of(bytes);
        Path undisturbed = run("undisturbed");
        save(undisturbed, largest, 10, 20, 30, 40, 50);
        List<Long> newest = new ArrayList<>();
        boolean dead = true;
        for (int changes = 0; dead; changes++) {
            Path killed = run("killed before " + changes);
            save(killed, largest, 10, 20, 30); // 40 will remove 20, and 10 is the best
            DyingFiles process = new DyingFiles(changes);
            try {
                save(process.seen(killed), largest, 40);
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("killed before change " + (changes + 1));
            }
            dead = process.dead();
            newest.add(read(killed, CheckpointChoice.NEWEST));
            assertThat(read(killed, CheckpointChoice.BEST)).isEqualTo(10);
            new Checkpoints(killed).tidy();
            assertThat(names(killed)).noneMatch(name -> name.contains(".tmp"));
            save(killed, largest, 40, 50);
            assertThat(names(killed)).isEqualTo(names(undisturbed));
            for (Path file : files(killed)) {
                assertThat(file).hasSameBinaryContentAs(undisturbed.resolve(file.getFileName()));
            }
        }
        assertThat(newest).isSorted().contains(30L).endsWith(40L);
        int written = names(undisturbed).size() / 3; // of each checkpoint that is kept
        assertThat(newest).hasSize(2 * written + written + 1); // each is opened and renamed; those of 20 are removed
    }
}
