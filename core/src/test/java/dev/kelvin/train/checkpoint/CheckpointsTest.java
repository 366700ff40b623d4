package dev.kelvin.train.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.io.Sha256;
import dev.kelvin.nn.Network;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.FakeLearner;
import dev.kelvin.train.Recorder;
import dev.kelvin.train.TinyRun;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

public class CheckpointsTest {
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
        checkpoints().save(new Checkpoints.Position(step, 0, 0), learner, score, true);
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
        Optional<Checkpoints.Position> position = checkpoints().restore(learner, false);
        double count = learner.count();
        assertThat((long) count)
                .isEqualTo(position.map(Checkpoints.Position::step).orElse(-1L));
        return (long) count;
    }

    /** A way in which a disk, a power cut or a person can damage the newest checkpoint. */
    @FunctionalInterface
    public interface Damage {
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
        assertThat(checkpoints()
                        .read(CheckpointChoice.BEST, tensor -> false)
                        .map(Checkpoints.Saved::header)
                        .orElseThrow()
                        .step())
                .isEqualTo(10);
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
        assertThat(checkpoints()
                        .read(CheckpointChoice.BEST, tensor -> false)
                        .map(Checkpoints.Saved::header)
                        .orElseThrow()
                        .step())
                .isLessThan(50);
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
        Path youngLeftover = Files.writeString(file(20, "json.tmp4711-1"), "{");
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
        assertThat(checkpoints()
                        .read(CheckpointChoice.BEST, tensor -> false)
                        .map(Checkpoints.Saved::header)
                        .orElseThrow()
                        .step())
                .isEqualTo(10);
    }

    @Test
    void oneIsRestoredByItsStep() throws IOException {
        save(30, OptionalDouble.of(3));
        assertThat(checkpoints().steps()).containsExactly(30L, 20L, 10L);
        assertThat(checkpoints()
                        .restore(CheckpointChoice.at(20), learner)
                        .orElseThrow()
                        .step())
                .isEqualTo(20);
        try (Scope scope = Scope.open()) {
            assertThat(learner.averaged().flat().toDoubles()).containsOnly(20);
        }
        assertThat(checkpoints().restore(CheckpointChoice.at(21), learner)).isEmpty();
    }

    @Test
    void withoutScoresTheBestIsTheNewest() throws IOException {
        Checkpoints unscored = new Checkpoints(folder.resolve("unscored"));
        unscored.save(new Checkpoints.Position(1, 0, 0), learner, OptionalDouble.empty(), true);
        unscored.save(new Checkpoints.Position(2, 0, 0), learner, OptionalDouble.of(Double.NaN), true);
        assertThat(unscored.read(CheckpointChoice.BEST, tensor -> false)
                        .map(Checkpoints.Saved::header)
                        .orElseThrow()
                        .step())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "missing"})
    void anEmptyOrMissingFolderHasNone(String name) throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Checkpoints none = new Checkpoints(empty.resolve(name));
        assertThat(none.newest()).isEmpty();
        assertThat(none.read(CheckpointChoice.BEST, tensor -> false).map(Checkpoints.Saved::header))
                .isEmpty();
        assertThat(none.restore(learner, false)).isEmpty();
    }

    // ---- the header's own checksum

    /** Whatever bit of the header changes, it is not taken for a header. */
    @Test
    void noBitOfTheHeaderMayChange() throws IOException {
        Path json = file(20, "json");
        byte[] whole = Files.readAllBytes(json);
        for (int i = 0; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 1;
            Files.write(json, changed);
            assertThatThrownBy(() -> HeaderFile.read(json))
                    .as("byte %d of %s", i, new String(whole, StandardCharsets.UTF_8))
                    .isInstanceOf(IOException.class);
        }
        Files.write(json, whole);
        assertThat(HeaderFile.read(json).step()).isEqualTo(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"retries\" : 0", "\"seed\" : 0"})
    void aChangedNumberIsDamage(String field) throws IOException {
        Path json = file(20, "json");
        Files.writeString(json, Files.readString(json).replace(field, field.replace('0', '1')));
        assertThat(restored()).isEqualTo(10);
    }

    /** As the Javadoc of HeaderFile says. */
    @Test
    void theSumCanBeCheckedByHand() throws IOException {
        String text = Files.readString(file(20, "json"));
        assertThat(text).startsWith("{\n  \"format\" : 1,").isEqualTo(signed(text));
    }

    private static String signed(String text) {
        String unsigned = text.replaceFirst("\"sha256\" : \"[0-9a-f]*\"", "\"sha256\" : \"\"");
        String sum = Sha256.of(unsigned.getBytes(StandardCharsets.UTF_8));
        return unsigned.replace("\"sha256\" : \"\"", "\"sha256\" : \"" + sum + "\"");
    }

    // ---- not understood

    static Stream<Arguments> strangers() {
        return Stream.of(
                Arguments.of("newer format", "\"format\" : 1", "\"format\" : 2", "format 2"),
                Arguments.of("unknown part", "\"mlp\"", "\"my-net\"", "my-net"),
                Arguments.of("unknown field", "\"seed\" : 0", "\"seed\" : 0, \"colour\" : 3", "colour"),
                Arguments.of("misspelt field", "\"slope\"", "\"slop\"", "slop"),
                Arguments.of("missing field", "\"retries\" : 0,", "", "retries"),
                Arguments.of("null", "\"retries\" : 0", "\"retries\" : null", "retries"));
    }

    private void make20Strange(String found, String instead) throws IOException {
        String text = Files.readString(file(20, "json"));
        assertThat(text).contains(found);
        Files.writeString(file(20, "json"), signed(text.replace(found, instead)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("strangers")
    void oneThatIsNotUnderstoodStopsWhoeverWantsIt(String name, String found, String instead, String what)
            throws IOException {
        make20Strange(found, instead);
        for (ThrowableAssert.ThrowingCallable reader : List.<ThrowableAssert.ThrowingCallable>of(
                () -> checkpoints().restore(learner, false),
                () -> checkpoints().restore(learner, true),
                () -> checkpoints().restore(CheckpointChoice.BEST, learner),
                () -> checkpoints().newest(),
                () -> checkpoints().read(CheckpointChoice.BEST, tensor -> false).map(Checkpoints.Saved::header))) {
            assertThatThrownBy(reader)
                    .isInstanceOf(NotUnderstoodException.class)
                    .hasMessageContainingAll(file(20, "json").toString(), what, "Use the", "left as it is");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("strangers")
    void oneThatIsNotUnderstoodIsKept(String name, String found, String instead, String what) throws IOException {
        make20Strange(found, instead);
        byte[] before = Files.readAllBytes(file(20, "json"));
        for (int step = 30; step <= 70; step += 10) {
            save(step, OptionalDouble.of(1.0 / step));
        }
        assertThatThrownBy(() -> save(20, OptionalDouble.empty())).isInstanceOf(NotUnderstoodException.class);
        assertThat(file(20, "json")).hasBinaryContent(before);
        assertThat(file(20, "safetensors")).exists();
        assertThat(file(50, "json")).doesNotExist();
    }

    /** A part may have got a setting since: the checkpoint is of its default. */
    @Test
    void aSettingThatAPartDidNotHaveYetHasItsDefault() throws IOException {
        Path json = file(20, "json");
        String text = Files.readString(json);
        String without = text.replaceFirst(",\\s*\"slope\" : 0\\.05", "");
        assertThat(without).isNotEqualTo(text);
        Files.writeString(json, signed(without));
        assertThat(restored()).isEqualTo(20);
    }

    /** A newer format may have another checksum, or none. */
    @Test
    void aNewerFormatIsNeverDamage() throws IOException {
        Files.writeString(file(20, "json"), "{\"format\": 7, \"anything\": true}");
        assertThatThrownBy(() -> restored()).hasMessageContaining("it is of format 7");
    }

    @Test
    void aRunWhoseCheckpointIsNotUnderstoodDoesNotStartAgain() throws IOException {
        make20Strange("\"mlp\"", "\"my-net\"");
        Trainer trainer = new Trainer(
                TinyRun.settings(100, 10),
                (key, step, count) -> {
                    throw new AssertionError("no step may be taken");
                },
                learner,
                checkpoints(),
                Optional.empty(),
                new Recorder(),
                System::nanoTime);
        assertThatThrownBy(() -> trainer.run(() -> false)).isInstanceOf(NotUnderstoodException.class);
        assertThat(file(0, "json")).doesNotExist();
    }

    // ---- beside each other

    @Test
    void settingsAreKept() throws IOException {
        new Checkpoints(folder, Optional.of("batch: 16"))
                .save(new Checkpoints.Position(30, 0, 0), learner, OptionalDouble.empty(), true);
        assertThat(checkpoints().newest().orElseThrow().settings()).contains("batch: 16");
    }

    /** Its sum is known as long as size and time of change are the same. */
    @Test
    void whatWasVerifiedIsNotReadAgainAtEachSave() throws IOException {
        Checkpoints same = checkpoints();
        same.save(new Checkpoints.Position(30, 0, 0), learner, OptionalDouble.empty(), true);
        Path tensors = file(30, "safetensors");
        FileTime modified = Files.getLastModifiedTime(tensors);
        byte[] bytes = Files.readAllBytes(tensors);
        bytes[bytes.length - 1] ^= 1;
        Files.write(tensors, bytes);
        Files.setLastModifiedTime(tensors, modified);
        same.save(new Checkpoints.Position(40, 0, 0), learner, OptionalDouble.empty(), true);
        assertThat(tensors).exists(); // nobody looked
        Files.setLastModifiedTime(tensors, FileTime.fromMillis(modified.toMillis() + 1000));
        same.save(new Checkpoints.Position(40, 0, 0), learner, OptionalDouble.empty(), true);
        assertThat(tensors).doesNotExist();
    }

    /** Every checkpoint is saved twice, as after going back, and is soon removed; {@code retries} counts the saves. */
    @Test
    void aReaderBesideARunFindsAWholeCheckpointAlways() throws Exception {
        Path shared = folder.resolve("shared");
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch first = new CountDownLatch(1);
        CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> {
            try (FakeLearner own = new FakeLearner((step, visit) -> 1)) {
                Checkpoints saving = new Checkpoints(shared);
                int saves = 0;
                while (!stop.get()) {
                    saves++;
                    own.averaged().flat().addNumberInPlace(1);
                    saving.save(new Checkpoints.Position(saves / 2, saves, 0), own, OptionalDouble.empty(), true);
                    first.countDown();
                }
                return saves;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        first.await();
        int reads = 0;
        long newest = 0;
        while (reads < 50 || newest < 10) { // as long as both have had their turn, on a busy machine too
            Checkpoints.Position at =
                    new Checkpoints(shared).restore(learner, false).orElseThrow();
            assertThat(learner.count()).isEqualTo(at.retries());
            assertThat(at.step()).isGreaterThanOrEqualTo(newest - 1); // while one is saved again, the one before it
            newest = Math.max(newest, at.step());
            assertThat(run).isNotDone();
            reads++;
        }
        stop.set(true);
        assertThat(run.get()).isGreaterThanOrEqualTo(20);
    }

    /** A network that nobody registered is refused before the first step, not found out after the last. */
    @Test
    void aModelThatCannotBeReadAgainIsNotSaved() {
        Network strange = (Network) Proxy.newProxyInstance(
                Network.class.getClassLoader(),
                new Class<?>[] {Network.class},
                (proxy, method, arguments) -> "strange");
        assertThatThrownBy(() -> HeaderFile.requireReadable(EnergyModel.plain(strange)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the model can't be saved: ");
    }
}
