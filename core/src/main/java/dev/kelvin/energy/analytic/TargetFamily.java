package dev.kelvin.energy.analytic;

import dev.kelvin.energy.Target;
import dev.kelvin.part.Kind;

/**
 * Analytic targets by name and settings, for testing samplers: {@code kelvin chains --target '{funnel: {dimension: 5}}'}.
 * A target whose numbers need no preparation is its own family.
 */
@Kind("target")
public interface TargetFamily {
    /** What makes it hard to sample, in one phrase. */
    String difficulty();

    /** The density with these settings; its tables are made here, once, so keep it. */
    Target target();
}
