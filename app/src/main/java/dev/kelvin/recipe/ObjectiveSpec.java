package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.objective.Objective;

/** What is made small. */
public sealed interface ObjectiveSpec {
    /** The weight on the mean squares of f. */
    double l2();

    Objective objective();

    @Doc("contrastive divergence: mean f(negatives) − mean f(positives)")
    record Contrastive(
            @Doc("the weight on the mean of f², which keeps f small") @Default("0")
            double l2) implements ObjectiveSpec {
        public Contrastive {
            Check.notNegative("l2", l2);
        }

        @Override
        public Objective objective() {
            return new dev.kelvin.objective.Contrastive().plusSquares(l2);
        }
    }

    @Doc("the objective that is robust to inaccurate samples; at beta 0 it is contrastive divergence")
    record Robust(
            @Doc("β, at most 1; negatives are taken as samples of exp((1−β)f)")
            double beta,

            @Doc("the weight on the mean of f², which keeps f small") @Default("0")
            double l2)
            implements ObjectiveSpec {
        public Robust {
            Checks.all(() -> checkBeta(beta), () -> Check.notNegative("l2", l2));
        }

        @Override
        public Objective objective() {
            return beta == 0 ? new Contrastive(l2).objective() : new dev.kelvin.objective.Robust(beta).plusSquares(l2);
        }

        private static void checkBeta(double beta) {
            Check.finite("beta", beta);
            Checks.require(beta <= 1, "beta", "must be at most 1, found " + Scalars.format(beta));
        }
    }
}
