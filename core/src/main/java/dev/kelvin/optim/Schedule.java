package dev.kelvin.optim;

import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Kind;
import java.util.List;

/**
 * How the learning rate, or another number, changes over a run: a factor on it at each step, counted from 0, of a number of
 * steps. After a warm-up, in which it rises linearly from 0, it follows its course.
 */
@Kind("schedule")
public interface Schedule {
    /** Always 1. */
    static Schedule constant() {
        return new Constant(0);
    }

    /** Steps during which it rises linearly: 1/warmup, 2/warmup, ... 1. */
    int warmup();

    /** Its course without the warm-up. */
    double course(long step, long steps);

    /** The factor on the learning rate at a step, counted from 0, of {@code steps}: warm-up and course. */
    default double factor(long step, long steps) {
        return course(step, steps) * (step < warmup() ? (step + 1) / (double) warmup() : 1);
    }

    /** A rate that stays. */
    @Doc("a constant learning rate")
    record Constant(
            @Doc("iterations of linear warm-up from 0") @Default("0")
            int warmup) implements Schedule {
        public Constant {
            Check.atLeast("warmup", warmup, 0);
        }

        @Override
        public double course(long step, long steps) {
            return 1;
        }
    }

    /** A rate that falls in equal steps. */
    @Doc("the learning rate is multiplied by a factor every so many iterations")
    record Step(
            @Doc("iterations between two changes") int every,

            @Doc("the factor") double factor,

            @Doc("the fraction of the rate below which it does not fall") @Default("0")
            double finalShare,

            @Doc("iterations of linear warm-up from 0") @Default("0")
            int warmup)
            implements Schedule {
        public Step {
            check(every, factor, finalShare, warmup);
        }

        @Override
        public double course(long step, long steps) {
            return Math.max(finalShare, Math.pow(factor, (double) Math.floorDiv(step, (long) every)));
        }
    }

    /** A rate that falls at iterations of one's choice. */
    @Doc("the learning rate is multiplied by a factor at given iterations")
    record Milestones(
            @Doc("the iterations, in increasing order") List<Integer> at,

            @Doc("the factor") double factor,

            @Doc("iterations of linear warm-up from 0") @Default("0")
            int warmup)
            implements Schedule {
        public Milestones {
            List<Integer> copy = List.copyOf(at);
            Check.all(
                    () -> Check.notEmpty("at", copy),
                    () -> Check.eachAtLeast("at", copy, 1),
                    () -> Check.require(
                            copy.stream().sorted().distinct().toList().equals(copy), "at", "must rise, found " + copy),
                    () -> Check.positive("factor", factor),
                    () -> Check.atLeast("warmup", warmup, 0));
            at = copy;
        }

        @Override
        public double course(long step, long steps) {
            return Math.pow(
                    factor, (double) at.stream().filter(each -> each <= step).count());
        }
    }

    /** A rate that falls exponentially. */
    @Doc("exponential decay: as step, but continuous")
    record Exponential(
            @Doc("iterations in which the rate decays by the factor")
            int every,

            @Doc("the factor") double factor,

            @Doc("the fraction of the rate below which it does not fall") @Default("0")
            double finalShare,

            @Doc("iterations of linear warm-up from 0") @Default("0")
            int warmup)
            implements Schedule {
        public Exponential {
            check(every, factor, finalShare, warmup);
        }

        @Override
        public double course(long step, long steps) {
            return Math.max(finalShare, Math.pow(factor, (double) step / every));
        }
    }

    /** A rate that falls along half a cosine. */
    @Doc("cosine decay to the end of the run")
    record Cosine(
            @Doc("the fraction of the rate that remains at the end") @Default("0")
            double finalShare,

            @Doc("iterations of linear warm-up from 0") @Default("0")
            int warmup)
            implements Schedule {
        public Cosine {
            Check.all(() -> Check.within("finalShare", finalShare, 0, 1), () -> Check.atLeast("warmup", warmup, 0));
        }

        @Override
        public double course(long step, long steps) {
            return finalShare + (1 - finalShare) * (1 + Math.cos(Math.PI * step / steps)) / 2;
        }
    }

    /** A rate that stays and then falls along a line. */
    @Doc("a constant rate, then linear decay to the end of the run")
    record Linear(
            @Doc("the fraction of the run after which it decays") @Default("0")
            double from,

            @Doc("the fraction of the rate that remains at the end") @Default("0")
            double finalShare,

            @Doc("iterations of linear warm-up from 0") @Default("0")
            int warmup)
            implements Schedule {
        public Linear {
            Check.all(
                    () -> Check.belowOne("from", from),
                    () -> Check.within("finalShare", finalShare, 0, 1),
                    () -> Check.atLeast("warmup", warmup, 0));
        }

        @Override
        public double course(long step, long steps) {
            double past = (double) step / steps - from;
            return past <= 0 ? 1 : 1 + (finalShare - 1) * past / (1 - from);
        }
    }

    private static void check(int every, double factor, double finalShare, int warmup) {
        Check.all(
                () -> Check.atLeast("every", every, 1),
                () -> Check.positive("factor", factor),
                () -> Check.within("finalShare", finalShare, 0, 1),
                () -> Check.atLeast("warmup", warmup, 0));
    }
}
