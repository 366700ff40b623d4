package dev.kelvin.recipe;

import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.part.Check;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.sample.Kernel;
import java.util.Optional;

/** Chains beside the recipe's first, which give a share of the negatives. */
@Doc("further chains that contribute a fraction of the negatives, at the temperature of the first")
public record FurtherChains(
        @Doc("their fraction of the negatives, above 0 and below 1")
        double share,

        @Doc("where they start") Start start,

        @Doc("the Markov kernel") Kernel<?> kernel,

        @Doc("the number of steps of each chain in an iteration")
        Steps steps,

        @Doc(value = "a replay buffer of their own", otherwise = "every chain is reinitialised in each iteration")
        Optional<Buffer> buffer) {
    public FurtherChains {
        Check.require(share > 0 && share < 1, "share", "must be above 0 and below 1, found " + Words.number(share));
    }

    String words() {
        return " " + Buffer.percent(share) + " % of the negatives come from further chains, which start at "
                + start.words() + " and take " + steps.words() + " steps of " + kernel.words() + "."
                + buffer.map(Buffer::words).orElse(" Chains are not persistent: each iteration starts new ones.");
    }
}
