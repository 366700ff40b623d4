package dev.kelvin.data.table;

import dev.kelvin.data.table.Schema.Column;
import dev.kelvin.data.table.Schema.Kind;
import java.util.List;

/**
 * From a row's cells to a model's inputs: missing cells are filled, words become one-hot. A word's cell is its place among
 * the column's words, below 0 for one that is not known; a missing cell is NaN, and stays NaN where gaps are kept.
 */
final class Encoder {
    private final int[] words; // 0: a number
    private final double[] fill;
    private final int width;

    Encoder(Schema schema, boolean gaps) {
        List<Column> used = schema.used();
        words = used.stream()
                .mapToInt(column -> column.kind() == Kind.ONE_HOT ? column.inputs() : 0)
                .toArray();
        fill = used.stream()
                .mapToDouble(column -> gaps ? Double.NaN : column.fill().orElse(Double.NaN))
                .toArray();
        width = schema.width();
    }

    int width() {
        return width;
    }

    /** Cells, of which those at {@code places} are used, as inputs. */
    void encode(double[] cells, int[] places, double[] into, int to) {
        int next = to;
        for (int i = 0; i < places.length; i++) {
            double cell = cells[places[i]];
            double value = Double.isNaN(cell) ? fill[i] : cell;
            if (words[i] == 0) {
                into[next++] = value;
            } else {
                for (int word = 0; word < words[i]; word++) {
                    into[next++] = Double.isNaN(value) ? Double.NaN : word == value ? 1 : 0;
                }
            }
        }
    }
}
