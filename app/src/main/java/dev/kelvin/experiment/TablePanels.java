package dev.kelvin.experiment;

import dev.kelvin.data.table.Schema;
import dev.kelvin.draw.Domain;
import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Png;
import dev.kelvin.report.Section;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What the report shows of a model of a table. */
@SuppressWarnings("UnusedVariable")
final class TablePanels {
    static final int POINTS = 2000;

    private final Path samples;
    private final TableJudge judge;
    private final Evaluation evaluation;

    TablePanels(Path samples, TableJudge judge, Evaluation evaluation) {
        this.samples = samples;
        this.judge = judge;
        this.evaluation = evaluation;
    }

    static Png pairs(Schema schema, double[][] rows) {
        float[][] points = new float[rows.length][];
        float low = Float.MAX_VALUE, high = -Float.MAX_VALUE, l2 = low, h2 = high;
        for (int i = 0; i < rows.length; i++) {
            points[i] = new float[] {(float) rows[i][0], (float) rows[i][rows[i].length - 1]};
            low = Math.min(low, points[i][0]);
            high = Math.max(high, points[i][0]);
            l2 = Math.min(l2, points[i][1]);
            h2 = Math.max(h2, points[i][1]);
        }
        return Drawings.samples(new Domain(low, high, l2, h2), points);
    }

    Judgement.Shown shown() throws IOException {
        List<Section> sections = new java.util.ArrayList<>();
        sections.addAll(judge.columns().sections());
        return new Judgement.Shown(sections, Map.of());
    }
}
