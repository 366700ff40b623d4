package dev.kelvin.energy.analytic;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;

/** A funnel that a well-tuned sampler can cover: s = ½, so the widths within two s of the centre are e times apart. */
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
        return new Funnel(dimension, 0.5);
    }
}
