package dev.kelvin.panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.TableColumns;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judge;
import dev.kelvin.judge.TableJudge;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.OddColumns;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.figure.TableFigures;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.report.Report;
import dev.kelvin.report.Report.Section;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablePanelsTest {
    private static final Evaluation NOTHING = new Evaluation(Map.of(), Map.of(), List.of());

    /** Untrained models: what is shown does not depend on how good one is. */
    @ParameterizedTest
    @CsvSource({"1, false, ''", "2, true, ''", "3, false, objective.robust.beta=0.5", "9, true, ''"})
    void aTableOfAnyWidthIsShown(int columns, boolean labelled, String set, @TempDir Path folder) throws Exception {
        Path csv = table(folder, columns, labelled);
        List<String> settings = new ArrayList<>(List.of(
                "data.table.file=" + csv,
                "data.table.advise=false",
                "data.table.text=one-hot",
                "data.table.heldOut=0.1",
                "negatives.buffer.size=32",
                "negatives.count=16",
                "model.mlp.hidden=[8]"));
        if (labelled) {
            settings.add("data.table.label=kind");
        }
        if (!set.isEmpty()) {
            settings.add(set);
        }
        Path samples = Files.createDirectories(folder.resolve("samples"));
        try (Experiment experiment = new Experiment(Recipes.load("table", settings), Device.CPU)) {
            Panels.Shown shown = Panels.of(Judge.of(experiment).measured()).show(samples, NOTHING);
            assertThat(shown.sections().stream().map(Section::title))
                    .contains(
                            "What it samples",
                            "How likely are held-out rows?",
                            "What f says",
                            "What an alarm finds",
                            "The oddest rows");
            assertThat(shown.files()).containsKeys("samples.png", "marginals.png");
            assertThat(shown.files().containsKey("correlations.png")).isEqualTo(columns > 1);
            assertThat(shown.files().containsKey("negatives.png")).isEqualTo(!set.isEmpty());
            shown.files().values().forEach(png -> assertThat(png.get().width()).isPositive());
            String page = new Report("t", "", List.of(), List.of(), shown.sections()).html();
            assertThat(page.contains("ROC curve: true-positive rate")).isEqualTo(labelled);
            assertThat(page).contains("The 10 oddest held-out rows").contains("needs 999 held-out rows");
            assertThat(page.contains("All columns of these rows")).isEqualTo(columns > 8);
            List<String> lines = Files.readAllLines(samples.resolve("model.csv"));
            assertThat(lines.get(0))
                    .startsWith(columns == 1 ? "\"a, b\"" : "\"a, b\",")
                    .doesNotContain("kind");
            assertThat(lines).hasSize(1 + TableJudge.REPORTED);
        }
    }

    /** Columns of numbers, the first with a comma in its name and in the tens of thousands; of two or more the last is of words. */
    private static Path table(Path folder, int columns, boolean labelled) throws Exception {
        RandomGenerator random = Key.of(3).stream();
        List<String> lines = new ArrayList<>();
        String names = IntStream.range(1, columns).mapToObj(i -> ",x" + i).collect(Collectors.joining());
        lines.add("\"a, b\"" + names + (labelled ? ",kind" : ""));
        for (int row = 0; row < 160; row++) {
            StringBuilder line = new StringBuilder(Double.toString(20000 + 100 * random.nextGaussian()));
            for (int i = 1; i < columns; i++) {
                line.append(',');
                if (i == columns - 1) {
                    line.append(random.nextBoolean() ? "red" : "green");
                } else {
                    line.append(random.nextGaussian());
                }
            }
            lines.add(line + (labelled ? row % 3 == 0 ? ",odd" : ",usual" : ""));
        }
        Path file = folder.resolve("table.csv");
        Files.write(file, lines);
        return file;
    }

    @Test
    void aLikelihoodThatIsNotKnownIsNoNumber() {
        String page = page(Map.of(
                ModelFigures.LOG_Z_LOWER.name(),
                3.0,
                ModelFigures.LOG_Z_UPPER.name(),
                45.0,
                TableFigures.EFFECTIVE.name(),
                1.2,
                TableFigures.LOWER.name(),
                -127.0,
                TableFigures.UPPER.name(),
                -85.0,
                TableFigures.OF_GAUSSIAN.name(),
                -99.5));
        assertThat(page)
                .contains("<strong class=\"marked\">not known</strong>")
                .contains("the bounds lie 42.00 nats apart")
                .contains("the effective sample size of 500 chains is 1.2")
                .contains("−99.50")
                .doesNotContain("Even its lower bound");
    }

    @Test
    void aLikelihoodThatIsKnownStandsBesideTheGaussians() {
        String page = page(Map.of(
                HeldOut.LOG_LIKELIHOOD.name(), -8.25,
                TableFigures.LOWER.name(), -8.3,
                TableFigures.UPPER.name(), -8.2,
                TableFigures.OF_GAUSSIAN.name(), -9.5,
                ModelFigures.LEARNT_LOG_LIKELIHOOD.name(), -8.75));
        assertThat(page)
                .contains("The likelihood is known")
                .contains("−8.25")
                .contains("by 1.25 nats")
                .contains("by its learnt normaliser")
                .contains("−8.75")
                .doesNotContain(">not known<");
    }

    private static String page(Map<String, Double> figures) {
        Section section = new LikelihoodPanel(new Evaluation(figures, Map.of(), List.of())).section();
        return new Report("t", "", List.of(), List.of(), List.of(section)).html();
    }

    /** By hand: ten usual rows, alarms at 10 % have f below the lowest; at it, no usual row and both others are found. */
    @Test
    void thresholdsTellWhatIsFound() {
        Map<String, double[]> f = new LinkedHashMap<>();
        f.put(TableJudge.HELD_OUT, new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        f.put("kind = odd", new double[] {0, 0.5});
        String page = new Report(
                        "t",
                        "",
                        List.of(),
                        List.of(),
                        List.of(new Section("s", new TableScorePanel(f, new double[] {3, 4}).alarms())))
                .html();
        assertThat(page)
                .contains("needs 99 held-out rows")
                .contains("100\u00A0%")
                .contains("10 usual rows and 2");
    }

    @Test
    void manyKindsShareSixColours() {
        Map<String, double[]> f = new LinkedHashMap<>();
        f.put(TableJudge.HELD_OUT, new double[] {1, 2, 3});
        IntStream.range(0, 9).forEach(i -> f.put("kind = " + i, new double[] {i, i + 1}));
        assertThat(new TableScorePanel(f, new double[] {2}).histogram().series())
                .hasSize(6);
    }

    /** y = 2x + 0.3ξ: where y is 1.5 above 2x, it is five deviations from what x suggests, and x as odd the other way. */
    @Test
    void aResidualIsAgainstWhatTheOthersSuggest() {
        RandomGenerator random = Key.of(5).stream();
        double[][] rows = new double[4000][];
        Arrays.setAll(rows, i -> {
            double x = random.nextGaussian();
            return new double[] {100 + x, 2 * x + 0.3 * random.nextGaussian(), random.nextGaussian()};
        });
        OddColumns residuals;
        try (Scope scope = Scope.open()) {
            double[] flat = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
            residuals = OddColumns.of(Tensors.of(flat, 4000, 3));
        }
        double[] of = residuals.residuals(101, 3.5, 0);
        assertThat(residuals.deviation(1)).isCloseTo(0.3, within(0.03));
        assertThat(of[1]).isCloseTo(5, within(0.5));
        assertThat(of[0]).isLessThan(-4);
        assertThat(of[2]).isCloseTo(0, within(0.5));
    }

    @Test
    void pairsAreOfColumnsThatDependOnEachOther() {
        RandomGenerator random = Key.of(6).stream();
        double[][] rows = new double[500][];
        Arrays.setAll(rows, i -> {
            double[] row = random.doubles(12).toArray();
            row[3] = row[8] + 0.01 * row[3];
            row[5] = 0.1 * row[5] - row[11];
            row[0] = row[1] + row[0];
            return row;
        });
        assertThat(ColumnPanels.choice(schema(12), rows)).containsExactly(0, 1, 3, 5, 8, 11);
        assertThat(ColumnPanels.choice(schema(4), rows)).containsExactly(0, 1, 2, 3);
        assertThat(ColumnPanels.pairsWords(schema(4))).isEmpty();
    }

    private static Schema schema(int width) {
        return new Schema(
                true,
                IntStream.range(0, width)
                        .mapToObj(
                                i -> new Schema.Column("c" + i, Schema.Kind.NUMERIC, List.of(), Optional.empty(), 0, 1))
                        .toList(),
                List.of(),
                Optional.empty(),
                TableColumns.UnknownWord.REFUSE);
    }
}
