package dev.kelvin.panel;

import dev.kelvin.data.table.Schema;
import dev.kelvin.dataset.KeyDomain;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.draw.Cloud;
import dev.kelvin.draw.Png;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.judge.ColumnResiduals;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judgement;
import dev.kelvin.judge.TableJudge;
import dev.kelvin.report.Block;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Section;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * What the report shows of a model of a table: samples beside held-out rows, in pairs and one by one, the likelihood, what f says
 * and finds, and the oddest rows. All in the table's units.
 */
public final class TablePanels {
    /** Rows and samples in pictures, at most. */
    public static final int POINTS = 2000;

    /** Rows that a Gaussian is fitted to, which says what a row's columns suggest of each other. */
    private static final int FITTED = 20_000;

    /** The report's draws have a key of their own: looking at a run changes nothing in it. */
    private static final Key KEY = KeyDomain.REPORT.key();

    private static final MathContext DIGITS = new MathContext(7); // a float has no more

    private final Path samples;
    private final TableJudge judge;
    private final Evaluation evaluation;
    private final Experiment experiment;
    private final TableDataset data;
    private final Schema schema;

    /** Samples are written to that folder. */
    public TablePanels(Path samples, TableJudge judge, Evaluation evaluation) {
        this.samples = samples;
        this.judge = judge;
        this.evaluation = evaluation;
        this.experiment = judge.experiment();
        this.data = judge.data();
        this.schema = data.schema();
    }

    /** Pairs of columns of samples in the table's units. */
    public static Png pairs(Schema schema, double[][] rows) {
        return PairPlot.of(schema, rows);
    }

    public Judgement.Shown shown() throws IOException {
        double[][] heldOut = some(KEY.child(1), data.file().split().heldOut(), POINTS);
        Cloud rows = Cloud.of("held-out rows", heldOut, schema.width());
        int[] pairs = PairPlot.choice(schema, heldOut);
        Cloud drawn;
        double[] f;
        List<Block> blocks = new ArrayList<>();
        Map<String, Supplier<Png>> files = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            Tensor x = experiment.sampler().draw(KEY.child(0), POINTS).x();
            double[][] original = data.original(x);
            Npy.write(samples.resolve("model.npy"), x);
            writeCsv(samples.resolve("model.csv"), schema, original);
            drawn = Cloud.of("samples of the model", original, schema.width());
            f = inUnits(experiment.logDensity().at(x).toDoubles(), original);
            boolean differ = experiment.sampler().negativesDiffer();
            Picture pictured = pairs(rows, drawn, pairs, "samples of the model" + (differ ? ": chains on f" : ""));
            files.put("samples.png", pictured::png);
            blocks.add(Pictures.wide(pairsWords(), pictured));
            if (differ) {
                double[][] negatives = data.original(
                        experiment.sampler().drawNegatives(KEY.child(3), POINTS).x());
                Picture others = pairs(
                        rows,
                        Cloud.of("of training's negatives", negatives, schema.width()),
                        pairs,
                        "training's negatives: chains on (1 − β)f");
                files.put("negatives.png", others::png);
                blocks.add(Pictures.wide("", others));
            }
        }
        ColumnPanels columns = new ColumnPanels(schema, rows, drawn);
        Pictures marginals = columns.marginals();
        files.put("marginals.png", () -> marginals.pictures().get(0).png());
        blocks.add(marginals);
        List<Picture> correlations = columns.correlations();
        if (!correlations.isEmpty()) {
            files.put("correlations.png", () -> Pictures.sheet(correlations.size(), correlations));
            blocks.addAll(columns.blocks(correlations));
        }
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("What it samples", blocks));
        sections.add(new LikelihoodPanel(evaluation).section());
        sections.addAll(judge.components().sections());
        TableScorePanel scores = new TableScorePanel(judge.f(), f);
        sections.add(new Section("What f says", scores.histogram()));
        sections.add(new Section("What an alarm finds", scores.alarms()));
        sections.add(new Section("The oddest rows", oddRows().blocks()));
        if (!evaluation.reliability().isEmpty()) {
            Pictures diagram =
                    ReliabilityDiagram.of(evaluation, judge.components().own().isPresent());
            files.put("reliability.png", () -> Pictures.sheet(2, diagram.pictures()));
            sections.add(new Section("Calibration of the classifier", diagram));
        }
        return new Judgement.Shown(
                sections.stream().filter(section -> !section.blocks().isEmpty()).toList(), files);
    }

    /** f of samples in the table's units, as that of rows is. */
    private double[] inUnits(double[] f, double[][] rows) {
        double[] x = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
        double[] units = data.scaler().logDeterminant(x, rows.length);
        double temperature = experiment.temperature();
        double[] moved = new double[f.length];
        Arrays.setAll(moved, i -> f[i] + temperature * units[i]);
        return moved;
    }

    private String pairsWords() {
        boolean one = schema.width() == 1;
        return (one
                        ? "Samples of the model beside held-out rows, both in the table's units. "
                        : "Samples of the model, above the diagonal, beside held-out rows, below it, both in the table's units; on"
                                + " it the histograms of both. What lies beyond a range is drawn at its edge. ")
                + experiment.components().samplesWords(experiment.recipe())
                + PairPlot.words(schema);
    }

    private Picture pairs(Cloud rows, Cloud drawn, int[] inputs, String what) {
        return new Picture(
                "Held-out rows and " + what,
                "Pairs of columns, of held-out rows and of " + what,
                PairPlot.of(schema, inputs, List.of(rows, drawn)));
    }

    private OddRows oddRows() {
        double[][] learnt = some(KEY.child(2), data.file().split().train(), FITTED);
        return new OddRows(data, judge.f(), new ColumnResiduals(learnt), rows -> oddness(rows));
    }

    /** How odd each input of rows is. */
    private double[][] oddness(int... rows) {
        try (Scope scope = Scope.open()) {
            return data.odd(experiment, 1).thorough(data.rows(rows));
        }
    }

    /** Rows of the file in its own units, at most so many. */
    private double[][] some(Key key, int[] rows, int most) {
        long[] order = key.permutation(rows.length);
        return Arrays.stream(order, 0, Math.min(most, order.length))
                .mapToObj(i -> data.file().table().inputs(rows[(int) i]))
                .toArray(double[][]::new);
    }

    /** Rows as a CSV file whose header has the inputs' names. */
    static void writeCsv(Path file, Schema schema, double[][] rows) throws IOException {
        AtomicFile.write(file, out -> {
            String header = schema.inputs().stream().map(TablePanels::quoted).collect(Collectors.joining(","));
            out.write((header + "\n").getBytes(StandardCharsets.UTF_8));
            for (double[] row : rows) {
                String line = DoubleStream.of(row).mapToObj(TablePanels::number).collect(Collectors.joining(","));
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        });
    }

    private static String number(double value) {
        return Double.isFinite(value)
                ? new BigDecimal(value).round(DIGITS).stripTrailingZeros().toString()
                : Double.toString(value);
    }

    /** As RFC 4180 has it. */
    private static String quoted(String name) {
        return name.matches("[^,\"\r\n]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }
}
