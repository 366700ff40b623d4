package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.optim.Schedule;

/** How the learning rate changes during a run, after it has risen from 0 during the warm-up. */
public sealed interface ScheduleSpec {
    /** Iterations during which the rate rises linearly from 0. */
    int warmup();

    /** The rate's course without its warm-up. */
    Schedule course();

    /** The rate's course. */
    default Schedule schedule() {
        return course().afterWarmup(warmup());
    }

    @Doc("the rate stays")
    record Constant(
            @Doc("iterations during which the rate rises from 0") @Default("0")
            int warmup) implements ScheduleSpec {
        public Constant {
            Check.atLeast("warmup", warmup, 0);
        }

        @Override
        public Schedule course() {
            return Schedule.constant();
        }
    }

    @Doc("the rate is multiplied by a factor every so many iterations")
    record Step(
            @Doc("iterations between two changes") int every,

            @Doc("what the rate is multiplied by") double factor,

            @Doc("iterations during which the rate rises from 0") @Default("0")
            int warmup)
            implements ScheduleSpec {
        public Step {
            check(every, factor, warmup);
        }

        @Override
        public Schedule course() {
            return Schedule.step(every, factor);
        }
    }

    @Doc("as step, but smoothly")
    record Exponential(
            @Doc("iterations in which the rate changes by the factor")
            int every,

            @Doc("what the rate is multiplied by") double factor,

            @Doc("iterations during which the rate rises from 0") @Default("0")
            int warmup)
            implements ScheduleSpec {
        public Exponential {
            check(every, factor, warmup);
        }

        @Override
        public Schedule course() {
            return Schedule.exponential(every, factor);
        }
    }

    @Doc("the rate falls along half a cosine until the end of the run")
    record Cosine(
            @Doc("the share of the rate that is left at the end") @Default("0")
            double finalShare,

            @Doc("iterations during which the rate rises from 0") @Default("0")
            int warmup)
            implements ScheduleSpec {
        public Cosine {
            Check.all(() -> Check.within("finalShare", finalShare, 0, 1), () -> Check.atLeast("warmup", warmup, 0));
        }

        @Override
        public Schedule course() {
            return Schedule.cosine(finalShare);
        }
    }

    @Doc("the rate stays and then falls along a line until the end of the run")
    record Linear(
            @Doc("the share of the run after which it begins to fall") @Default("0")
            double from,

            @Doc("the share of the rate that is left at the end") @Default("0")
            double finalShare,

            @Doc("iterations during which the rate rises from 0") @Default("0")
            int warmup)
            implements ScheduleSpec {
        public Linear {
            Check.all(
                    () -> Check.belowOne("from", from),
                    () -> Check.within("finalShare", finalShare, 0, 1),
                    () -> Check.atLeast("warmup", warmup, 0));
        }

        @Override
        public Schedule course() {
            return Schedule.linear(from, finalShare);
        }
    }

    private static void check(int every, double factor, int warmup) {
        Check.all(
                () -> Check.atLeast("every", every, 1),
                () -> Check.positive("factor", factor),
                () -> Check.atLeast("warmup", warmup, 0));
    }
}
