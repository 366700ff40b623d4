package dev.kelvin.data.table;

import dev.kelvin.data.table.TableColumns.Missing;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the rows that are learnt from have in one column of cells. Missing cells don't count.
 *
 * @param values how many there are
 * @param low the lowest
 * @param high the highest
 * @param fill what a missing cell becomes: the mean, the median, or the most frequent word's place
 */
record ColumnSummary(int values, double low, double high, Optional<Double> fill) {
    /** Of a column; a text column's cells are first changed to their words' places in the alphabet. */
    static ColumnSummary of(List<double[]> cells, int column, boolean[] learnt, WordCodes words, Missing missing) {
        int[] places = words.places();
        double[] values = new double[learnt.length];
        int count = 0;
        for (int row = 0; row < learnt.length; row++) {
            double cell = cells.get(row)[column];
            if (Double.isNaN(cell)) {
                continue;
            }
            double value = cell;
            if (places.length > 0) {
                value = places[(int) cell];
                cells.get(row)[column] = value;
            }
            if (learnt[row]) {
                values[count++] = value;
            }
        }
        double[] found = Arrays.copyOf(values, count);
        return new ColumnSummary(
                count,
                Arrays.stream(found).min().orElse(0),
                Arrays.stream(found).max().orElse(0),
                count == 0 || missing == Missing.REFUSE
                        ? Optional.empty()
                        : Optional.of(fill(found, places.length, missing)));
    }

    private static double fill(double[] values, int words, Missing missing) {
        if (words > 0) {
            int[] counts = new int[words];
            for (double value : values) {
                counts[(int) value]++;
            }
            int mode = 0;
            for (int i = 1; i < words; i++) {
                mode = counts[i] > counts[mode] ? i : mode;
            }
            return mode;
        }
        if (missing == Missing.MEDIAN) {
            Arrays.sort(values);
            return values[values.length / 2] / 2 + values[(values.length - 1) / 2] / 2;
        }
        double mean = 0;
        for (int i = 0; i < values.length; i++) {
            mean += (values[i] - mean) / (i + 1); // no sum that could overflow
        }
        return mean;
    }
}
