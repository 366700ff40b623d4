package dev.kelvin.data.table;

import java.util.Arrays;

/**
 * What the rows that are learnt from have in one column of cells. Missing cells don't count.
 *
 * @param values how many there are
 * @param low the lowest
 * @param high the highest
 * @param mean their mean
 * @param median their median
 * @param mode the most frequent word's place
 */
record ColumnSummary(int values, double low, double high, double mean, double median, double mode) {
    /** Of a column; a text column's cells are first changed to their words' places in the alphabet. */
    static ColumnSummary of(RowStore cells, int column, boolean[] learnt, Labels words) {
        int[] places = words.places();
        double[] values = new double[learnt.length];
        int count = 0;
        for (int row = 0; row < learnt.length; row++) {
            double cell = cells.get(row, column);
            if (Double.isNaN(cell)) {
                continue;
            }
            double value = places.length == 0 ? cell : places[(int) cell];
            cells.set(row, column, value);
            if (learnt[row]) {
                values[count++] = value;
            }
        }
        return of(Arrays.copyOf(values, count), places.length);
    }

    private static ColumnSummary of(double[] values, int words) {
        int count = values.length;
        if (count == 0) {
            return new ColumnSummary(0, 0, 0, 0, 0, 0);
        }
        int[] counts = new int[words];
        double mean = 0;
        for (int i = 0; i < count; i++) {
            mean += (values[i] - mean) / (i + 1); // Welford: no sum that could overflow
            if (words > 0) {
                counts[(int) values[i]]++;
            }
        }
        int mode = 0;
        for (int i = 1; i < words; i++) {
            mode = counts[i] > counts[mode] ? i : mode;
        }
        Arrays.sort(values);
        double median = values[count / 2] / 2 + values[(count - 1) / 2] / 2;
        return new ColumnSummary(count, values[0], values[count - 1], mean, median, mode);
    }
}
