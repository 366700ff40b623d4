package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.model.Model;
import dev.kelvin.model.ModelCard;
import dev.kelvin.recipe.Study;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever becomes of a file in a run's folder, it is read, or refused by its name. */
class DamagedFilesTest {
    /** Of each file; -Dkelvin.mutations=50000 looks for more. */
    private static final int CASES = Integer.getInteger("kelvin.mutations", 100);

    @TempDir
    private static Path folder;

    private static Study study;

    /** Reads one of a run's files, as those who use it do. */
    private interface Reader {
        void read(Path run) throws Exception;
    }

    private record File(String run, String name, Reader reader) {
        @Override
        public String toString() {
            return run + "/" + name;
        }
    }

    @BeforeAll
    static void trainAPlaneAndATable() throws IOException {
        StringBuilder rows = new StringBuilder("height,weight,colour\n");
        for (int i = 0; i < 100; i++) {
            rows.append(i % 13).append(',').append(i % 7).append(i % 2 == 0 ? ",red\n" : ",blue\n");
        }
        Path csv = Files.writeString(folder.resolve("t.csv"), rows);
        List<String> few = List.of(
                "train.iterations=2",
                "train.batch=8",
                "train.checkpointEvery=2",
                "train.logEvery=1",
                "negatives.steps=1",
                "negatives.buffer.size=128");
        List<String> table = new ArrayList<>(few);
        table.addAll(List.of("data.table.file=" + csv, "data.table.advise=false", "data.table.text=one-hot"));
        study = new Study(
                "a",
                "",
                "",
                "",
                1,
                List.of(new Study.Trained("plane", "gmm", few), new Study.Trained("table", "table", table)),
                List.of(),
                List.of(),
                List.of());
        measure(new ArrayList<>());
    }

    private static Map<String, Double> measure(List<String> told) throws IOException {
        return new StudyRunner(study, folder.resolve("runs"), Device.CPU, told::add, () -> false)
                .measure(1)
                .orElseThrow()
                .seeds()
                .get(0);
    }

    private static Path run(String name) {
        return folder.resolve("runs").resolve(name + "-0");
    }

    static Stream<File> files() {
        return Stream.of(
                new File("plane", "evaluation.json", run -> Evaluation.read(run.resolve("evaluation.json"))),
                new File("plane", "timing.json", run -> StepTimes.read(run.resolve("timing.json"))),
                new File("plane", "metrics.jsonl", run -> new MetricsLog(run.resolve("metrics.jsonl")).rewind(2)),
                new File("plane", "provenance.json", DamagedFilesTest::remember),
                new File("table", "provenance.json", DamagedFilesTest::remember),
                new File("plane", "model.json", DamagedFilesTest::card),
                new File("table", "model.json", DamagedFilesTest::card));
    }

    private static void card(Path run) throws IOException {
        ModelCard card = SavedCard.of(run);
        card.reference().ifPresent(reference -> {
            reference.quantile(1);
            reference.logDensity(1);
        });
        card.samples().units();
        card.samples().width();
        card.samples().words();
        card.chains().ifPresent(chains -> chains.kernel().words());
        card.samples().rows().ifPresent(rows -> rows.schema().used());
        Model.load(run).close();
    }

    private static void remember(Path run) throws IOException {
        RunFolder there = RunFolder.open(run);
        Provenance.read(there.provenance()).began();
        Provenance.read(there.provenance()).unchangedData();
    }

