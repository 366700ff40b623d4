package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.table.file.NumberWriter;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.Scores;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.Model;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.train.TrainListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of every kind of run, loaded from Java: they say and draw what the command line does. */
class LoadedModelTest {
    private static final int THREADS = 8;
    private static final String NONE = "";

    /** In the units of the table; the last is odd in b. */
    private static final double[][] ROWS = {{11.5, 12}, {14, 13.25}, {9, 10}, {12, 40}};

    @TempDir
    private static Path folder;

    @BeforeAll
    static void train() throws IOException {
        RandomGenerator random = Key.of(5).stream();
        StringBuilder numbers = new StringBuilder("a,b,kind\n");
        StringBuilder words = new StringBuilder("a,b,colour\n");
        for (int i = 0; i < 200; i++) {
            double a = 12 + 3 * random.nextGaussian();
            String cells = String.format(Locale.ROOT, "%.3f,%.3f,", a, a + random.nextGaussian());
            numbers.append(cells).append(i % 3 == 0 ? "odd\n" : "usual\n");
            words.append(cells).append(a > 12 ? "red\n" : i % 2 == 0 ? "blue\n" : "green\n");
        }
        Files.writeString(folder.resolve("numbers.csv"), numbers);
        Files.writeString(folder.resolve("words.csv"), words);
        StringBuilder rows = new StringBuilder("a,b\n");
        for (double[] row : ROWS) {
            rows.append(row[0]).append(',').append(row[1]).append('\n');
        }
        Files.writeString(folder.resolve("rows.csv"), rows);
        Files.writeString(
                folder.resolve("points.csv"),
                rows.toString().replace("a,b", "x,y").replace("40", "4"));
        List<String> table = List.of(
                "data.table={file: '" + folder.resolve("numbers.csv") + "', label: kind}",
                "model.mlp.hidden=[8]",
                "negatives.steps=2",
                "train.batch=16",
                "train.iterations=6");
        train("plane", Recipes.load("rings", List.of("train.iterations=3", "negatives.steps=2", "train.batch=8")));
        train("table", Recipes.load("table", with(table, "negatives.buffer.size=128")));
        train(
                "words",
                Recipes.load(
                        "table",
                        with(
                                table,
                                "data.table={file: '" + folder.resolve("words.csv") + "', text: one-hot}",
                                "negatives.buffer.size=128")));
        train("classes", Recipes.parse("classes", """
                        name: classes
                        data: {table: {}}
                        model: {mlp: {activation: silu}}
                        classes: head
                        negatives:
                          start: gaussian
                          kernel: {mala: {stepSize: 0.1}}
                          buffer: {size: 40}
                        objective: cd-ce
                        optimiser: {adam: {learningRate: 1e-3}}
                        train: {}
                        """, table));
        train("time", Recipes.parse("time", """
                        name: time
                        data: {table: {}}
                        model: {mlp: {activation: silu}}
                        time: {count: 4, reference: {std: 1.5}, annealing: {steps: 2}}
                        negatives:
                          start: batch
                          kernel: {mala: {stepSize: 0.05}}
                          adapt: {acceptance: 0.6}
                        objective: cd-ce
                        optimiser: {adam: {learningRate: 1e-3}}
                        train: {}
                        """, table));
        List<String> images = List.of("train.batch=8", "train.iterations=4", "train.checkpointEvery=4");
        train(
                "jem",
                Recipes.load(
                        "digits-jem-small",
                        with(images, "model.short-run.filters=2", "negatives.steps=2", "negatives.buffer.size=50")));
        train(
                "cooperative",
                Recipes.load(
                        "digits-jem-small",
                        with(
                                images,
                                "negatives.start={generator: {latent: 3, network: {widths: [3, 2]}}}",
                                "model.short-run.filters=2",
                                "negatives.steps=2",
                                "negatives.buffer.size=50")));
        train(
                "latent",
                Recipes.load(
                        "digits-latent-small",
                        with(images, "latent.generator.widths=[4]", "latent.posterior.steps=2", "negatives.steps=2")));
        try (ImageSet digits = Digits.load();
                ImageSet few = digits.subset(LongStream.range(0, 20).toArray())) {
            Npy.write(folder.resolve("images.npy"), few.pixels());
        }
        for (String judged : List.of("plane", "table", "words")) {
            run("evaluate @" + judged);
        }
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

    /** A command in this process; @ is the folder. Scores that are alarms end it with an exit code of their own. */
    private static void run(String command) {
        Kelvin.Finished finished = InProcess.run(folder, command.split(" +"));
        assertThat(finished.exit()).as(finished.err()).isZero();
    }

    private static Model load(String name) throws IOException {
        return Model.load(folder.resolve(name));
    }

    // ---- scores

    /** A number as files of scores have it. */
    private static String digits(double number) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            NumberWriter writer = new NumberWriter(bytes);
            writer.number(number);
            writer.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The cells of a file's columns by their names, from the first row on. */
    private static List<String> column(Path file, String name) throws IOException {
        List<String> lines = Files.readAllLines(file);
        int place = List.of(lines.get(0).split(",", -1)).indexOf(name);
        assertThat(place).as(lines.get(0)).isNotNegative();
        return lines.stream().skip(1).map(line -> line.split(",", -1)[place]).toList();
    }

    private static List<String> digits(double... numbers) {
        return Arrays.stream(numbers).mapToObj(LoadedModelTest::digits).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plane", "table", "classes", "time"})
    void rowsAreScoredAsByTheCommandLine(String name) throws IOException {
        Path scores = folder.resolve(name + "-scores.csv");
        run("score @" + name + (name.equals("plane") ? " @points.csv" : " @rows.csv") + " --score gradient --out "
                + scores);
        double[][] rows = ROWS.clone();
        if (name.equals("plane")) {
            rows[3] = new double[] {12, 4};
        }
        try (Model model = load(name)) {
            Scores found = model.scores(rows, OodScore.GRADIENT);
            assertThat(digits(model.score(rows))).isEqualTo(column(scores, "f"));
            assertThat(digits(found.score())).isEqualTo(column(scores, "in_distribution"));
            if (model.hasClasses()) {
                for (int k = 0; k < model.classes().size(); k++) {
                    int number = k;
                    assertThat(Stream.of(found.p()).map(p -> digits(p[number])))
                            .isEqualTo(column(scores, "p_" + model.classes().get(k)));
                }
                assertThat(Arrays.stream(model.classify(rows)).mapToObj(model.classes()::get))
                        .isEqualTo(column(scores, "class"));
            }
            if (!model.columns().isEmpty()) {
                assertThat(model.oddColumns(rows)).containsExactlyElementsOf(column(scores, "oddest"));
            }
            if (model.card().reference().isPresent()) {
                assertThat(digits(model.quantile(rows))).isEqualTo(column(scores, "quantile"));
            } else {
                assertThat(column(scores, "quantile")).containsOnly(NONE);
                assertThatThrownBy(() -> model.quantile(rows)).hasMessageContaining("not judged");
            }
            if (model.isNormalised()) {
                assertThat(digits(model.logLikelihood(rows))).isEqualTo(column(scores, "log_p"));
            } else {
                assertThat(column(scores, "log_p")).containsOnly(NONE);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jem", "latent"})
    void imagesAreScoredAsByTheCommandLine(String name) throws IOException {
        Path scores = folder.resolve(name + "-scores.csv");
        run("score @" + name + " @images.npy --out " + scores);
        try (Model model = load(name);
                ImageSet images = ImageFiles.read(folder.resolve("images.npy"))) {
            assertThat(digits(model.score(images))).isEqualTo(column(scores, "f"));
            if (name.equals("jem")) {
                Scores found = model.scores(images, OodScore.MAX_P);
                assertThat(Stream.of(found.p()).map(p -> digits(p[3]))).isEqualTo(column(scores, "p_3"));
                assertThat(Arrays.stream(model.classify(images)).mapToObj(Integer::toString))
                        .isEqualTo(column(scores, "class"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plane", "table", "words"})
    void theNormaliserLiesBetweenTheEvaluationsBounds(String name) throws IOException {
        Evaluation evaluation = Evaluation.read(folder.resolve(name).resolve("evaluation.json"));
        try (Model model = load(name)) {
            assertThat(model.isNormalised()).isEqualTo(name.equals("table")); // not at edges or of words
            if (!model.isNormalised()) {
                assertThatThrownBy(model::logNormaliser).hasMessageContaining("log p is not known");
                return;
            }
            HeldOutReference.Bounds bounds = model.logNormaliser();
            assertThat(bounds.lower()).isLessThanOrEqualTo(bounds.estimate());
            assertThat(bounds.estimate()).isLessThanOrEqualTo(bounds.upper());
            evaluation
                    .figure(ModelFigures.LOG_Z_LOWER.name())
                    .ifPresent(lower -> assertThat(bounds.lower()).isEqualTo(lower));
            evaluation
                    .figure(ModelFigures.LOG_Z_UPPER.name())
                    .ifPresent(upper -> assertThat(bounds.upper()).isEqualTo(upper));
            double[][] one = {model.sample(1, 1)[0]};
            assertThat(model.logLikelihood(one)[0])
                    .isEqualTo(model.score(one)[0] / model.temperature() - bounds.estimate());
        }
    }

    // ---- samples

    private static double[] read(Path file) throws IOException {
        try (Scope scope = Scope.open()) {
            return Npy.read(file).toDoubles();
        }
    }

    private static double[] flat(double[][] rows) {
        return Stream.of(rows).flatMapToDouble(Arrays::stream).toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plane", "table", "classes", "time", "jem", "cooperative", "latent"})
    void samplesAreThoseOfTheCommandLine(String name) throws IOException {
        Path file = folder.resolve(name + "-samples.npy");
        run("sample @" + name + " -n 12 --seed 5 --out " + file);
        try (Model model = load(name)) {
            assertThat(flat(model.sample(5, 12))).containsExactly(read(file));
            assertThat(flat(model.sample(6, 12))).isNotEqualTo(read(file));
            if (model.hasClasses()) {
                String label = model.classes().get(1);
                run("sample @" + name + " -n 6 --seed 5 --class " + label + " --out " + file);
                assertThat(flat(model.sample(5, 6, label))).containsExactly(read(file));
            }
        }
    }

    /** Fresh chains of a loaded model begin at the images of the generator's averaged parameters, as the run's own do. */
    @ParameterizedTest
    @ValueSource(strings = {"float", "bfloat16"})
    void chainsBeginAtTheGeneratorsImages(String precision) throws IOException {
        List<double[]> bySeed = new ArrayList<>();
        for (int seed = 0; seed < 2; seed++) {
            Recipe recipe = Recipes.load(
                    "digits-jem-small",
                    List.of(
                            "train.seed=" + seed,
                            "train.batch=8",
                            "train.iterations=4",
                            "train.ema=0.5",
                            "train.precision=" + precision,
                            "model.short-run.filters=2",
                            "negatives.start={generator: {latent: 3, network: {widths: [3, 2]}}}",
                            "negatives.steps=2",
                            "negatives.buffer.size=50"));
            Path path = folder.resolve("generator-" + precision + seed);
            try (Scope scope = Scope.open();
                    Experiment experiment = new Experiment(recipe, Device.CPU)) {
                RunFolder run = RunFolder.create(path, recipe, Provenance.of(experiment, Device.CPU));
                new Runner(run, Device.CPU).train(experiment, new TrainListener() {}, () -> false);
                double[] own = experiment.model().starts().draw(Key.of(3), 300).toDoubles();
                try (Model model = Model.load(path)) {
                    assertThat(model.starts().draw(Key.of(3), 300).toDoubles()).isEqualTo(own);
                    assertThat(model.chainSettings().start())
                            .isEqualTo(recipe.negatives().start());
                }
                bySeed.add(own);
            }
        }
        assertThat(bySeed.get(0)).isNotEqualTo(bySeed.get(1));
    }

    @Test
    void givenCellsAreThoseOfTheCommandLine() throws IOException {
        Path file = folder.resolve("given.npy");
        run("impute @table -n 9 --seed 3 --given a=11 --out " + file);
        try (Model model = load("table")) {
            double[][] rows = model.sampleGiven(3, 9, "a=11");
            assertThat(flat(rows)).containsExactly(read(file));
            assertThat(List.of(rows)).hasSize(9).allSatisfy(row -> {
                assertThat(row[0]).isEqualTo(11);
                assertThat(row[1]).isFinite();
            });
            assertThat(model.sampleGiven(3, 0, "a=11")).isEmpty();
            assertThatThrownBy(() -> model.sampleGiven(3, 1, "c=1")).hasMessageContaining("column");
        }
    }

    @Test
    void wordsCanBeGiven() throws IOException {
        try (Model model = load("words")) {
            assertThat(model.columns()).containsExactly("a", "b", "colour=blue", "colour=green", "colour=red");
            assertThat(List.of(model.sampleGiven(3, 5, "colour=green,b=12")))
                    .hasSize(5)
                    .allSatisfy(row -> {
                        assertThat(Arrays.copyOfRange(row, 1, 5)).containsExactly(12, 0, 1, 0);
                        assertThat(row[0]).isFinite();
                    });
        }
    }

    /** Rows with a gap in a, in b, in none, and in a again, which is filled with the first. */
    @Test
    void gapsAreFilledAsByTheCommandLine() throws IOException {
        double no = Double.NaN;
        double[][] gaps = {{no, 12}, {14, no}, {9, 10}, {no, 8}, {10, no}};
        Path file = folder.resolve("gaps.csv");
        List<String> lines = new ArrayList<>(List.of("a,b"));
        for (double[] row : gaps) {
            lines.add((row[0] + "," + row[1]).replace("NaN", ""));
        }
        Files.write(file, lines);
        Path filled = folder.resolve("filled.csv");
        run("impute @table --fill " + file + " --seed 4 --out " + filled);
        try (Model model = load("table")) {
            double[][] rows = model.impute(4, gaps);
            assertThat(gaps[0][0]).isNaN(); // a copy was filled
            for (int i = 0; i < gaps.length; i++) {
                for (int j = 0; j < 2; j++) {
                    double expected = Double.parseDouble(
                            column(filled, j == 0 ? "a" : "b").get(i));
                    assertThat(rows[i][j]).isFinite().isCloseTo(expected, within(1e-6 * Math.abs(expected)));
                    if (!Double.isNaN(gaps[i][j])) {
                        assertThat(rows[i][j]).isEqualTo(gaps[i][j]);
                    }
                }
            }
            assertThat(model.impute(4, gaps)).isDeepEqualTo(rows);
            assertThat(model.impute(5, gaps)[0][0]).isNotEqualTo(rows[0][0]);
            assertThat(model.impute(5, gaps)[2]).containsExactly(9, 10);
            assertThat(model.impute(4, new double[0][])).isEmpty();
            assertThatThrownBy(() -> model.impute(4, new double[][] {{no}}))
                    .hasMessage("row 0 has 1 value; expected 2: a, b");
        }
    }

    // ---- threads

    /** What a model says and draws, from its first use on. */
    private static List<double[]> said(Model model) throws IOException {
        List<double[]> all = new ArrayList<>();
        if (model.range().isPresent()) {
            try (ImageSet images = ImageFiles.read(folder.resolve("images.npy"))) {
                all.add(model.score(images));
            }
        } else {
            all.add(model.score(ROWS));
        }
        all.add(flat(model.sample(7, 6)));
        if (model.hasClasses()) {
            all.add(flat(model.sample(7, 3, "1")));
        }
        if (model.columns().size() == 2) {
            all.add(flat(model.impute(2, new double[][] {{Double.NaN, 12}})));
            all.add(flat(model.sampleGiven(2, 3, "b=11")));
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"plane", "table", "classes", "time", "jem", "latent"})
    void threadsThatAskAtOnceHearTheSame(String name) throws Exception {
        List<double[]> expected;
        try (Model alone = load(name)) {
            expected = said(alone);
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Model shared = load(name)) {
            List<Future<List<double[]>>> asked = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                asked.add(threads.submit(() -> said(shared)));
            }
            for (Future<List<double[]>> one : asked) {
                assertThat(one.get()).usingRecursiveComparison().isEqualTo(expected);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
