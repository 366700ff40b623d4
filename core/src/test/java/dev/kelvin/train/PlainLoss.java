package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Objective;
import dev.kelvin.tensor.Key;
import java.util.Optional;

/** Losses by tables that are not recorded, with the objective's own weights. */
final class PlainLoss {
    private PlainLoss() {}

    static LossEvaluation of(
            Key key,
            EnergyModel model,
            Parameters parameters,
            Objective objective,
            Batch positives,
            DrawnNegatives negatives) {
        return new LossEvaluation(
                key, model, parameters, objective, positives, negatives, x -> model.pullback(parameters, x));
    }

    static LossAndGradient compare(
            Key key,
            EnergyModel model,
            Parameters parameters,
            Objective objective,
            Batch positives,
            DrawnNegatives negatives) {
        return of(key, model, parameters, objective, positives, negatives)
                .compare(LossEvaluation.Weights.of(objective, objective.alpha().start()), Optional.empty());
    }
}
