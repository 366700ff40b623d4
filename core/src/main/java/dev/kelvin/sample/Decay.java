package dev.kelvin.sample;

import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Kind;

/** How a step size falls while chains run: the factor of step k = 0, 1, ... */
@Kind("decay")
@FunctionalInterface
public interface Decay {
    /** What the step size is multiplied by at a step of the chain, counted from 0. */
    double factor(long step);

    /** (1 + k/offset)^(−power): with a power in (½, 1] unadjusted Langevin loses its bias as it runs. */
    @Doc("polynomial decay, h·(1 + k/offset)^(−power) at step k")
    @Cites("welling2011")
    record Polynomial(
            @Doc("the offset of the decay, in steps") @Default("10")
            double offset,

            @Doc("the exponent of the decay") @Default("0.55")
            double power)
            implements Decay {
        public Polynomial {
            Check.all(() -> Check.positive("offset", offset), () -> Check.positive("power", power));
        }

        @Override
        public double factor(long step) {
            return Math.pow(1 + step / offset, -power);
        }
    }

    /** From 1 to {@code least} along half a cosine over {@code steps} steps, and {@code least} from there on. */
    @Doc("cosine decay")
    record Cosine(
            @Doc("the number of steps of the decay") int steps,

            @Doc("the fraction of the step size that remains") @Default("0.01")
            double least)
            implements Decay {
        public Cosine {
            Check.all(
                    () -> Check.atLeast("steps", steps, 1),
                    () -> Check.positive("least", Check.within("least", least, 0, 1)));
        }

        @Override
        public double factor(long step) {
            return least + (1 - least) * (1 + Math.cos(Math.PI * Math.min(step, steps) / steps)) / 2;
        }
    }
}
