package dev.kelvin.negative;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.sample.ChainState;
import dev.kelvin.sample.DifferentiableKernel;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The last moves of chains, which can be taken again with the graph kept, with the same noise and the same limits: what a
 * gradient through the sampler needs. Where a move depends on more of the past than its place, all moves are kept, so that the
 * past is there again.
 *
 * @param target what the chains ran on
 * @param x where they stood before those moves, [n, ...]
 * @param k their components
 * @param from the steps that they had taken then
 * @param steps the moves since
 * @param parts the chains that were moved together, with their keys
 * @param buffered samples of the replay buffer as it was before these chains, if they were requested
 * @param ends how many chains' ends the buffer had taken in by then
 */
public record DifferentiableTail(
        NegativeSource.Target target,
        DifferentiableKernel<?> kernel,
        Tensor x,
        long[] k,
        int from,
        int steps,
        List<ChainRun.Part> parts,
        Optional<Tensor> buffered,
        long ends) {
    public DifferentiableTail {
        parts = List.copyOf(parts);
    }

    /** Where a part's chains stand in the end, and the way back through their last {@code count} moves to these parameters. */
    public Pullback taken(ChainRun.Part part, Parameters parameters, int count) {
        if (count < 1 || count > steps) {
            throw new IllegalArgumentException("asked for the last " + count + " moves, kept were " + steps);
        }
        return taken(kernel, part, parameters, count);
    }

    private <S extends ChainState> Pullback taken(
            DifferentiableKernel<S> kernel, ChainRun.Part part, Parameters parameters, int count) {
        long[] own = components(part);
        LogDensity density = target.of(own);
        int first = from + steps - count;
        Tensor start = part.of(x);
        S state = kernel.resume(density, start, from);
        for (int step = from; step < first; step++) {
            S previous = state;
            try (Scope scope = Scope.open()) {
                state = kernel.step(part.key().child(step), density, previous).state();
                state.tensors().forEach(scope::keep);
            }
            previous.free(state, start);
        }
        return target.through(
                part.key(), kernel.after(state), state.x(), own, ChainRun.Course.after(first, count), parameters);
    }

    /** f itself, whatever factor the chains ran with, at a part's components. */
    public LogDensity density(ChainRun.Part part, Parameters parameters) {
        return target.unscaled().with(parameters, components(part));
    }

    private long[] components(ChainRun.Part part) {
        return Arrays.copyOfRange(k, (int) part.from(), (int) part.to());
    }
}
