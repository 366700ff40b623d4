package dev.kelvin.recipe;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.conv.Generator;
import dev.kelvin.objective.Integration;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.sample.Kernel;
import dev.kelvin.train.latent.LatentLearner;
import java.util.List;
import java.util.Optional;

/** An energy-based prior of latent vectors, which is the recipe's model, and a generator of images from them. */
@Doc("a generator of images from latent vectors, whose prior is the recipe's model: a Gaussian tilted by exp(f)")
@Cites("pang2020")
public record LatentSettings(
        @Doc("the dimension of a latent vector") int size,

        @Doc("σ₀, the standard deviation of the Gaussian that the model tilts") @Default("1")
        double std,

        @Doc("the network from latent vectors to images") @Default("{}")
        Decoder generator,

        @Doc("σ, the standard deviation of an image's pixels around the generator's output") @Default("0.3")
        double noise,

        @Doc("the chains on the posterior of latent vectors")
        Posterior posterior,

        @Doc(
                value = "the likelihood integrated over temperatures between the prior and the posterior",
                otherwise = "the posterior alone, as in Pang et al. 2020")
        Optional<Integration> integration,

        @Doc(value = "the optimiser of the generator's parameters", otherwise = "as the model's")
        Optional<Optimiser> optimiser,

        @Doc("the number of held-out images whose likelihood is estimated in the evaluation") @Default("32")
        int measured) {
    public LatentSettings {
        Check.all(
                () -> Check.atLeast("size", size, 1),
                () -> Check.positive("std", std),
                () -> Check.positive("noise", noise),
                () -> Check.atLeast("measured", measured, 2));
        if (posterior != null) {
            Check.part(
                    "posterior",
                    () -> new LatentLearner.Settings(1, 1, posterior.kernel, posterior.steps, integration));
            Check.require(
                    integration.isEmpty() || integration.get().exchangeEvery() < posterior.steps,
                    "integration.exchangeEvery",
                    "must be below the steps of a posterior chain, " + posterior.steps
                            + ": otherwise it ends before it is exchanged");
        }
    }

    /** The network that makes images of latent vectors. */
    @Doc("transposed convolutions from a latent vector to an image in (−1, 1), which double it once for each width")
    public record Decoder(
            @Doc("the channels before each doubling; the image's size must have as many factors of 2")
            @Default("[128, 64]")
            List<Integer> widths,

            @Doc("the activation after each hidden layer") @Default("leaky-relu")
            Activation activation,

            @Doc("the negative slope of leaky-relu") @Default("0.2")
            double slope) {
        public Decoder {
            List<Integer> copy = List.copyOf(widths);
            Check.all(
                    () -> Check.notEmpty("widths", copy),
                    () -> Check.eachAtLeast("widths", copy, 1),
                    () -> Check.within("slope", slope, 0, 1));
            widths = copy;
        }
    }

    /** The chains that find latent vectors of images. */
    @Doc("chains on the posterior of an image's latent vector, from the Gaussian")
    public record Posterior(
            @Doc("the Markov kernel") Kernel<?> kernel,

            @Doc("the number of steps of each chain in an iteration")
            int steps) {
        public Posterior {
            Check.all(
                    () -> Check.atLeast("steps", steps, 1),
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
    }

    /** Whether the prior learns by contrastive divergence, with the recipe's chains and objective. */
    public boolean trainsPrior() {
        return integration.filter(by -> by.mode() != Integration.Mode.CORRECTED).isEmpty();
    }

    /** The generator of images of this shape. */
    public Generator network(List<Long> shape) {
        long side = shape.get(1);
        int doublings = 1 << generator.widths.size();
        Check.require(
                side == shape.get(2),
                "widths",
                "make square images, and the data's are " + side + "×" + shape.get(2)
                        + ": give data.images a size, where they are a folder of pictures");
        Check.require(
                side >= doublings && side % doublings == 0,
                "widths",
                "double the image " + generator.widths.size() + " times, to a multiple of " + doublings
                        + " pixels, and the data's have " + side + ": give as many as that has factors of 2, or fewer");
        return new Generator(
                size,
                generator.widths,
                Math.toIntExact(shape.get(0)),
                Math.toIntExact(shape.get(1)),
                generator.activation,
                generator.slope);
    }

    /** These settings as the learner takes them. */
    public LatentLearner.Settings learning() {
        return new LatentLearner.Settings(size, std, posterior.kernel, posterior.steps, integration);
    }

    /** In words, for the report. */
    public String words() {
        return "An image is generated from " + size
                + " latent variables by a generator, with pixel noise of standard deviation "
                + Words.number(noise) + ". Latent vectors of an image come from chains of " + posterior.steps
                + " steps of "
                + posterior.kernel.words() + " from the Gaussian prior. The generator is trained on them"
                + integration.map(by -> ", by " + by.words()).orElse("") + ".";
    }
}
