package dev.kelvin.panel;

import dev.kelvin.data.table.Schema;
import dev.kelvin.draw.Cloud;
import dev.kelvin.draw.Diverging;
import dev.kelvin.draw.Extent;
import dev.kelvin.draw.Png;
import dev.kelvin.draw.SmallMultiples;
import dev.kelvin.metric.figure.TableFigures;
import dev.kelvin.part.Words;
import dev.kelvin.report.Block;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Pictures.Picture;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of a table beside samples, column by column and by their correlations. */
final class ColumnPanels {
    /** Panels and names of more could not be read. */
    static final int MOST = 60;

    /** Columns in pairs, at most. */
    static final int MOST_PAIRED = 6;

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
        extents = extents(schema, all, clouds);
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
                        SmallMultiples.histograms(
                                IntStream.of(shown).mapToObj(extents::get).toList(),
                                clouds.stream().map(cloud -> cloud.only(shown)).toList())));
    }

    /** Correlations of both and their difference; nothing where there is one column. */
    List<Picture> correlations() {
        if (shown.length < 2) {
            return List.of();
        }
        List<String> names = IntStream.of(shown).mapToObj(schema.inputs()::get).toList();
        double[][] rows = correlations(clouds.get(0).only(shown).columns());
        double[][] samples = correlations(clouds.get(1).only(shown).columns());
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

    private static double[][] correlations(double[][] columns) {
        double[][] matrix = new double[columns.length][columns.length];
        for (int i = 0; i < columns.length; i++) {
            for (int j = 0; j <= i; j++) {
                matrix[i][j] = i == j ? 1 : TableFigures.correlation(columns[i], columns[j]);
                matrix[j][i] = matrix[i][j];
            }
        }
        return matrix;
    }

    /** Of rows in the table's units. */
    static Png pairs(Schema schema, double[][] rows) {
        return pairs(schema, choice(schema, rows), List.of(Cloud.of("samples of the model", rows, schema.width())));
    }

    /** Of one cloud or two, the ranges by both. */
    static Png pairs(Schema schema, int[] inputs, List<Cloud> clouds) {
        return SmallMultiples.pairs(
                extents(schema, inputs, clouds),
                clouds.stream().map(cloud -> cloud.only(inputs)).toList());
    }

    /** What pictures show of inputs; the last cloud is what is compared with the first. */
    static List<Extent> extents(Schema schema, int[] inputs, List<Cloud> clouds) {
        List<String> names = schema.inputs();
        return IntStream.of(inputs)
                .mapToObj(i -> Extent.of(
                        names.get(i),
                        clouds.get(0).columns()[i],
                        clouds.size() > 1 ? clouds.get(1).columns()[i] : new double[0]))
                .toList();
    }

    /**
     * All inputs, or pairs of them: the one that depends most on the others, by the sum of its squared correlations, with the
     * one that it correlates most with; then the same of what these leave unexplained. Words only if there are few numbers.
     */
    static int[] choice(Schema schema, double[][] rows) {
        int d = schema.width();
        if (d <= MOST_PAIRED) {
            return IntStream.range(0, d).toArray();
        }
        List<Schema.Column> used = schema.used();
        int[] owners = schema.owners();
        int[] numbers = IntStream.range(0, d)
                .filter(i -> used.get(owners[i]).kind() == Schema.Kind.NUMERIC)
                .toArray();
        int[] eligible =
                numbers.length >= MOST_PAIRED ? numbers : IntStream.range(0, d).toArray();
        double[][] left = correlations(Cloud.of("", rows, d).only(eligible).columns());
        for (double[] row : left) {
            Arrays.setAll(row, i -> Double.isNaN(row[i]) ? 0 : row[i]);
        }
        Set<Integer> chosen = new TreeSet<>();
        while (chosen.size() < MOST_PAIRED) {
            int first = best(
                    left, chosen, i -> Arrays.stream(left[i]).map(r -> r * r).sum() - left[i][i] * left[i][i]);
            chosen.add(first);
            int second = best(left, chosen, i -> Math.abs(left[first][i]));
            chosen.add(second);
            explain(left, first);
            explain(left, second);
        }
        return chosen.stream().mapToInt(i -> eligible[i]).toArray();
    }

    private static int best(double[][] left, Set<Integer> chosen, IntToDoubleFunction merit) {
        return IntStream.range(0, left.length)
                .filter(i -> !chosen.contains(i))
                .boxed()
                .max(Comparator.comparingDouble(merit::applyAsDouble))
                .orElseThrow();
    }

    /** Takes out what a column explains of all: C − ccᵀ/Cᵢᵢ. */
    private static void explain(double[][] left, int column) {
        double variance = left[column][column];
        if (variance < 1e-9) {
            return;
        }
        double[] c = left[column].clone();
        for (int i = 0; i < left.length; i++) {
            for (int j = 0; j < left.length; j++) {
                left[i][j] -= c[i] * c[j] / variance;
            }
        }
    }

    /** Which inputs are shown, in a sentence that follows others; nothing where all are. */
    static String pairsWords(Schema schema) {
        return schema.width() <= MOST_PAIRED
                ? ""
                : " Of " + schema.width() + " inputs, the " + MOST_PAIRED
                        + " are shown that depend most on others: the column with the strongest correlations and the one that it"
                        + " correlates most with, then two more such pairs by what those before them leave unexplained.";
    }
}
