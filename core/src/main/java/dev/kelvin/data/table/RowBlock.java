package dev.kelvin.data.table;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Rows that were read together.
 *
 * @param rows the good ones
 * @param bad the rows that cannot be scored
 * @param share of the file that had been read when this block was full, where that is known
 */
public record RowBlock(List<Row> rows, List<BadRow> bad, OptionalDouble share) {
    /**
     * A good row.
     *
     * @param number in its file, from 1, the header not counted
     * @param inputs a model's, in the table's own units
     * @param label as the file has it; empty where it has none
     * @param cells as the file has them; only where gaps are let through
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Row(long number, double[] inputs, String label, List<String> cells) {}

    public RowBlock {
        rows = List.copyOf(rows);
        bad = List.copyOf(bad);
    }
}
