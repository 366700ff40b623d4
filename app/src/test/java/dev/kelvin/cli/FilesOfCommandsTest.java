package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.option.Writing;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.train.TrainListener;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What commands read may come from a stream, and what they write never replaces what they read. */
// a FIFO that is opened twice blocks for ever
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FilesOfCommandsTest {
    private static final int USAGE = 2;
    private static final int REFUSED = 3;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void write() throws IOException {
        RandomGenerator random = Key.of(5).stream();
        StringBuilder csv = new StringBuilder("a,b,kind\n");
        for (int i = 0; i < 120; i++) {
            double a = 12 + 3 * random.nextGaussian();
            csv.append(String.format(
                    Locale.ROOT, "%.3f,%.3f,%s%n", a, a + random.nextGaussian(), i % 3 == 0 ? "odd" : "usual"));
        }
        Files.writeString(folder.resolve("table.csv"), csv.toString().replace(System.lineSeparator(), "\n"));
        Files.writeString(folder.resolve("new.csv"), "a,b,kind\n11.5,12,usual\n14,13.25,odd\n9,10,usual\n");
        Files.createLink(folder.resolve("hard.csv"), folder.resolve("new.csv"));
        Files.createSymbolicLink(folder.resolve("link.csv"), Path.of("new.csv"));
        Files.createSymbolicLink(folder.resolve("here"), folder);
        Files.createDirectories(folder.resolve("pictures"));
        ImageIO.write(
                new BufferedImage(4, 4, BufferedImage.TYPE_BYTE_GRAY),
                "png",
                folder.resolve("pictures/one.png").toFile());
        List<String> small = List.of(
                "data.table={file: '" + folder.resolve("table.csv") + "', label: kind}",
                "model.mlp.hidden=[8]",
                "negatives.steps=1",
                "train.batch=16",
                "train.checkpointEvery=4",
                "train.iterations=4");
        train("run", Recipes.load("table", with(small, "negatives.count=16")));
        train("time", Recipes.parse("time", """
                        name: time
                        data: {table: {}}
                        model: {mlp: {activation: silu}}
                        time: {count: 3, reference: {std: 1.5}, annealing: {steps: 1}}
                        negatives:
                          start: batch
                          kernel: {mala: {stepSize: 0.05}}
                          adapt: {acceptance: 0.6}
                        objective: cd-ce
                        optimiser: {adam: {learningRate: 1e-3}}
                        train: {}
                        """, small));
        train("classes", Recipes.parse("classes", """
                        name: classes
                        data: {table: {}}
                        model: {mlp: {activation: silu}}
                        classes: head
                        negatives:
                          start: data
                          kernel: {mala: {stepSize: 0.1}}
                        objective: cd-ce
                        optimiser: {adam: {learningRate: 1e-3}}
                        train: {}
                        """, small));
        train("plane", Recipes.load("rings", List.of("train.iterations=2", "negatives.steps=1", "train.batch=8")));
    }

    private static List<String> with(List<String> settings, String... more) {
        return Stream.concat(settings.stream(), Stream.of(more)).toList();
    }

    private static void train(String name, Recipe chosen) throws IOException {
        try (Experiment experiment = new Experiment(chosen, Device.CPU)) {
            RunFolder run = RunFolder.create(folder.resolve(name), chosen, Provenance.of(experiment, Device.CPU));
            new Runner(run, Device.CPU).train(experiment, new TrainListener() {}, () -> false);
        }
    }

    /** A command in this process; @ is the folder. */
    private static Kelvin.Finished run(String command) {
        return InProcess.run(folder, command.split(" +"));
    }

    private static Kelvin.Finished run(String command, byte[] standardInput) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(standardInput));
        try {
            return run(command);
        } finally {
            System.setIn(before);
        }
    }

    // ---- what is read

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(plain);
        }
        return bytes.toByteArray();
    }

    private static Path fifo() throws Exception {
        Path fifo = folder.resolve("fifo");
        Files.deleteIfExists(fifo);
        try {
            assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                    .isZero();
        } catch (IOException e) {
            Assumptions.abort("this system has no mkfifo");
        }
        return fifo;
    }

    private static void write(Path fifo, byte[] bytes) {
        Thread writer = new Thread(() -> {
            try {
                Files.write(fifo, bytes);
            } catch (IOException e) {
                // who read it had enough
            }
        });
        writer.setDaemon(true);
        writer.start();
    }

    /** Every model and every form of a table: from a FIFO and from standard input as from a file. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "score @run",
                "score @run --format jsonl --score gradient",
                "score @time",
                "score @classes --score max-p",
                "impute @run --fill"
            })
    void streamsAreReadAsFilesAre(String command) throws Exception {
        String table = "a,b,kind\n11.5,12,usual\n14,13.25,odd\n,10,usual\n9,8,odd\n";
        String text = command.startsWith("score") ? table : table.replace("usual", "odd");
        for (byte[] bytes :
                List.of(utf8(text), utf8(text.substring(9).replace("\n", "\r\n")), gzip(utf8("\uFEFF" + text)))) {
            Files.write(folder.resolve("some"), bytes);
            Kelvin.Finished expected = run(command + " @some --out @from-file.csv");
            assertThat(expected.exit()).as(expected.err()).isEqualTo(command.startsWith("score") ? REFUSED : 0);
            String scores = Files.readString(folder.resolve("from-file.csv"));
            assertThat(scores.lines().count()).isGreaterThan(2);
            write(fifo(), bytes);
            assertThat(run(command + " @fifo --out @from-fifo.csv").exit()).isEqualTo(expected.exit());
            assertThat(folder.resolve("from-fifo.csv")).hasContent(scores);
            assertThat(run(command + " - --out @from-input.csv", bytes).exit()).isEqualTo(expected.exit());
            assertThat(folder.resolve("from-input.csv")).hasContent(scores);
        }
    }

    @Test
    void pointsComeFromStandardInput() throws IOException {
        Kelvin.Finished scored = run("score @plane - --out @points-scores.csv", utf8("x,y\n0.5,1\n2,3\n"));
        assertThat(scored.exit()).as(scored.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("points-scores.csv"))).hasSize(3);
    }

    @Test
    void anEmptyStreamIsToldOf() {
        Kelvin.Finished scored = run("score @run - --out @none.csv", new byte[0]);
        assertThat(scored.exit()).isEqualTo(REFUSED);
        assertThat(scored.err()).contains("kelvin: standard input: is empty");
        assertThat(folder.resolve("none.csv")).doesNotExist();
    }

    /** What is read again later must be a file; nothing opens the FIFO, which has no writer. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "train table --out @other --data",
                "train digits-shortrun --out @other --data",
                "train table --out @other --set data.table.file=@fifo --data",
                "train --resume @run --data",
                "evaluate @run --data",
                "score @run @new.csv --data",
                "data check",
                "data show",
                "features train",
            })
    void whatIsReadMoreThanOnceIsAFile(String command) throws Exception {
        fifo();
        for (String stream : List.of("-", "@fifo")) {
            Kelvin.Finished finished = run(command + " " + stream, utf8("a,b\n1,2\n3,4\n"));
            assertThat(finished.err()).contains("can be read only once, but").contains("save it first");
            assertThat(finished.exit()).isEqualTo(REFUSED);
        }
        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void aRecipesTableIsAFile() throws Exception {
        fifo();
        Kelvin.Finished finished = run("train table --out @other --set data.table.file=@fifo");
        assertThat(finished.err()).contains("a run reads its table again when it is resumed or evaluated");
        assertThat(finished.exit()).isEqualTo(REFUSED);
    }

    // ---- what is written

    private static Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(file.toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return contents;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "score @run @new.csv --out @new.csv | is read by this command",
                "score @run @new.csv --out @./pictures/../new.csv | is read by this command",
                "score @run @new.csv --out @here/new.csv | is read by this command",
                "score @run @new.csv --out @hard.csv | is read by this command",
                "score @run @new.csv --out @link.csv | is read by this command",
                "score @run @link.csv --out @new.csv | is read by this command",
                "score @run @new.csv --out @table.csv | is of the data of the run",
                "score @run @new.csv --out @run/model.json | belongs to the run",
                "score @run @new.csv --out @run/recipe.yaml | belongs to the run",
                "score @run @new.csv --out @here/run/reference.json | belongs to the run",
                "score @run @new.csv --out @run/checkpoints/other.csv | belongs to the run",
                "score @run @new.csv --out @time/provenance.json | belongs to the run",
                "score @plane @new.csv --data @table.csv --out @table.csv | is read by this command",
                "impute @run --fill @new.csv --out @new.csv | is read by this command",
                "sample @run -n 4 --out @table.csv | is of the data of the run",
                "sample @run -n 4 --out @run/table.json | belongs to the run",
                "sample @plane --with @run*0.5 --out @table.csv | is of the data of the run",
                "restore @plane --inpaint @pictures/one.png --out @pictures/one.npy | one.png is read by this command",
                "restore @plane --denoise 0.1 --of @pictures --out @pictures/one.npy | one.png is read by this command",
                "compare @run @time --out @run/evaluation.json | belongs to the run",
                "compare @run @time --out @table.csv | is of the data of the run",
                "features train @pictures --out @pictures/one.png | is read by this command",
                "data show @pictures/one.png --out @pictures/one.png | is read by this command",
                "data show @pictures --out @here/pictures/one.png | is read by this command",
            })
    void whatIsReadIsNotOverwritten(String command, String why) throws IOException {
        Map<String, String> before = contents();
        Kelvin.Finished finished = run(command);
        assertThat(finished.err()).contains(why).contains("would be overwritten; name another file with --out");
        assertThat(finished.exit()).isEqualTo(USAGE);
        assertThat(contents()).isEqualTo(before);
    }

    /** The usual place of filled cells is a file like others, which may be filled again. */
    @Test
    void whatIsReadIsNotOverwrittenWhereNoPlaceIsNamed() throws IOException {
        Path filled = folder.resolve("run/samples/filled.csv");
        Files.createDirectories(filled.getParent());
        Files.copy(folder.resolve("new.csv"), filled);
        Kelvin.Finished finished = run("impute @run --fill @run/samples/filled.csv");
        assertThat(finished.exit()).isEqualTo(USAGE);
        assertThat(finished.err()).contains("filled.csv is read by this command");
        Files.delete(filled);
    }

    /** Neither a run's folder nor its samples are closed to what is not the run's own. */
    @ParameterizedTest
    @ValueSource(strings = {"run/scores.csv", "run/samples/drawn.csv", "pictures/scores.csv"})
    void otherFilesAreWrittenAndReplaced(String file) {
        for (int i = 0; i < 2; i++) {
            Kelvin.Finished finished = run("score @run @new.csv --out @" + file);
            assertThat(finished.exit()).as(finished.err()).isZero();
        }
    }

    /** Before chains run for hours whose samples could not be written. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "score @run @new.csv --out @pictures",
                "sample @run -n 4 --steps 2000000000 --out @pictures",
                "sample @run -n 4 --steps 2000000000 --out @run",
                "impute @run --given a=3 --steps 2000000000 --out @pictures",
                "compare @run @time --out @pictures",
            })
    void aFolderInThePlaceOfAFileIsRefusedBeforeTheWork(String command) {
        Kelvin.Finished finished = run(command);
        assertThat(finished.err()).contains(" is a folder; --out names a file");
        assertThat(finished.exit()).isEqualTo(USAGE);
    }

    /** A folder of a diagnosis is refused before its chains run. */
    @Test
    void aFolderThatIsThereIsRefusedBeforeTheWork() {
        Kelvin.Finished finished = run("chains @plane --kernel hmc -n 1000000000 --out @pictures");
        assertThat(finished.exit()).isEqualTo(REFUSED);
        assertThat(finished.err()).contains("is there already; name another folder with --out");
    }

    /** Whoever adds a verb with --out says what it writes, or makes a folder that must be new or holds such runs alone. */
    @Test
    void everyVerbSaysWhatItWrites() {
        List<String> folders = List.of("kelvin train", "kelvin sweep", "kelvin reproduce");
        assertThat(OptionsTest.commands()
                        .map(CommandLine::getCommandSpec)
                        .filter(verb -> verb.findOption(Writing.OUT) != null)
                        .filter(verb -> !folders.contains(verb.qualifiedName())))
                .hasSizeGreaterThan(4)
                .allMatch(verb -> verb.userObject() instanceof Writing);
    }
}
