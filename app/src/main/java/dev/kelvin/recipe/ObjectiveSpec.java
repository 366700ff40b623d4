package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.objective.Objective;
import java.util.Optional;

/** What is made small. The cases are named because compilers order unnamed ones differently, and people read the list. */
public sealed interface ObjectiveSpec
        permits ObjectiveSpec.Contrastive,
                ObjectiveSpec.Robust,
                ObjectiveSpec.CdCe,
                ObjectiveSpec.JointCd,
                ObjectiveSpec.ConditionalCd,
                ObjectiveSpec.CrossEntropy {
    /** The objective on f at positives and negatives; a time-joint one is none. */
    default Objective objective() {
        throw new IllegalStateException("this objective is about all times together");
    }

    /** The objective on f at all times, where it is one. */
    default Optional<TimeObjective> overTime() {
        return Optional.empty();
    }

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

            @Doc("which of the paper's forms") @Default("default")
            Variant variant,

            @Doc("how β changes during the run, as a learning rate does") @Default("constant")
            ScheduleSpec schedule,

            @Doc("the weight on the mean of f², which keeps f small") @Default("0")
            double l2)
            implements ObjectiveSpec {
        public Robust {
            Check.all(() -> checkBeta(beta), () -> Check.notNegative("l2", l2));
        }

        @Override
        public Objective objective() {
            dev.kelvin.objective.Robust.Variant form = dev.kelvin.objective.Robust.Variant.valueOf(variant.name());
            Objective plain = schedule.equals(new ScheduleSpec.Constant(0))
                    ? dev.kelvin.objective.Robust.at(beta, form)
                    : new ScheduledRobust(beta, form, schedule.schedule()::factor);
            return plain.plusSquares(l2);
        }

        private static void checkBeta(double beta) {
            Check.finite("beta", beta);
            Check.require(beta <= 1, "beta", "must be at most 1, found " + ScalarText.format(beta));
        }
    }

    @Doc("time-joint: contrastive divergence on p(z) and cross-entropy on p(t|z)")
    record CdCe() implements ObjectiveSpec {
        @Override
        public Optional<TimeObjective> overTime() {
            return Optional.of(TimeObjective.CD_CE);
        }
    }

    @Doc("time-joint: contrastive divergence on p(z, t)")
    record JointCd() implements ObjectiveSpec {
        @Override
        public Optional<TimeObjective> overTime() {
            return Optional.of(TimeObjective.JOINT_CD);
        }
    }

    @Doc("time-joint: contrastive divergence on each p(z|t) alone")
    record ConditionalCd() implements ObjectiveSpec {
        @Override
        public Optional<TimeObjective> overTime() {
            return Optional.of(TimeObjective.CONDITIONAL_CD);
        }
    }

    @Doc("time-joint: cross-entropy on p(t|z) alone, without chains")
    record CrossEntropy() implements ObjectiveSpec {
        @Override
        public Optional<TimeObjective> overTime() {
            return Optional.of(TimeObjective.CROSS_ENTROPY);
        }
    }

    /** The robust objective's forms. */
    enum Variant {
        DEFAULT,
        NO_POSITIVE,
        BATCH_CORRECTED,
        TRUE_OBJECTIVE
    }
}