    private static byte[] damaged(RandomGenerator random, byte[] whole) {
        byte[] bytes = whole.clone();
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(5)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt(256);
            case 2 -> bytes = Arrays.copyOf(bytes, at);
            case 3 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + random.nextInt(64)), (byte) 0);
            default -> {
                String text = new String(whole, StandardCharsets.UTF_8);
                List<String> values =
                        List.of("null", "{}", "[]", "\"x\"", "1e999", "-1", "99999999999999999999", "true");
                String[] parts = text.split("(?<=[:,\\[{])", -1); // a part ends with what separates it from the next
                int part = random.nextInt(parts.length);
                parts[part] = values.get(random.nextInt(values.size()))
                        + parts[part].substring(Math.max(0, parts[part].length() - 1));
                bytes = String.join("", parts).getBytes(StandardCharsets.UTF_8);
            }
        }
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("files")
    void aDamagedFileIsReadOrRefusedByItsName(File file) throws Exception {
        Path run = run(file.run);
        Path path = run.resolve(file.name);
        byte[] whole = Files.readAllBytes(path);
        RandomGenerator random = Key.of(1).child(file.hashCode()).stream();
        try {
            for (int i = 0; i < CASES; i++) {
                byte[] bytes = damaged(random, whole);
                Files.write(path, bytes);
                Throwable thrown = catchThrowable(() -> file.reader.read(run));
                if (thrown != null) {
                    String what = new String(bytes, StandardCharsets.UTF_8);
                    assertThat(thrown).as(what).isInstanceOfAny(UnreadableFileException.class, UserException.class);
                    assertThat(thrown.getMessage())
                            .as(what)
                            .contains(file.name)
                            .doesNotContain("\n", "Exception", "Input length");
                }
            }
        } finally {
            Files.write(path, whole);
        }
    }

    @Test
    void whatIsNotUtf8IsToldWithItsByte() throws IOException {
        Path file = folder.resolve("evaluation.json");
        Files.write(file, new byte[] {'{', '"', 'a', (byte) 0xff, '"', ':', '1', '}'});
        assertThatThrownBy(() -> Evaluation.read(file))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageContaining(file + ": is damaged (byte 3 is ff, which is not UTF-8)")
                .hasMessageContaining("kelvin evaluate " + folder);
        Files.writeString(file, "{\n\"a\": 1,\n\"b\": }");
        assertThatThrownBy(() -> Evaluation.read(file)).hasMessageContaining(file + ": is damaged (line 3: ");
    }

    /** It can be made again; where it can't, the other runs are measured all the same. */
    @Test
    void aDamagedEvaluationBlocksNoStudy() throws IOException {
        Path evaluation = run("plane").resolve("evaluation.json");
        Path kept = folder.resolve("kept");
        Map<String, Double> before = measure(new ArrayList<>());
        Files.copy(evaluation, kept);
        Files.writeString(evaluation, "{\"kl\": 0.1");
        List<String> told = new ArrayList<>();
        assertThat(measure(told)).isEqualTo(before);
        assertThat(told).hasSize(2);
        assertThat(told.get(0)).contains(evaluation + ": is damaged", "It is evaluated again now");
        assertThat(evaluation).hasSameTextualContentAs(kept);
        assertThat(measure(new ArrayList<>())).isEqualTo(before);
    }

    @Test
    void whereTheCheckpointsAreDamagedTooTheRunIsToldAndTheOthersAreMeasured(@TempDir Path copies) throws IOException {
        Path run = run("plane");
        Path copy = copies.resolve("plane");
        copy(run, copy);
        try {
            Files.writeString(run.resolve("evaluation.json"), "{\"kl\": 0.1");
            try (Stream<Path> checkpoints = Files.list(run.resolve("checkpoints"))) {
                for (Path each : checkpoints.toList()) {
                    Files.write(each, new byte[3]);
                }
            }
            List<String> told = new ArrayList<>();
            Map<String, Double> found = measure(told);
            assertThat(found.keySet())
                    .anyMatch(name -> name.startsWith("table."))
                    .noneMatch(name -> name.startsWith("plane."));
            assertThat(told.get(1)).startsWith("plane, seed 0: it can't be evaluated again: ");
        } finally {
            copy(copy, run);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path there = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(there);
                } else {
                    Files.write(there, Files.readAllBytes(file));
                }
            }
        }
    }
}
