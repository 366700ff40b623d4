package dev.kelvin.sample.posterior;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Evaluated;
import dev.kelvin.sample.JitteredHmc;
import dev.kelvin.sample.chain.UserDensity;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;

/**
 * Where chains on a user's density start: at points where f and ∇f are finite, and at which the slope is not so steep
 * that no step of a common size is accepted. Chains that are on such a slope, where f may be −10¹⁰⁰, are led up it, each by
 * steps of its own, as far as needed and no further:
 *
 * <pre>x' = x + s∇f/|∇f|;  taken, and s doubled, if f(x') > f(x), else s is halved</pre>
 *
 * <p>Chains that are on no such slope stay where they are, to the bit.
 */
final class Starts {
    /** Random starts are uniform on ±2 in the coordinates without bounds, and drawn again so often, as Stan's are. */
    private static final double WIDTH = 2;

    private static final int TRIES = 100;

    /** A slope is too steep where a leap of this size is refused more often than not: below it a warm-up stands still. */
    private static final double LEAST_LEAP = 1e-5;

    private static final double ACCEPTANCE = 0.5;

    /** Of the ascent: its first step, and how many there are at most. */
    private static final double FIRST = 0.1;

    private static final int MOST = 200;

    /** How often random starts are drawn again from which no ascent comes off its slope: along a narrow ridge it stands still. */
    private static final int ROUNDS = 10;

    /** A child of the key for the ascent, below those of the draws. */
    private static final int CLIMB = -1;

    private Starts() {}

    /** Random ones, [chains, dimensions]; each at which f is not finite, or whose slope it cannot climb, is drawn again. */
    static Tensor random(Key key, LogDensity density, int chains, int dimensions) {
        Tensor u = offCliffs(key.child(CLIMB), density, finite(key, density, chains, dimensions));
        for (int round = 1; round <= ROUNDS; round++) {
            Key[] keys = key.child(CLIMB - round).split(3);
            boolean[] done = walkable(keys[0], density, Evaluated.at(density, u));
            if (all(done)) {
                break;
            }
            Tensor other = u.rowsWhere(done, finite(keys[1], density, chains, dimensions));
            u = offCliffs(keys[2], density, other);
        }
        return u;
    }

    private static Tensor finite(Key key, LogDensity density, int chains, int dimensions) {
        Tensor u = draw(key.child(0), chains, dimensions);
        for (int i = 1; i <= TRIES; i++) {
            boolean[] fine = UserDensity.fine(density, u);
            if (all(fine)) {
                return u;
            }
            u = u.rowsWhere(fine, draw(key.child(i), chains, dimensions));
        }
        UserDensity.check(density, u, ", and at " + TRIES + " other random starts");
        return u;
    }

    private static Tensor draw(Key key, int chains, int dimensions) {
        return Tensors.uniform(key, -WIDTH, WIDTH, DType.DOUBLE, Device.CPU, chains, dimensions);
    }

    /** Those that a caller gave: refused where f is not finite. */
    static Tensor given(Key key, LogDensity density, Tensor starts) {
        UserDensity.check(density, starts, "");
        return offCliffs(key, density, starts);
    }

    /** Returns the starts, with chains led off slopes that are too steep. */
    static Tensor offCliffs(Key key, LogDensity density, Tensor starts) {
        try (Scope scope = Scope.open()) {
            Evaluated at = Evaluated.at(density, starts);
            double[] sizes = new double[(int) starts.size(0)];
            Arrays.fill(sizes, FIRST);
            for (int i = 0; i < MOST; i++) {
                boolean[] done = walkable(key.child(i), density, at);
                if (all(done)) {
                    break;
                }
                at = ascended(density, at, sizes, done);
            }
            return scope.keep(at.x());
        }
    }

    private static boolean[] walkable(Key key, LogDensity density, Evaluated at) {
        try (Scope scope = Scope.open()) {
            double[] log = JitteredHmc.of(LEAST_LEAP).path(key, density, at).log();
            boolean[] walkable = new boolean[log.length];
            for (int i = 0; i < log.length; i++) {
                walkable[i] = log[i] > Math.log(ACCEPTANCE); // NaN is not
            }
            return walkable;
        }
    }

    /** One step of the chains that are not done, whose sizes are changed. */
    private static Evaluated ascended(LogDensity density, Evaluated at, double[] sizes, boolean[] done) {
        double[] x = at.x().toDoubles();
        double[] slope = at.gradient().toDoubles();
        int d = x.length / sizes.length;
        for (int chain = 0; chain < sizes.length; chain++) {
            if (!done[chain]) {
                ascend(x, slope, chain * d, (chain + 1) * d, sizes[chain]);
            }
        }
        Evaluated there = Evaluated.at(density, Tensors.of(x, sizes.length, d));
        double[] before = at.value().toDoubles();
        double[] after = there.value().toDoubles();
        double[] slopes = there.gradient().abs().sumPerSample().toDoubles();
        boolean[] moved = new boolean[sizes.length];
        for (int chain = 0; chain < sizes.length; chain++) {
            boolean better =
                    after[chain] > before[chain] && Double.isFinite(after[chain]) && Double.isFinite(slopes[chain]);
            moved[chain] = better && !done[chain];
            after[chain] = moved[chain] ? after[chain] : before[chain];
            sizes[chain] *= better ? 2 : 0.5;
        }
        return new Evaluated(
                there.x().rowsWhere(moved, at.x()),
                Tensors.of(after, sizes.length),
                there.gradient().rowsWhere(moved, at.gradient()));
    }

    /** x += s∇f/|∇f|, by its largest component first, whose square may overflow. */
    private static void ascend(double[] x, double[] slope, int from, int to, double size) {
        double largest = 0;
        for (int i = from; i < to; i++) {
            largest = Math.max(largest, Math.abs(slope[i]));
        }
        double squares = 0;
        for (int i = from; i < to; i++) {
            squares += slope[i] / largest * (slope[i] / largest);
        }
        for (int i = from; i < to; i++) {
            x[i] += size * slope[i] / largest / Math.sqrt(squares);
        }
    }

    private static boolean all(boolean[] flags) {
        for (boolean flag : flags) {
            if (!flag) {
                return false;
            }
        }
        return true;
    }
}
