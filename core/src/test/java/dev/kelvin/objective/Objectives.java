package dev.kelvin.objective;

import dev.kelvin.optim.Schedule;
import java.util.OptionalDouble;

/** Objectives of which a test sets only what it is about. */
public final class Objectives {
    private Objectives() {}

    /** The robust objective in the paper's own form, with a constant β. */
    public static Robust robust(double beta) {
        return robust(beta, Robust.Variant.DEFAULT);
    }

    /** A variant of the robust objective with a constant β. */
    public static Robust robust(double beta, Robust.Variant variant) {
        return new Robust(beta, variant, Schedule.constant(), 0);
    }

    /** The robust objective with β·o. */
    public static Robust robustOverT(double betaOverT) {
        return new Robust(
                OptionalDouble.empty(), OptionalDouble.of(betaOverT), Robust.Variant.DEFAULT, Schedule.constant(), 0);
    }
}
