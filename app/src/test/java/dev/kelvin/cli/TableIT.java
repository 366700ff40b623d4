package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A user's own table: trained on, judged, scored, in every form and with every mistake, as it is typed. */
class TableIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int REFUSED = 3;
    private static final int OK = 0;

    /** Enough to end, not to learn. */
    private static final String SMALL =
            " --set data.table.advise=false --set train.iterations=20 --set train.checkpointEvery=10"
                    + " --set model.mlp.hidden=[8] --set negatives.steps=2 --set optimiser.adamw.schedule=constant";

    @TempDir
    private static Path folder;

    @BeforeAll
    static void write() throws IOException {
        Files.writeString(folder.resolve("rows.csv"), rows(1, 240, true));
        Files.writeString(folder.resolve("new.csv"), rows(2, 60, true));
        Files.writeString(folder.resolve("plain.csv"), rows(3, 120, false));
        Kelvin.Finished trained = run(
                "train table --data @rows.csv --set data.table.label=kind --set data.table.trainOn=usual --out @run --json"
                        + SMALL);
        assertThat(trained.exit()).as(trained.err()).isZero();
    }

    /** Three correlated columns far from 0; one row of twelve is of another kind, far away. */
    private static String rows(long seed, int count, boolean labelled) {
        RandomGenerator random = Key.of(seed).stream();
        StringBuilder text = new StringBuilder(labelled ? "amount,hour,code,kind\n" : "amount,hour,code\n");
        for (int i = 0; i < count; i++) {
            double u = random.nextGaussian();
            boolean odd = i % 12 == 11;
            text.append(String.format(
                    Locale.ROOT,
                    "%.5g,%.5g,%.5g",
                    1000 + 100 * u + (odd ? 900 : 0),
                    12 + 2 * u + random.nextGaussian(),
                    0.01 * random.nextGaussian()));
            text.append(labelled ? odd ? ",fraud\n" : ",usual\n" : "\n");
        }
        return text.toString();
    }

    /** A command in this process; @ is the folder. */
    private static Kelvin.Finished run(String command) {
        return InProcess.run(folder, command.split(" +"));
    }

    private static JsonNode json(String command) {
        Kelvin.Finished finished = run(command + " --json");
        assertThat(finished.exit()).as(finished.err()).isEqualTo(OK);
        return JSON.readTree(finished.out());
    }

    @Test
    void scoresAnotherTable() throws IOException {
        JsonNode results = json("score @run @new.csv --out @scores.csv --alarm 0.05");
        assertThat(results.get("rows").asInt()).isEqualTo(60);
        assertThat(results.get("auroc").asDouble()).isGreaterThan(0.9);
        assertThat(results.get("normal").asString()).isEqualTo("usual");
        List<String> lines = Files.readAllLines(folder.resolve("scores.csv"));
        assertThat(lines).hasSize(61).first().isEqualTo("row,f,log_p,quantile,alarm,oddest");
        String[] odd = lines.get(12).split(",", -1); // row 11, whose amount is far too high
        assertThat(odd[0]).isEqualTo("11");
        assertThat(odd[4]).isEqualTo("1");
        assertThat(odd[5]).isEqualTo("amount");
        assertThat(results.get("alarms").asInt()).isEqualTo((int) lines.stream()
                .skip(1)
                .filter(line -> line.split(",", -1)[4].equals("1"))
                .count());
        JsonNode first =
                JSON.readTree(lines(run("score @run @new.csv --format jsonl --out @scores.jsonl"), "scores.jsonl")
                        .get(11));
        assertThat(first.get("oddest").asString()).isEqualTo("amount");
        assertThat(first.get("f").asDouble()).isCloseTo(Double.parseDouble(odd[1]), within(1e-3));
    }

    /** All that training and judging leave behind but samples, none of which --out may replace. */
    @Test
    void theFilesOfARunAreItsOwn() throws IOException {
        Path run = folder.resolve("run");
        try (Stream<Path> files = Files.walk(run)) {
            assertThat(files.filter(Files::isRegularFile).filter(file -> !file.startsWith(run.resolve("samples"))))
                    .hasSizeGreaterThan(10)
                    .allMatch(file -> RunFolder.owner(file).equals(Optional.of(run)));
        }
        assertThat(RunFolder.owner(run.resolve("scores.csv"))).isEmpty();
        assertThat(RunFolder.owner(run.resolve("samples/drawn.csv"))).isEmpty();
        assertThat(RunFolder.owner(folder.resolve("report.html"))).isEmpty();
    }

    /** The same numbers in every form. */
    @Test
    void scoresAsNumbersForNumPy() throws IOException {
        List<String> csv = lines(run("score @run @new.csv --out @n.csv"), "n.csv");
        assertThat(run("score @run @new.csv --out @n.npy").exit()).isEqualTo(OK);
        try (Scope scope = Scope.open()) {
            Tensor found = Npy.read(folder.resolve("n.npy"));
            assertThat(found.shape()).containsExactly(60, 6);
            double[] all = found.toDoubles();
            for (int i = 0; i < 60; i++) {
                String[] row = csv.get(i + 1).split(",", -1);
                for (int j = 0; j < 5; j++) {
                    double expected = Double.parseDouble(row[j]);
                    assertThat(all[6 * i + j]).isCloseTo(expected, within(1e-6 * Math.max(1, Math.abs(expected))));
                }
                assertThat(List.of("amount", "hour", "code").get((int) all[6 * i + 5]))
                        .isEqualTo(row[5]);
            }
        }
    }

    private static List<String> lines(Kelvin.Finished finished, String file) throws IOException {
        assertThat(finished.exit()).as(finished.err()).isEqualTo(OK);
        return Files.readAllLines(folder.resolve(file));
    }

    /** log p is in the table's own units: a table in other units has the same ranking, and log p less the logarithms. */
    @Test
    void logDensitiesAreInTheTablesUnits() throws IOException {
        String text = rows(1, 240, true);
        StringBuilder scaled = new StringBuilder("amount,hour,code,kind\n");
        text.lines().skip(1).forEach(line -> {
            String[] cells = line.split(",", -1);
            scaled.append(Double.parseDouble(cells[0]) * 1024)
                    .append(',')
                    .append(line.substring(cells[0].length() + 1))
                    .append('\n');
        });
        Files.writeString(folder.resolve("cents.csv"), scaled.toString());
        JsonNode plain = json("evaluate @run");
        JsonNode cents = json(
                "train table --data @cents.csv --set data.table.label=kind --set data.table.trainOn=usual --out @cents"
                        + SMALL);
        assertThat(cents.get("log_likelihood_gaussian").asDouble())
                .isCloseTo(plain.get("log_likelihood_gaussian").asDouble() - Math.log(1024), within(1e-3));
        assertThat(cents.get("log_likelihood_lower").asDouble())
                .isCloseTo(plain.get("log_likelihood_lower").asDouble() - Math.log(1024), within(0.3));
    }

    /** Columns by name in any order, among others; the model's data need not be there. */
    @Test
    void scoresColumnsByName() throws IOException {
        Files.copy(folder.resolve("rows.csv"), folder.resolve("gone.csv"));
        json("train table --data @gone.csv --set data.table.label=kind --out @lonely" + SMALL);
        Files.delete(folder.resolve("gone.csv"));
        StringBuilder turned = new StringBuilder("note;code;hour;amount\n");
        rows(2, 60, true).lines().skip(1).forEach(line -> {
            String[] cells = line.split(",", -1);
            turned.append("x;" + cells[2] + ";" + cells[1] + ";" + cells[0] + "\n");
        });
        Files.writeString(folder.resolve("turned.csv"), turned.toString());
        assertThat(lines(run("score @lonely @turned.csv --out @a.csv"), "a.csv"))
                .isEqualTo(lines(run("score @lonely @new.csv --out @b.csv"), "b.csv"));
    }

    @Test
    void badRowsAreNamedAndTheRestIsScored() throws IOException {
        List<String> text = rows(2, 10, true).lines().toList();
        String[] bad = text.toArray(String[]::new);
        bad[3] = "1000,abc,0.1,usual";
        bad[5] = "1000,12,usual";
        bad[7] = "1000,,0.1,usual";
        bad[8] = "1e999,12,0.1,usual";
        Files.writeString(folder.resolve("bad.csv"), String.join("\n", bad) + "\n");
        Kelvin.Finished finished = run("score @run @bad.csv --out @some.csv");
        assertThat(finished.exit()).isEqualTo(REFUSED);
        assertThat(Files.readAllLines(folder.resolve("some.csv"))).hasSize(7);
        assertThat(finished.err().lines().filter(line -> line.startsWith("skipped:")))
                .hasSize(4)
                .anySatisfy(line -> assertThat(line).contains("row 3", "hour", "abc"))
                .anySatisfy(line -> assertThat(line).contains("row 5"))
                .anySatisfy(line -> assertThat(line).contains("row 7", "hour"))
                .anySatisfy(line -> assertThat(line).contains("row 8", "amount"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                            | is empty
            'a,b\\n'                      | has a header and no rows
            'a,b\\n1,2\\n3\\n'            | row 2
            'a,b\\n1,2\\nx,3\\n'          | column 'a'
            'a,b\\n1,2\\n3,NaN\\n'        | column 'b'
            'a,b\\n1,2\\n3,inf\\n'        | column 'b'
            'a,b\\n1,2\\n'                | has one row
            'a,a\\n1,2\\n3,4\\n'          | 'a'
            'a,b\\n1,2\\n1,2\\n'          | constant
            """)
    void badTablesAreRefusedInOneSentence(String text, String why) throws IOException {
        Path file = folder.resolve("broken.csv");
        Files.writeString(file, text.replace("\\n", "\n"));
        Kelvin.Finished finished = run("train table --data @broken.csv --out @never" + SMALL);
        assertThat(finished.exit()).as(finished.err()).isEqualTo(REFUSED);
        assertThat(finished.err().strip().lines()).hasSize(1);
        assertThat(finished.err()).contains("kelvin: ", "broken.csv", why);
        assertThat(folder.resolve("never")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --set data.table.label=kinds          | did you mean 'kind'
            --set data.table.columns=[amuont]     | did you mean 'amount'
            --set data.table.exclude=[hours]      | did you mean 'hour'
            --set data.table.noise=-1             | noise
            --set data.table.heldOut=2            | heldOut
            --set data.table.normal=usual         | needs label
            --set classes=head                    | classes
            --set data.table.label=kind --set data.table.trainOn=usal | trainOn
            --set data.table.label=kind --set classes=head --set objective=cd-ce | negatives.adapt cannot be combined
            --set time.count=4                    | baseMeasure cannot be combined with time
            --set train.precision=bfloat16        | must be float for points
            """)
    void mistakesAreToldAtTheSetting(String settings, String why) {
        Kelvin.Finished finished = run("train table --data @rows.csv --out @never " + settings + SMALL);
        assertThat(finished.exit()).as(finished.err()).isEqualTo(REFUSED);
        assertThat(finished.err()).contains(why);
    }

    @Test
    void withoutATableItSaysWhatIsMissing() {
        Kelvin.Finished finished = run("train table --out @never");
        assertThat(finished.exit()).isEqualTo(REFUSED);
        assertThat(finished.err()).contains("--data FILE");
    }

    /** What a table can meet: each trains, is judged, is scored and goes on as if it had never stopped. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rows.csv   | --set data.table.label=kind --set classes=head --set objective={conditional-cd:{}}
            rows.csv   | --set data.table.label=kind --set data.table.trainOn=usual --set data.table.scale=standardise
            rows.csv   | --set data.table.text=one-hot
            plain.csv  | --set objective.robust.beta=0.1 --set data.table.columns=[hour]
            plain.csv  | --set data.table.scale=none --set data.table.noise=0
            """)
    void goesWithOtherOptions(String file, String settings) throws IOException {
        String name = "pair" + Integer.toHexString(settings.hashCode());
        String begin = "train table --data @" + file + " --out @" + name + " " + settings + SMALL;
        JsonNode results = json(begin);
        assertThat(results.get("log_likelihood_lower").asDouble()).isFinite();
        Kelvin.Finished scored = run("score @" + name + " @" + file + " --out @pair.csv");
        assertThat(scored.exit()).as(scored.err()).isEqualTo(OK);
        assertThat(Files.readAllLines(folder.resolve("pair.csv")).get(1)).doesNotContain("NaN");
        // stopped after half of it and resumed
        Recipe recipe = RunFolder.open(folder.resolve(name)).recipe(List.of());
        RunFolder half = halfTrained(recipe, "half" + name);
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            new Runner(half, Device.CPU).train(experiment, new TrainListener() {}, () -> false);
        }
        String last = "checkpoints/000000020.safetensors";
        assertThat(Files.mismatch(
                        folder.resolve(name).resolve(last), half.path().resolve(last)))
                .isEqualTo(-1);
    }

    private static RunFolder halfTrained(Recipe recipe, String name) throws IOException {
        try (Experiment experiment = new Experiment(recipe, Device.CPU)) {
            RunFolder run = RunFolder.create(folder.resolve(name), recipe, Provenance.of(experiment, Device.CPU));
            long[] at = {0};
            TrainListener counts = new TrainListener() {
                @Override
                public void stepped(long step, StepReport report) {
                    at[0] = step;
                }
            };
            new Runner(run, Device.CPU).train(experiment, counts, () -> at[0] == 10);
            return run;
        }
    }

    @Test
    void numbersOfNumPyAreATable() throws IOException {
        try (Scope scope = Scope.open()) {
            Npy.write(folder.resolve("points.npy"), Tensors.normal(Key.of(4), DType.DOUBLE, Device.CPU, 90, 2));
        }
        json("train table --data @points.npy --out @points" + SMALL);
        assertThat(lines(run("score @points @points.npy --out @p.csv"), "p.csv"))
                .hasSize(91);
    }

    @Test
    void rowsThatOverflowAreSkipped() throws IOException {
        Files.writeString(folder.resolve("huge.csv"), "amount,hour,code\n1000,12,0\n1e300,12,0\n1010,12,0\n");
        Kelvin.Finished finished = run("score @run @huge.csv --out @of-huge.csv");
        assertThat(finished.exit()).isEqualTo(REFUSED);
        assertThat(finished.err()).contains("skipped: row 2 has numbers too large for this model");
        List<String> scores = Files.readAllLines(folder.resolve("of-huge.csv"));
        assertThat(scores).hasSize(3).noneMatch(line -> line.contains("NaN"));
        assertThat(scores.get(1)).startsWith("0,");
        assertThat(scores.get(2)).startsWith("2,");
    }

    /** Of a stream nothing more may come: one Ctrl-C ends it, and leaves neither the file nor a part of it. */
    @Test
    void aStreamIsNotWaitedForAfterASignal() throws Exception {
        Path fifo = folder.resolve("idle.fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        try (RandomAccessFile writer = new RandomAccessFile(fifo.toFile(), "rw")) { // opens without a reader
            writer.writeBytes("amount,hour,code\n1000,12,0\n");
            Kelvin process = Kelvin.start(folder, "score", "run", fifo.toString(), "--out", "idle.csv");
            process.until("a word of progress", () -> process.err().contains("scoring"));
            process.interrupt();
            Kelvin.Finished finished = process.await();
            assertThat(finished.exit()).as(finished.err()).isEqualTo(Main.INTERRUPTED);
            assertThat(finished.err()).contains("stopped; no file was written");
        }
        assertThat(files()).noneMatch(name -> name.startsWith("idle.csv"));
    }

    private static Stream<String> files() {
        return Stream.of(folder.toFile().list());
    }
}
