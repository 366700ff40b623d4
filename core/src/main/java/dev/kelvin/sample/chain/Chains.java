package dev.kelvin.sample.chain;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.TooLargeException;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What many chains did: their trace after the burn-in, and the kernel's figures averaged over all steps, those of the
 * burn-in too, and chains.
 */
public record Chains(Trace trace, OptionalDouble acceptance, Map<String, double[]> more) {
    /**
     * How long chains run: {@code burnIn} steps that are discarded, then {@code draws} draws, {@code thin} steps apart,
     * of which at most {@code held} are held in memory.
     */
    public record Length(int burnIn, int draws, int thin, int held) {
        public Length {
            Check.atLeast("burnIn", burnIn, 0);
            Check.atLeast("draws", draws, 1);
            Check.atLeast("thin", thin, 1);
            Check.atLeast("held", held, 2);
        }

        /** All draws held. */
        public Length(int burnIn, int draws, int thin) {
            this(burnIn, draws, thin, Math.max(2, draws));
        }
    }

    /** Runs all chains in one batch; a start where the density is NaN is refused. */
    public static Chains run(Key key, Kernel<?> kernel, LogDensity target, Tensor x, Length length) {
        Check.atLeast("chains", x.size(0), 1);
        UserDensity.requireNumbers(target, x);
        long steps = length.burnIn() + (long) length.draws() * length.thin();
        if (steps > Integer.MAX_VALUE) {
            throw new TooLargeException(
                    "a chain takes at most " + Integer.MAX_VALUE + " steps, and " + length.burnIn() + " + "
                            + length.draws() + "·" + length.thin() + " are " + steps,
                    List.of((long) length.burnIn(), (long) length.draws(), (long) length.thin()));
        }
        Memory.array(Float.BYTES, Math.min(length.draws(), length.held()), x.size(0), x.count() / x.size(0));
        Trace trace = new Trace(length.held());
        try (Scope scope = Scope.open()) {
            ChainRun walk = ChainRun.run(key, kernel, target, x, (int) steps, (step, state) -> {
                int after = step - length.burnIn();
                if (after > 0 && after % length.thin() == 0) {
                    trace.add(state.x());
                }
            });
            return new Chains(trace, walk.acceptance(), walk.more());
        }
    }
}
