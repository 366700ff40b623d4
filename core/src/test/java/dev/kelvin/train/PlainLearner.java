package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.objective.Objective;
import java.util.List;

/** Learners without further terms, at T = 1. */
public final class PlainLearner {
    private PlainLearner() {}

    /** Of this many negatives a step. */
    public static EnergyLearner of(
            EnergyModel model, NegativeSource source, Objective objective, int negatives, Descent descent) {
        return new EnergyLearner(
                model, source, objective, List.of(), new EnergyLearner.Settings(negatives, 1), descent);
    }
}
