package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.sample.Decay;

/** How a chain's step size falls. */
public sealed interface DecaySpec {
    Decay decay();

    @Doc("h·(1 + k/offset)^(−power) at step k")
    record Polynomial(
            @Doc("steps until the fall is felt") @Default("10")
            double offset,

            @Doc("how steeply it falls") @Default("0.55") double power)
            implements DecaySpec {
        public Polynomial {
            Check.all(() -> Check.positive("offset", offset), () -> Check.positive("power", power));
        }

        @Override
        public Decay decay() {
            return new Decay.Polynomial(offset, power);
        }
    }

    @Doc("along half a cosine")
    record Cosine(
            @Doc("the steps that the fall takes") int steps,

            @Doc("the share of the step size that is left") @Default("0.01")
            double least)
            implements DecaySpec {
        public Cosine {
            Check.all(
                    () -> Check.atLeast("steps", steps, 1),
                    () -> Check.positive("least", Check.within("least", least, 0, 1)));
        }

        @Override
        public Decay decay() {
            return new Decay.Cosine(steps, least);
        }
    }
}
