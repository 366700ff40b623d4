package dev.kelvin.energy.analytic;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;

/** A funnel with s = ½, which a well-tuned sampler can cover: see {@link Funnel#easy}. */
@Doc("a funnel that a well-tuned sampler can cover: its log-variance has standard deviation 0.5")
public record EasyFunnel(
        @Doc("number of coordinates, the log-variance among them") @Default("5")
        int dimension) implements TargetFamily {
    public EasyFunnel {
        Check.atLeast("dimension", dimension, 2);
    }

    @Override
    public String difficulty() {
        return "a funnel of " + dimension + " coordinates that a well-tuned sampler can cover";
    }

    @Override
    public Funnel target() {
        return Funnel.easy(dimension);
    }
}
