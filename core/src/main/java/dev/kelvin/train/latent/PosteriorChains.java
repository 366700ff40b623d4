package dev.kelvin.train.latent;

import dev.kelvin.objective.Integration;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.sample.DifferentiableKernel;
import dev.kelvin.sample.Kernel;

/** The chains that find latent vectors of images. */
@Doc("chains on the posterior of an image's latent vector, from the Gaussian")
public record PosteriorChains(
        @Doc("the Markov kernel") Kernel<?> kernel,

        @Doc("the number of steps of each chain in an iteration")
        int steps,

        @Doc(
                "N, the number of chains for each image in training: the gradient's error over draws of the chains falls as 1/√N")
        @Default("1")
        int chains) {
    public PosteriorChains {
        Check.all(
                () -> Check.atLeast("steps", steps, 1),
                () -> Check.atLeast("chains", chains, 1),
                () -> Check.require(
                        kernel == null || kernel.traits().temperature().orElse(0) == 1,
                        "kernel",
                        "must sample at temperature 1, as prior and likelihood are combined at it: leave its noise out, which"
                                + " is then √(2·stepSize); this is "
                                + (kernel == null ? "none" : kernel.words())),
                () -> Check.require(
                        kernel == null || kernel.traits().independent(),
                        "kernel",
                        "must move each chain independently: every image has its own posterior"));
    }

    /** One chain for each image. */
    public static PosteriorChains of(Kernel<?> kernel, int steps) {
        return new PosteriorChains(kernel, steps, 1);
    }

    /** Refuses a kernel by which the likelihood cannot be integrated so. */
    public void requireFit(Integration by) {
        Check.all(
                () -> Check.require(
                        by.mode() != Integration.Mode.PAPER
                                || (kernel instanceof DifferentiableKernel<?> moves
                                        && moves.resumes()
                                        && !kernel.traits().adjusted()),
                        "kernel",
                        "must be one whose steps have a derivative, such as langevin, where the gradient flows through"
                                + " the chains (mode: paper)"),
                () -> Check.require(
                        by.exchangeEvery() == 0 || kernel.traits().memoryless(),
                        "kernel",
                        "must be one that can go on from anywhere, such as langevin or mala, where chains are exchanged"));
    }
}
