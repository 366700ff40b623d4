package dev.kelvin.negative;

import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;

/**
 * Positives: samples of the data [n, ...], each with its component k; all 0 where the model has one.
 *
 * @param labelled other samples of the data, which the label term looks at in place of these, where there are such
 */
public record Batch(Tensor x, long[] k, Optional<Batch> labelled) {
    public Batch {
        if (k.length != x.size(0)) {
            throw new IllegalArgumentException(k.length + " components do not fit the samples " + x);
        }
    }

    /** Samples that the label term looks at too. */
    public Batch(Tensor x, long[] k) {
        this(x, k, Optional.empty());
    }

    /** These positives with other samples for the label term. */
    public Batch labelledBy(Batch others) {
        return new Batch(x, k, Optional.of(others));
    }

    /** Samples of a model with one component. */
    public static Batch of(Tensor x) {
        return new Batch(x, new long[Memory.array(Long.BYTES, x.size(0))]);
    }

    /** How many samples there are. */
    public int size() {
        return k.length;
    }

    /** A part of several of equal size, in the order of the rows, with its part of the rows for the label term. */
    public Batch part(int part, int parts) {
        int others = labelled.map(Batch::size).orElse(0);
        if (size() % parts != 0 || others % parts != 0) {
            throw new IllegalArgumentException(
                    size() + " samples and " + others + " for the label term do not divide by " + parts);
        }
        int rows = size() / parts;
        return new Batch(
                x.narrow(0, (long) part * rows, rows),
                Arrays.copyOfRange(k, part * rows, (part + 1) * rows),
                labelled.map(batch -> batch.part(part, parts)));
    }

    /** The components of {@code count} negatives: those of the positives, in turn. */
    public long[] components(int count) {
        long[] components = new long[Memory.array(Long.BYTES, count)];
        Arrays.setAll(components, i -> k[i % k.length]);
        return components;
    }
}
