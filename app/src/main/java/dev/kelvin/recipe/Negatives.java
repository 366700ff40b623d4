package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Doc;
import java.util.Optional;
import java.util.OptionalInt;

/** Where the model's samples come from: chains with a start, a kernel that moves them, and perhaps a memory. */
@Doc("where the model's samples come from: chains")
public record Negatives(
        @Doc("where chains start") StartSpec start,

        @Doc("what moves the chains") KernelSpec kernel,

        @Doc("how often it moves them in an iteration") int steps,

        @Doc(value = "where chains go on in the next iteration", otherwise = "every chain starts afresh")
        Optional<BufferSpec> buffer,

        @Doc(value = "the number of chains", otherwise = "train's batch")
        OptionalInt count) {
    public Negatives {
        Check.all(
                () -> Check.atLeast("steps", steps, 0),
                () -> count.ifPresent(given -> Check.atLeast("count", given, 1)));
    }
}
