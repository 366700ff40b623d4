package dev.kelvin.sample.warmup;

import dev.kelvin.part.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * How a warm-up is divided, as Stan divides it: a beginning in which chains find the density, windows that double in length,
 * each of which ends with a new metric, and an end that settles the step size.
 *
 * @param first the step that the first window begins with
 * @param ends the steps with which windows end; the next begins with the step after
 * @param steps all of them
 */
public record Windows(int first, List<Integer> ends, int steps) {
    private static final int BEGINNING = 75;
    private static final int WINDOW = 25;
    private static final int END = 50;

    /** The shares of beginning and end in a warm-up that is too short for the above: 15 and 10 %. */
    private static final double SHORT_BEGINNING = 0.15;

    private static final double SHORT_END = 0.1;

    /** Shorter warm-ups settle the step size alone. */
    private static final int LEAST = 20;

    public Windows {
        ends = List.copyOf(ends);
    }

    /** The windows of a warm-up of {@code steps} steps; below 20 steps there are none. */
    public static Windows of(int steps) {
        Check.atLeast("steps", steps, 1);
        int beginning = BEGINNING;
        int end = END;
        int window = WINDOW;
        if (steps < LEAST) {
            return new Windows(0, List.of(), steps);
        }
        if (steps < beginning + window + end) {
            beginning = (int) (SHORT_BEGINNING * steps);
            end = (int) (SHORT_END * steps);
            window = steps - beginning - end;
        }
        List<Integer> ends = new ArrayList<>();
        int last = steps - end;
        int from = beginning;
        while (from < last) {
            // a window that would leave too little for one of twice its length takes the rest
            int to = from + window + 2 * window > last ? last : from + window;
            ends.add(to - 1);
            from = to;
            window *= 2;
        }
        return new Windows(beginning, ends, steps);
    }

    /** Whether a step belongs to a window. */
    public boolean collects(int step) {
        return step >= first && !ends.isEmpty() && step <= ends.get(ends.size() - 1);
    }

    /** Whether a window ends with a step. */
    public boolean endsWith(int step) {
        return ends.contains(step);
    }
}
