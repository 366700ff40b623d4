package dev.kelvin.diagnostic;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/**
 * The expected squared jump distance, the mean of ‖x_{t+1} − x_t‖² over draws and chains: among kernels for one target
 * the one that jumps farthest forgets fastest, as the mean is 2(1 − ρ₁) of the target's variance. It says nothing about
 * whether chains are in the target.
 *
 * <p>Source: Pasarica and Gelman 2010.
 */
public final class JumpDistance {
    /** Draws at a time: memory stays bounded however long the trace. */
    static final int BLOCK = 2048;

    private JumpDistance() {}

    /** Of a trace [draws, chains, ...], summed in double; NaN if a position is not finite. */
    public static double squared(Tensor trace) {
        if (trace.dim() < 2 || trace.size(0) < 2 || trace.size(1) < 1) {
            throw new IllegalArgumentException(
                    "a trace is [draws, chains, ...] with two draws or more, found " + trace);
        }
        long jumps = trace.size(0) - 1;
        double sum = 0;
        for (long start = 0; start < jumps; start += BLOCK) {
            try (NoGrad noGrad = NoGrad.open();
                    Scope scope = Scope.open()) {
                long count = Math.min(BLOCK, jumps - start);
                Tensor part = trace.narrow(0, start, count + 1).to(DType.DOUBLE);
                Tensor jump = part.narrow(0, 1, count).minus(part.narrow(0, 0, count));
                sum += jump.square().sum().item();
            }
        }
        return sum / jumps / trace.size(1);
    }
}
