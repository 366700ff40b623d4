package dev.kelvin.data.format;

import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Samples in the order of their files, some at a time, so that of millions few are in memory. */
public interface Rows extends AutoCloseable {
    /** The largest number that a model is given, in its own units: beyond, squares and sums of squares overflow in float. */
    double LARGEST = 1e18;

    /** How many there are, where that is known before they are read. */
    OptionalLong count();

    /** The next samples, [k, ...] with k ≤ most, in the current scope; nothing after the last. */
    Optional<Tensor> next(int most) throws IOException;

    /**
     * The number in its file, from 0 on, of a sample that {@link #next} gave last; samples that could not be read have one too.
     *
     * @param sample its place among those
     * @param before how many samples were given before them
     */
    default long number(int sample, long before) {
        return before + sample;
    }

    /**
     * What is added to the log-density of a sample that was given last, to be one in the units of its file: log |dz/dx|, where z
     * is what {@link #next} gave.
     */
    default double logDeterminant(int sample) {
        return 0;
    }

    /** What is said of a sample that was given last, such as its class; empty where nothing is. */
    default String label(int sample) {
        return "";
    }

    /** Whether samples have labels. */
    default boolean labelled() {
        return false;
    }

    /** The share of the files that was read, where that is known and {@link #count} is not. */
    default OptionalDouble share() {
        return OptionalDouble.empty();
    }

    /** What could not be read and was left out, so far. */
    default Problems problems() {
        return Problems.NONE;
    }

    /**
     * Samples that could not be read.
     *
     * @param count how many
     * @param first the first of them, a sentence each
     */
    record Problems(long count, List<String> first) {
        /** None at all. */
        public static final Problems NONE = new Problems(0, List.of());

        public Problems {
            first = List.copyOf(first);
        }
    }

    @Override
    void close() throws IOException;
}
