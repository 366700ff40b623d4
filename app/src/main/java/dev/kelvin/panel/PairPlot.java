package dev.kelvin.panel;

import dev.kelvin.data.table.Schema;
import dev.kelvin.draw.Cloud;
import dev.kelvin.draw.Extent;
import dev.kelvin.draw.PairMatrix;
import dev.kelvin.draw.Png;
import dev.kelvin.metric.figure.TableFigures;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Pairs of a table's columns: all of them, or those that depend most on others. */
final class PairPlot {
    /** More could not be read. */
    static final int MOST = 6;

    private PairPlot() {}

    /** Of rows in the table's units. */
    static Png of(Schema schema, double[][] rows) {
        return of(schema, choice(schema, rows), List.of(Cloud.of("samples of the model", rows, schema.width())));
    }

    /** Of one cloud or two, the ranges by both. */
    static Png of(Schema schema, int[] inputs, List<Cloud> clouds) {
        return PairMatrix.of(
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
        if (d <= MOST) {
            return IntStream.range(0, d).toArray();
        }
        List<Schema.Column> used = schema.used();
        int[] owners = schema.owners();
        int[] numbers = IntStream.range(0, d)
                .filter(i -> used.get(owners[i]).kind() == Schema.Kind.NUMERIC)
                .toArray();
        int[] eligible =
                numbers.length >= MOST ? numbers : IntStream.range(0, d).toArray();
        double[][] left = correlations(Cloud.of("", rows, d).only(eligible).columns());
        Set<Integer> chosen = new TreeSet<>();
        while (chosen.size() < MOST) {
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

    private static double[][] correlations(double[][] columns) {
        double[][] matrix = new double[columns.length][columns.length];
        for (int i = 0; i < columns.length; i++) {
            for (int j = 0; j <= i; j++) {
                double r = i == j ? 1 : TableFigures.correlation(columns[i], columns[j]);
                matrix[i][j] = Double.isNaN(r) ? 0 : r;
                matrix[j][i] = matrix[i][j];
            }
        }
        return matrix;
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
    static String words(Schema schema) {
        return schema.width() <= MOST
                ? ""
                : " Of " + schema.width() + " inputs, the " + MOST
                        + " are shown that depend most on others: the column with the strongest correlations and the one that it"
                        + " correlates most with, then two more such pairs by what those before them leave unexplained.";
    }
}
