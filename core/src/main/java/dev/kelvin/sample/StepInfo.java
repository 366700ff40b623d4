package dev.kelvin.sample;

import dev.kelvin.tensor.Tensor;
import java.util.Map;
import java.util.Optional;

/**
 * What a person wants to know of a step: the probability with which each chain's proposal was accepted, [chains], and
 * what else the kernel reports by name, each a tensor that can be averaged over steps.
 */
public record StepInfo(Optional<Tensor> acceptance, Map<String, Tensor> more) {
    /** |H(end) − H(start)| of Hamiltonian trajectories, their mean, [1]. */
    public static final String ENERGY_ERROR = "energyError";

    /** The share of chains whose Hamiltonian trajectory diverged, by an energy error above 1000, [1]. */
    public static final String DIVERGENCES = "divergences";

    /** The probability with which neighbouring temperatures changed places, [temperatures − 1]. */
    public static final String SWAPS = "swaps";

    /** 1/G, what a preconditioned step is divided by: its mean over chains and coordinates. */
    public static final String STEP_DIVISOR = "step_divisor";

    /** Of particles that push each other: the mean squared difference of each coordinate between a walk's start and end. */
    public static final String DISPLACEMENT = "displacement";

    /** Of a kernel without an accept/reject step. */
    public static final StepInfo UNADJUSTED = new StepInfo(Optional.empty(), Map.of());

    public StepInfo {
        more = Map.copyOf(more);
    }
}
