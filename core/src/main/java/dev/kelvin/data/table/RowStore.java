package dev.kelvin.data.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of doubles, one after the other, in blocks, so that adding copies nothing and there may be more than 2³¹ numbers. */
final class RowStore {
    private static final int BLOCK = 1 << 18; // numbers in a block, about

    private final int width;
    private final int shift; // a block has 2^shift rows
    private final List<double[]> blocks = new ArrayList<>();
    private int rows;

    RowStore(int width) {
        this.width = width;
        this.shift = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.max(1, BLOCK / Math.max(1, width)));
    }

    void add(double[] row) {
        int within = rows & ((1 << shift) - 1);
        if (within == 0) {
            blocks.add(new double[width << shift]);
        }
        System.arraycopy(row, 0, blocks.get(rows >> shift), within * width, width);
        rows = Math.incrementExact(rows);
    }

    /** Frees what the last block has left over. */
    void trim() {
        int last = blocks.size() - 1;
        if (last >= 0) {
            int used = rows - (last << shift);
            blocks.set(last, Arrays.copyOf(blocks.get(last), used * width));
        }
    }

    int rows() {
        return rows;
    }

    int width() {
        return width;
    }

    double get(int row, int column) {
        return block(row)[at(row) + column];
    }

    void set(int row, int column, double value) {
        block(row)[at(row) + column] = value;
    }

    /** The block in which a row lies. */
    double[] block(int row) {
        return blocks.get(row >> shift);
    }

    /** Where in its block a row begins. */
    int at(int row) {
        return (row & ((1 << shift) - 1)) * width;
    }
}
