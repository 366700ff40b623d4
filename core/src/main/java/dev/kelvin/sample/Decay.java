package dev.kelvin.sample;

import dev.kelvin.Check;

/** How a step size falls while chains run: the factor of step k = 0, 1, ... */
@FunctionalInterface
public interface Decay {
    double factor(long step);

    /** (1 + k/offset)^(−power): with a power in (½, 1] unadjusted Langevin loses its bias as it runs. */
    static Decay polynomial(double offset, double power) {
        Check.positive("offset", offset);
        Check.positive("power", power);
        return step -> Math.pow(1 + step / offset, -power);
    }

    /** From 1 to {@code least} along half a cosine over so many steps, and {@code least} from there on. */
    static Decay cosine(long steps, double least) {
        Check.atLeast("steps", steps, 1);
        Check.positive("least", Check.within("least", least, 0, 1));
        return step -> least + (1 - least) * (1 + Math.cos(Math.PI * Math.min(step, steps) / steps)) / 2;
    }
}
