package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;

/** A replay buffer: chains go on from where earlier ones ended. */
@Doc("chains go on from where earlier ones ended (persistent contrastive divergence)")
public record BufferSpec(
        @Doc("how many samples it holds") int size,

        @Doc("which sample makes room for a new one") @Default("fifo")
        Kind kind,

        @Doc("the probability that a chain starts afresh") @Default("0.05")
        double reinitialise) {
    public BufferSpec {
        Check.all(() -> Check.atLeast("size", size, 1), () -> Check.within("reinitialise", reinitialise, 0, 1));
    }

    /** Which sample makes room for a new one. */
    public enum Kind {
        FIFO,
        RESERVOIR
    }
}
