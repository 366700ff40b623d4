package dev.kelvin.panel;

import dev.kelvin.data.table.Schema;
import dev.kelvin.draw.Cloud;
import dev.kelvin.draw.Diverging;
import dev.kelvin.draw.Extent;
import dev.kelvin.draw.Histograms;
import dev.kelvin.metric.figure.TableFigures;
import dev.kelvin.part.Words;
import dev.kelvin.report.Block;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Pictures;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of a table beside samples, column by column and by their correlations. */
final class ColumnPanels {
    /** Panels and names of more could not be read. */
    static final int MOST = 60;

    /** Columns that are named because samples differ most in them. */
    private static final int NAMED = 3;

    /** The least that a scale of differences reaches: where all is well, the picture should be pale. */
    private static final double LEAST_REACH = 0.25;

    private final Schema schema;
    private final List<Cloud> clouds;
    private final List<Extent> extents;
    private final double[] differences;
    private final int[] shown;

    /** Of rows and of samples, in the table's units. */
    ColumnPanels(Schema schema, Cloud rows, Cloud samples) {
        this.schema = schema;
        clouds = List.of(rows, samples);
        int[] all = IntStream.range(0, schema.width()).toArray();
        extents = PairPlot.extents(schema, all, clouds);
        differences = IntStream.of(all).mapToDouble(this::difference).toArray();
        shown = all.length <= MOST
                ? all
                : worst(MOST).stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    /** Half of the sum of what the bins differ by: the total variation of the two histograms. */
    private double difference(int input) {
        Extent extent = extents.get(input);
        double[] one = extent.shares(clouds.get(0).columns()[input]);
        double[] other = extent.shares(clouds.get(1).columns()[input]);
        return IntStream.range(0, one.length)
                        .mapToDouble(i -> Math.abs(one[i] - other[i]))
                        .sum()
                / 2;
    }

    private List<Integer> worst(int most) {
        return IntStream.range(0, differences.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -differences[i]))
                .limit(most)
                .toList();
    }

    /** Histograms of every column. */
    Pictures marginals() {
        List<String> names = schema.inputs();
        String most = worst(NAMED).stream()
                .map(i -> Words.say("%s (%.2f)", names.get(i), differences[i]))
                .collect(Collectors.joining(", "));
        return Pictures.wide(
                "Every column's histogram: held-out rows filled, samples as an outline. The range has the middle 99 % of the"
                        + " rows and 90 % of the samples; the outermost bins hold what lies beyond. Bins of whole numbers are about whole numbers."
                        + (shown.length < schema.width()
                                ? " Of " + schema.width() + " inputs those " + MOST
                                        + " are shown in which samples differ most."
                                : "")
                        + " Samples differ most in " + most
                        + ": the share of samples that would have to move to other bins (total variation).",
                new Picture(
                        "The columns of rows and of samples",
                        "Histograms of " + shown.length + " columns, of held-out rows and of samples",
                        Histograms.of(
                                IntStream.of(shown).mapToObj(extents::get).toList(),
                                clouds.stream().map(cloud -> cloud.only(shown)).toList())));
    }

    /** Correlations of both and their difference; nothing where there is one column. */
    List<Picture> correlations() {
        if (shown.length < 2) {
            return List.of();
        }
        List<String> names = IntStream.of(shown).mapToObj(schema.inputs()::get).toList();
        double[][] rows = correlations(clouds.get(0));
        double[][] samples = correlations(clouds.get(1));
        double[][] difference = new double[shown.length][shown.length];
        double reach = LEAST_REACH;
        for (int i = 0; i < shown.length; i++) {
            for (int j = 0; j < shown.length; j++) {
                difference[i][j] = samples[i][j] - rows[i][j];
                reach = Math.max(reach, Math.abs(difference[i][j]));
            }
        }
        return List.of(
                new Picture(
                        "Held-out rows", "Heat map of the correlations of held-out rows", Diverging.of(names, rows, 1)),
                new Picture("Samples", "Heat map of the correlations of samples", Diverging.of(names, samples, 1)),
                new Picture(
                        "Samples less rows",
                        "Heat map of the differences of correlations",
                        Diverging.of(names, difference, reach)));
    }

    /** Their pictures side by side, or, of many columns, under each other. */
    List<Block> blocks(List<Picture> correlations) {
        int n = clouds.get(0).columns()[0].length;
        String words = Words.say(
                "Correlations of columns. Of %d rows alone, one is uncertain by about %.2f (1/√n).",
                n, 1 / Math.sqrt(n));
        if (shown.length <= Diverging.FEW) {
            return List.of(new Pictures(words, correlations));
        }
        return IntStream.range(0, correlations.size())
                .<Block>mapToObj(i -> Pictures.wide(i == 0 ? words : "", correlations.get(i)))
                .toList();
    }

    private double[][] correlations(Cloud cloud) {
        double[][] matrix = new double[shown.length][shown.length];
        for (int i = 0; i < shown.length; i++) {
            for (int j = 0; j <= i; j++) {
                double r = i == j ? 1 : TableFigures.correlation(cloud.columns()[shown[i]], cloud.columns()[shown[j]]);
                matrix[i][j] = r;
                matrix[j][i] = r;
            }
        }
        return matrix;
    }
}
