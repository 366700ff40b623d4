package dev.kelvin.experiment;

import dev.kelvin.data.table.Schema;
import dev.kelvin.draw.Cloud;
import dev.kelvin.draw.Extent;
import dev.kelvin.draw.PairMatrix;
import dev.kelvin.draw.Png;
import dev.kelvin.metric.TableFigures;
import java.util.Comparator;
import java.util.List;
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

    /** All inputs, or the {@value #MOST} whose squared correlations with the others have the largest sum; words only if there are few numbers. */
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
        double[][] columns = Cloud.of("", rows, d).columns();
        double[] sums = new double[d];
        for (int i : eligible) {
            for (int j : eligible) {
                double r = i == j ? 0 : TableFigures.correlation(columns[i], columns[j]);
                sums[i] += Double.isNaN(r) ? 0 : r * r;
            }
        }
        return IntStream.of(eligible)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -sums[i]))
                .limit(MOST)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }

    /** Which inputs are shown, in a sentence that follows others; nothing where all are. */
    static String words(Schema schema) {
        return schema.width() <= MOST
                ? ""
                : " Of " + schema.width() + " inputs, the " + MOST
                        + " columns of numbers that depend most on others are shown: those whose squared correlations with the"
                        + " other ones have the largest sum.";
    }
}
