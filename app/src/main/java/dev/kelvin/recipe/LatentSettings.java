package dev.kelvin.recipe;

import dev.kelvin.nn.conv.Generator;
import dev.kelvin.objective.Integration;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.train.latent.PosteriorChains;
import java.util.List;
import java.util.Optional;

/** An energy-based prior of latent vectors, which is the recipe's model, and a generator of images from them. */
@Doc("a generator of images from latent vectors, whose prior is the recipe's model: a Gaussian tilted by exp(f)")
@Cites("pang2020")
public record LatentSettings(
        @Doc("the dimension of a latent vector") int size,

        @Doc("σ₀, the standard deviation of the Gaussian that the model tilts") @Default("1")
        double std,

        @Doc("transposed convolutions from a latent vector to an image in (−1, 1), which double it once for each width")
        @Default("{}")
        Generator generator,

        @Doc("σ, the standard deviation of an image's pixels around the generator's output") @Default("0.3")
        double noise,

        @Doc("the chains on the posterior of latent vectors")
        PosteriorChains posterior,

        @Doc(
                value = "the likelihood integrated over temperatures between the prior and the posterior",
                otherwise = "the posterior alone, as in Pang et al. 2020")
        Optional<Integration> integration,

        @Doc(value = "the optimiser of the generator's parameters", otherwise = "as the model's")
        Optional<Optimiser> optimiser,

        @Doc("the number of held-out images whose likelihood is estimated in the evaluation") @Default("32")
        int measured,

        @Doc(
                "steps at each temperature of that estimate, after as many of warm-up; the likelihood that is corrected by the"
                        + " posteriors' divergences takes about 8.4 for each latent number")
        @Default("20")
        int measuredSteps) {
    public LatentSettings {
        Check.all(
                () -> Check.atLeast("size", size, 1),
                () -> Check.positive("std", std),
                () -> Check.positive("noise", noise),
                () -> Check.atLeast("measured", measured, 2),
                () -> Check.atLeast("measuredSteps", measuredSteps, 2));
        if (posterior != null) {
            integration.ifPresent(by -> Check.part("posterior", () -> posterior.requireFit(by)));
            Check.require(
                    integration.isEmpty() || integration.get().exchangeEvery() < posterior.steps(),
                    "integration.exchangeEvery",
                    "must be below the steps of a posterior chain, " + posterior.steps()
                            + ": otherwise it ends before it is exchanged");
        }
    }

    /** Whether the prior learns by contrastive divergence, with the recipe's chains and objective. */
    public boolean trainsPrior() {
        return integration.filter(by -> by.mode() != Integration.Mode.CORRECTED).isEmpty();
    }

    /** The generator of images of this shape. */
    public Generator network(List<Long> shape) {
        List<Integer> widths = generator.widths();
        long side = shape.get(1);
        int doublings = 1 << widths.size();
        Check.require(
                side == shape.get(2),
                "widths",
                "make square images, and the data's are " + side + "×" + shape.get(2)
                        + ": give data.images a size, where they are a folder of pictures");
        Check.require(
                side >= doublings && side % doublings == 0,
                "widths",
                "double the image " + widths.size() + " times, to a multiple of " + doublings
                        + " pixels, and the data's have " + side + ": give as many as that has factors of 2, or fewer");
        return new Generator(
                size,
                widths,
                Math.toIntExact(shape.get(0)),
                Math.toIntExact(shape.get(1)),
                generator.activation(),
                generator.slope());
    }

    /** In words, for the report. */
    public String words() {
        return "An image is generated from " + size
                + " latent variables by a generator, with pixel noise of standard deviation "
                + Words.number(noise) + ". Latent vectors of an image come from chains of " + posterior.steps()
                + " steps of "
                + posterior.kernel().words() + " from the Gaussian prior"
                + (posterior.chains() > 1 ? ", " + posterior.chains() + " for each image" : "")
                + ". The generator is trained on them"
                + integration.map(by -> ", by " + by.words()).orElse("") + ".";
    }
}
