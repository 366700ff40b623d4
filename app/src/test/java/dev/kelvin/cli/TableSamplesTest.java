package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.train.TrainListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples of models of tables: in the table's units, given cells, and in the place of missing ones. */
class TableSamplesTest {
    private static final int REFUSED = 3;

    @TempDir
    private static Path folder;

    /** Amounts in thousands that follow the hour, a word, a column that never changes, one that is not read, and a label. */
    @BeforeAll
    static void train() throws IOException {
        RandomGenerator random = Key.of(3).stream();
        StringBuilder csv = new StringBuilder("id,amount,hour,kind,unit,fraud\n");
        for (int i = 0; i < 200; i++) {
            double hour = 12 + 3 * random.nextGaussian();
            double amount = 4000 + 200 * (hour - 12) + 100 * random.nextGaussian();
            csv.append(String.format(
                    Locale.ROOT,
                    "%d,%.1f,%.2f,%s,EUR,%d%n",
                    i,
                    amount,
                    hour,
                    i % 3 == 0 ? "card" : "cash",
                    i % 4 == 0 ? 1 : 0));
        }
        Files.writeString(folder.resolve("table.csv"), csv.toString().replace(System.lineSeparator(), "\n"));
        List<String> small = List.of(
                "data.table={file: '" + folder.resolve("table.csv")
                        + "', text: one-hot, exclude: [id], label: fraud, noise: 0.1}",
                "model.mlp.hidden=[8]",
                "negatives.count=16",
                "negatives.buffer.size=32",
                "negatives.steps=2",
                "train.batch=32",
                "train.checkpointEvery=20",
                "train.iterations=20");
        train("plain", Recipes.load("table", small));
        String classes = """
                name: classes
                data: {table: {}}
                model: {mlp: {activation: silu}}
                baseMeasure: gaussian
                classes: head
                negatives:
                  start: data
                  kernel: {mala: {stepSize: 0.1}}
                objective: cd-ce
                optimiser: {adam: {learningRate: 1e-3}}
                train: {}
                """;
        train("classes", Recipes.parse("classes", classes, small));
        List<String> far = new ArrayList<>(small);
        far.add("negatives.kernel.mala.stepSize=1e9");
        train("still", Recipes.parse("classes", classes, far));
        train(
                "time",
                Recipes.parse(
                        "time",
                        """
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
                        """,
                        small.stream()
                                .filter(each -> !each.matches("negatives[.](count|buffer).*"))
                                .toList()));
        train("plane", Recipes.load("rings", List.of("train.iterations=2", "negatives.steps=1", "train.batch=8")));
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

    private static List<String> sample(String command, String file) throws IOException {
        return rows("sample " + command, file);
    }

    private static List<String> impute(String command, String file) throws IOException {
        return rows("impute " + command, file);
    }

    private static List<String> rows(String command, String file) throws IOException {
        Kelvin.Finished finished = run(command + " --out @" + file);
        assertThat(finished.exit()).as(finished.err()).isZero();
        return Files.readAllLines(folder.resolve(file));
    }

    private static double[] column(List<String> lines, int column) {
        return lines.stream()
                .skip(1)
                .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[column]))
                .toArray();
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value / values.length;
        }
        return sum;
    }

    @Test
    void samplesAreRowsOfTheTable() throws IOException {
        List<String> lines = sample("@plain -n 60", "drawn.csv");
        assertThat(lines.get(0)).isEqualTo("amount,hour,kind,unit");
        assertThat(lines).hasSize(61);
        assertThat(lines.subList(1, 61)).allMatch(line -> line.matches("[-.0-9]+,[-.0-9]+,(card|cash),EUR"));
        assertThat(mean(column(lines, 0))).isBetween(3500.0, 4500.0);
        // and can be scored as they are
        Kelvin.Finished scored = run("score @plain @drawn.csv --out @scores.csv");
        assertThat(scored.exit()).as(scored.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("scores.csv"))).hasSize(61);
    }

    @Test
    void samplesOfClassesHaveTheirLabel() throws IOException {
        List<String> lines = sample("@classes -n 4 --class 1", "ones.csv");
        assertThat(lines.get(0)).isEqualTo("amount,hour,kind,unit,fraud");
        assertThat(lines.subList(1, 5)).allMatch(line -> line.endsWith(",EUR,1"));
    }

    @Test
    void productsOfClassesHaveTheirLabelAndAreRows() throws IOException {
        Kelvin.Finished finished = run("sample @classes --with @classes --class 1 -n 4");
        assertThat(finished.exit()).as(finished.err()).isZero();
        List<String> lines = Files.readAllLines(folder.resolve("classes/samples/drawn.csv"));
        assertThat(lines.get(0)).isEqualTo("amount,hour,kind,unit,fraud");
        assertThat(lines.subList(1, 5)).allMatch(line -> line.endsWith(",EUR,1"));
        assertThat(finished.err()).doesNotContain("warning");
    }

    @Test
    void chainsThatDoNotMoveAreToldOf() {
        Kelvin.Finished finished = run("sample @still --with @still -n 4");
        assertThat(finished.exit()).as(finished.err()).isZero();
        assertThat(finished.err()).contains("warning: the chains accepted 0 % of their proposals");
    }

    /** .npy has no words, and this table has some. */
    @Test
    void wordsAreNoNumbers() {
        Kelvin.Finished finished = run("sample @plain -n 4 --out @drawn.npy");
        assertThat(finished.exit()).isEqualTo(REFUSED);
        assertThat(finished.err()).contains("an .npy file holds numbers, and the column 'kind' has words");
    }

    /** hour 18 is two deviations up, so the amount is about 5200 if it follows; a base that is fitted well says so. */
    @ParameterizedTest
    @ValueSource(strings = {"--given hour=18 --given kind=card", "--given hour=18,kind=card"})
    void givenCellsAreKept(String given) throws IOException {
        List<String> lines = impute("@plain -n 300 " + given, "given.csv");
        assertThat(lines.subList(1, 301)).allMatch(line -> line.matches("[-.0-9]+,18,card,EUR"));
        assertThat(mean(column(lines, 0))).isBetween(4700.0, 5700.0); // 4000 if the hour said nothing
    }

    @ParameterizedTest
    @ValueSource(strings = {"classes --class 1", "classes", "time", "plain --steps 3"})
    void everyKindOfModelKeepsToCells(String model) throws IOException {
        List<String> lines = impute("@" + model + " -n 20 --given amount=4000", "kept.csv");
        assertThat(lines.subList(1, 21)).allMatch(line -> line.matches("4000,[-.0-9]+,(card|cash),EUR"));
        // chains that were resampled to one point may still be there if all of three steps were refused
        assertThat(Arrays.stream(column(lines, 1)).distinct().count()).isGreaterThan(15);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plain --given amont=3 | 3 | has no column 'amont'; did you mean 'amount'?",
                "plain --given amount | 3 | --given takes COLUMN=VALUE",
                "plain --given amount=much | 3 | takes a number",
                "plain --given amount=1,5 | 3 | takes a number",
                "plain --given kind=cahs | 3 | did you mean 'cash'?",
                "plain --given fraud=1 | 3 | that column is the label",
                "classes --given fraud=1 | 3 | --class says it",
                "plain --given unit=USD | 3 | the same value",
                "plain --given id=3 | 3 | not an input of the model",
                "plain --given hour=3 --given hour=4 | 3 | twice",
                "plain --given hour=3,amount=1,kind=cash | 3 | names all columns",
                "plain --given hour=3 --class 1 | 3 | knows no classes",
                "plain | 2 | Missing required argument (specify one of these): (--given=COLUMN=VALUE",
                "plain --given hour=3 --fill @table.csv | 2 | are mutually exclusive",
                "plain --given hour=3 --with @plain | 2 | Unknown option",
                "plain --fill @table.csv --out @x.npy | 2 | writes CSV",
                "plain --fill @missing.csv | 3 | missing.csv",
                "plane --given x1=3 | 3 | points of the plane",
            })
    void whatCannotBeIsRefusedWithTheReason(String command, int exit, String why) {
        Kelvin.Finished finished = run("impute @" + command);
        assertThat(finished.err()).contains(why);
        assertThat(finished.exit()).isEqualTo(exit);
    }

    /** Columns in another order, one that the model does not know, and the label, which stays. */
    @Test
    void gapsAreFilledAndAllElseStays() throws IOException {
        Files.writeString(folder.resolve("gaps.csv"), """
                kind,note,hour,fraud,amount
                cash,"a, b",18,,
                ,x,12.50,1,4e3
                card,y,NA,0,?
                cash,,11,0,3900.00
                """);
        List<String> lines = impute("@plain --fill @gaps.csv", "filled.csv");
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).isEqualTo("kind,note,hour,fraud,amount");
        assertThat(lines.get(1)).matches("cash,\"a, b\",18,,[-.0-9]+");
        assertThat(lines.get(2)).matches("(cash|card),x,12.50,1,4e3");
        assertThat(lines.get(3)).matches("card,y,[-.0-9]+,0,[-.0-9]+");
        assertThat(lines.get(4)).isEqualTo("cash,,11,0,3900.00");
        List<String> several = impute("@plain --fill @gaps.csv -n 40 --seed 1", "several.csv");
        assertThat(several).hasSize(1 + 4 * 40);
        assertThat(several.get(0)).isEqualTo("draw,kind,note,hour,fraud,amount");
        assertThat(several.get(1)).startsWith("0,cash,\"a, b\",18,,");
        assertThat(several.get(40)).startsWith("39,cash,");
        double[] amounts = several.subList(1, 41).stream()
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
                .toArray();
        assertThat(mean(amounts)).isBetween(4600.0, 5800.0);
    }

    @Test
    void badRowsAreNamedAndNothingIsWritten() throws IOException {
        Files.writeString(folder.resolve("bad.csv"), "amount,hour,kind\n1,2,cash\nx,,card\n");
        Kelvin.Finished finished = run("impute @plain --fill @bad.csv --out @none.csv");
        assertThat(finished.exit()).isEqualTo(REFUSED);
        assertThat(finished.err()).contains("row 2 (line 3), column 'amount' holds 'x', which is no number");
        assertThat(folder.resolve("none.csv")).doesNotExist();
        Files.writeString(folder.resolve("few.csv"), "amount,hour\n1,2\n");
        assertThat(run("impute @plain --fill @few.csv").err()).contains("has no column 'kind', which the model needs");
        Files.writeString(folder.resolve("draw.csv"), "draw,amount,hour,kind\n1,1,,cash\n");
        assertThat(run("impute @plain --fill @draw.csv -n 2").err()).contains("has a column 'draw' itself");
    }

    /** Tables of other columns, or scaled otherwise, have other coordinates of the same numbers. */
    @Test
    void productsAreOfOneTable() throws IOException {
        assertThat(run("sample @plain --with @plain -n 4 --out @product.csv").exit())
                .isZero();
        assertThat(Files.readAllLines(folder.resolve("product.csv"))).hasSize(5);
        Kelvin.Finished finished = run("sample @plain --with @plane -n 4");
        assertThat(finished.exit()).isEqualTo(REFUSED);
    }

    @Test
    void pointsAreWrittenAsEver() throws IOException {
        Kelvin.Finished finished = run("sample @plane -n 5 --out @points.npy");
        assertThat(finished.exit()).as(finished.err()).isZero();
        try (Scope scope = Scope.open()) {
            Tensor read = Npy.read(folder.resolve("points.npy"));
            assertThat(read.shape()).containsExactly(5, 2);
        }
    }
}
