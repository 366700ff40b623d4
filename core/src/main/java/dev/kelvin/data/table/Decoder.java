package dev.kelvin.data.table;

import dev.kelvin.data.table.Schema.Column;
import dev.kelvin.data.table.Schema.Kind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * From a model's inputs, in the table's own units, back to cells as text: one-hot inputs become the word of the largest,
 * and numbers are written to a millionth of their column's range. The other way round than {@link Encoder}.
 */
public final class Decoder {
    /** Digits of a column's range that a number is written with. */
    private static final int DIGITS = 6;

    private final List<Column> used;
    private final int[] first; // input of each column
    private final int[] decimals;

    /** Of rows of a table with this schema. */
    public Decoder(Schema schema) {
        used = schema.used();
        first = new int[used.size()];
        decimals = new int[used.size()];
        for (int i = 0; i < used.size(); i++) {
            first[i] = i == 0 ? 0 : first[i - 1] + used.get(i - 1).inputs();
            double range = used.get(i).high() - used.get(i).low();
            decimals[i] = DIGITS - (range > 0 && Double.isFinite(range) ? (int) Math.floor(Math.log10(range)) : 0);
        }
    }

    /** The text of a used column's cell, from a row's inputs. */
    public String text(double[] inputs, int column) {
        Column of = used.get(column);
        int at = first[column];
        if (of.kind() == Kind.NUMERIC) {
            double value = inputs[at];
            return Double.isFinite(value) ? written(value, decimals[column]) : Double.toString(value);
        }
        int largest = 0;
        for (int word = 1; word < of.inputs(); word++) {
            largest = inputs[at + word] > inputs[at + largest] ? word : largest;
        }
        return of.words().get(largest);
    }

    private static String written(double value, int decimals) {
        BigDecimal rounded = new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    /** Whether a used column's cell is missing: its inputs are NaN. */
    public boolean missing(double[] inputs, int column) {
        return Double.isNaN(inputs[first[column]]);
    }

    /** The text of a column that was dropped because all rows have the same value. */
    public static String constant(Column column) {
        return column.words().isEmpty()
                ? written(column.low(), decimals(column.low()))
                : column.words().get(0);
    }

    /** Digits by which nothing of a number is lost. */
    private static int decimals(double value) {
        return Math.max(0, BigDecimal.valueOf(value).scale());
    }

    /** A row's cells of these columns of a schema, the constant ones among them. */
    public List<String> texts(double[] inputs, List<Column> columns) {
        return columns.stream()
                .map(column -> column.kind() == Kind.CONSTANT ? constant(column) : text(inputs, used.indexOf(column)))
                .toList();
    }
}
