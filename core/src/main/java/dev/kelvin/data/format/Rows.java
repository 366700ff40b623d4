package dev.kelvin.data.format;

import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/** Samples in the order of their files, some at a time, so that of millions few are in memory. */
public interface Rows extends AutoCloseable {
    /** How many there are, where that is known before they are read. */
    OptionalLong count();

    /** The next samples, [k, ...] with k ≤ most, in the current scope; nothing after the last. */
    Optional<Tensor> next(int most) throws IOException;

    @Override
    void close() throws IOException;
}
