package dev.kelvin.tensor;

import java.util.Arrays;

/**
 * How much the process's resident memory grows in a loop. A leak grows it in every tenth of the loop; a class that Java loads, a
 * method that it compiles or a page that the allocator keeps grows it once, by up to a megabyte. So the growth after the first
 * tenth is nine times that of a tenth in the middle.
 */
public final class Growth {
    private static final int PARTS = 10;

    private final int steps;
    private final long[] bytes = new long[PARTS + 1];

    /** In a loop of so many steps, of which each is told to {@link #after}. */
    public Growth(int steps) {
        this.steps = steps;
    }

    /** Measures the memory after a step, counted from 0, if it ends a tenth of the loop. */
    public void after(int step) {
        if ((step + 1) % (steps / PARTS) == 0) {
            bytes[(step + 1) / (steps / PARTS)] = Backend.residentBytes();
        }
    }

    /** The growth after the first tenth, in bytes. */
    public long bytes() {
        long[] grown = new long[PARTS - 1];
        Arrays.setAll(grown, i -> bytes[i + 2] - bytes[i + 1]);
        Arrays.sort(grown);
        return (PARTS - 1) * grown[(PARTS - 1) / 2];
    }
}
