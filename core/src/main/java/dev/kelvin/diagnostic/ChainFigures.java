package dev.kelvin.diagnostic;

import dev.kelvin.metric.figure.Figure;

/** What chains cost and how their kernel fares. */
public final class ChainFigures {
    /**
     * Good where a chain moves at about three quarters of the best speed or more, poor where it moves at less than half, by the
     * limits for many dimensions: a MALA chain of acceptance a = 2Φ(−l³/2) moves as l²a, best at 0.574 (Roberts and Rosenthal
     * 1998), an HMC chain of a = 2Φ(−l²/2) as la, best at 0.651 (Beskos et al. 2013).
     */
    public static final Figure ACCEPTANCE = Figure.of("acceptance", "Acceptance rate")
            .meaning("The fraction of proposals that were accepted; about 0.6 is best for MALA, 0.65 to 0.9 for HMC."
                    + " Near 0 the step size is too large, near 1 too small.")
            .inside(0.35, 0.9)
            .fair(0.15, 0.97);

    public static final Figure STEP_DIVISOR = Figure.of("step_divisor", "1/G")
            .meaning(
                    "What preconditioned Langevin divides its steps by, λ + √V: the mean over chains, steps and coordinates.");

    public static final Figure ENERGY_ERROR = Figure.of("energy_error", "Energy error")
            .meaning(
                    "The mean absolute change of the Hamiltonian along a trajectory. From 1 on the leapfrog step is too large.")
            .lower(1, 1);

    public static final Figure DIVERGENCES = Figure.of("divergences", "Fraction of divergent trajectories")
            .meaning(
                    "The fraction of Hamiltonian trajectories whose energy error was above 1000: there the density is too steep for"
                            + " the step, and draws are missing.")
            .lower(0, 0.01);

    public static final Figure SWAP_RATES = Figure.of("swap_rates", "Swap rate")
            .meaning("The acceptance rate of swaps between neighbouring temperatures, from the coldest pair on. If"
                    + " one is small, what the hot replicas find does not reach the cold one.")
            .atLeast(0.1);

    public static final Figure STEP_SIZE =
            Figure.of("step_size", "Step size").meaning("As tuned in the burn-in, where the kernel gives none.");

    public static final Figure SECONDS = Figure.of("seconds", "Time", "s")
            .meaning("Wall-clock time; of chains, without the burn-in.")
            .lower();

    public static final Figure GRADIENTS = Figure.of("gradients", "Gradient evaluations per chain")
            .meaning("How often each chain evaluated ∇f, without the burn-in.")
            .lower();

    public static final Figure GRADIENTS_PER_EFFECTIVE_DRAW = Figure.of(
                    "gradients_per_effective_draw", "Gradient evaluations per effective draw")
            .meaning("What one independent draw costs: the figure to compare samplers by.")
            .lower();

    public static final Figure ESS_PER_SECOND = Figure.of("ess_per_second", "Effective draws per second", "1/s")
            .meaning("Bulk effective sample size over wall-clock time, of the coordinate with the fewest.")
            .higher();

    private ChainFigures() {}
}
