package dev.kelvin.panel;

import dev.kelvin.data.table.Schema;
import dev.kelvin.data.table.file.TableWriter;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.draw.Cloud;
import dev.kelvin.draw.Png;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.ReportSamples;
import dev.kelvin.judge.TableJudgement;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.report.Block;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report.Section;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;

/**
 * What the report shows of a model of a table: samples beside held-out rows, in pairs and one by one, the likelihood, what f says
 * and finds, and the oddest rows. All in the table's units.
 */
final class TablePanels implements Panels {
    private static final MathContext DIGITS = new MathContext(7); // a float has no more

    private final TableJudgement judge;
    private final TableDataset data;
    private final Schema schema;

    TablePanels(TableJudgement judge) {
        this.judge = judge;
        this.data = judge.data();
        this.schema = data.schema();
    }

    @Override
    public Picture picture(String caption) {
        return new Picture(
                caption,
                "Pairs of columns of samples of " + caption,
                ColumnPanels.pairs(schema, original(judge.drawn())));
    }

    private double[][] original(Drawn drawn) {
        try (Scope scope = Scope.open()) {
            return judge.rows().own(drawn.tensor());
        }
    }

    @Override
    public Shown show(Path folder, Evaluation evaluation) throws IOException {
        double[][] heldOut = judge.heldOutRows();
        Cloud rows = Cloud.of("held-out rows", heldOut, schema.width());
        int[] pairs = ColumnPanels.choice(schema, heldOut);
        List<Block> blocks = new ArrayList<>();
        Map<String, Supplier<Png>> files = new LinkedHashMap<>();
        ReportSamples samples = judge.samples();
        double[][] original = original(samples.model());
        try (Scope scope = Scope.open()) {
            Npy.write(folder.resolve("model.npy"), samples.model().tensor());
        }
        writeCsv(folder.resolve("model.csv"), schema, original);
        Cloud drawn = Cloud.of("samples of the model", original, schema.width());
        boolean differ = samples.negatives().isPresent();
        Picture pictured = pairs(rows, drawn, pairs, "samples of the model" + (differ ? ": chains on f" : ""));
        files.put("samples.png", pictured::png);
        blocks.add(Pictures.wide(pairsWords(), pictured));
        samples.negatives().ifPresent(negatives -> {
            Picture others = pairs(
                    rows,
                    Cloud.of("of training's negatives", original(negatives), schema.width()),
                    pairs,
                    "training's negatives: chains on (1 − β)f");
            files.put("negatives.png", others::png);
            blocks.add(Pictures.wide("", others));
        });
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
        sections.addAll(ComponentPanels.of(judge.components()));
        TableScorePanel scores = new TableScorePanel(judge.f(), judge.ofSamples(samples.model()));
        sections.add(new Section("What f says", scores.histogram()));
        sections.add(new Section("What an alarm finds", scores.alarms()));
        sections.add(new Section("The oddest rows", new OddRows(judge).blocks()));
        if (!evaluation.reliability().isEmpty()) {
            Pictures diagram = Panels.reliability(
                    evaluation, judge.components().calibration().isPresent());
            files.put("reliability.png", () -> Pictures.sheet(2, diagram.pictures()));
            sections.add(new Section("Calibration of the classifier", diagram));
        }
        return new Shown(
                sections.stream().filter(section -> !section.blocks().isEmpty()).toList(), files);
    }

    private String pairsWords() {
        boolean one = schema.width() == 1;
        return (one
                        ? "Samples of the model beside held-out rows, both in the table's units. "
                        : "Samples of the model, above the diagonal, beside held-out rows, below it, both in the table's units; on"
                                + " it the histograms of both. What lies beyond a range is drawn at its edge. ")
                + judge.components().samplesWords()
                + ColumnPanels.pairsWords(schema);
    }

    private Picture pairs(Cloud rows, Cloud drawn, int[] inputs, String what) {
        return new Picture(
                "Held-out rows and " + what,
                "Pairs of columns, of held-out rows and of " + what,
                ColumnPanels.pairs(schema, inputs, List.of(rows, drawn)));
    }

    /** Rows as a CSV file whose header has the inputs' names. */
    static void writeCsv(Path file, Schema schema, double[][] rows) throws IOException {
        TableWriter.write(file, out -> {
            out.add(schema.inputs());
            for (double[] row : rows) {
                out.add(DoubleStream.of(row).mapToObj(TablePanels::number).toList());
            }
        });
    }

    private static String number(double value) {
        return Double.isFinite(value)
                ? new BigDecimal(value).round(DIGITS).stripTrailingZeros().toString()
                : Double.toString(value);
    }
}
