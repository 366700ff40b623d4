package dev.kelvin.energy;

import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Tensor;

/**
 * The values that a parameter can have, between two bounds of which either may be infinite, and the map from all real numbers
 * u to them that chains run in:
 *
 * <pre>
 * x = u;   x = low + eᵘ;   x = high − eᵘ;   x = low + (high − low)/(1 + e⁻ᵘ)
 * log|dx/du| = 0;   u;   u;   log(high − low) − log(1 + e⁻ᵘ) − log(1 + eᵘ)
 * </pre>
 */
public record Support(double low, double high) {
    public Support {
        Check.require(
                low < high && low < Double.POSITIVE_INFINITY && high > Double.NEGATIVE_INFINITY,
                "support",
                "must lie between two bounds, the first below the second; found " + low + " and " + high);
    }

    /** All real numbers. */
    public static Support real() {
        return new Support(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    /** Positive numbers. */
    public static Support positive() {
        return above(0);
    }

    /** Numbers above a bound. */
    public static Support above(double low) {
        return new Support(low, Double.POSITIVE_INFINITY);
    }

    /** Numbers below a bound. */
    public static Support below(double high) {
        return new Support(Double.NEGATIVE_INFINITY, high);
    }

    /** Numbers between two bounds. */
    public static Support interval(double low, double high) {
        return new Support(low, high);
    }

    /** Whether there is no bound. */
    public boolean unbounded() {
        return !Double.isFinite(low) && !Double.isFinite(high);
    }

    /** x of u. */
    public Tensor constrain(Tensor u) {
        if (unbounded()) {
            return u;
        }
        if (!Double.isFinite(high)) {
            return u.exp().plus(low);
        }
        return Double.isFinite(low)
                ? u.sigmoid().times(high - low).plus(low)
                : u.exp().negate().plus(high);
    }

    /** u of x; infinite at a bound and NaN beyond it. */
    public Tensor unconstrain(Tensor x) {
        if (unbounded()) {
            return x;
        }
        if (!Double.isFinite(high)) {
            return x.minus(low).log();
        }
        return Double.isFinite(low)
                ? x.minus(low).log().minus(x.negate().plus(high).log())
                : x.negate().plus(high).log();
    }

    /** log|dx/du| of each number. */
    public Tensor logSlope(Tensor u) {
        if (unbounded()) {
            return u.times(0);
        }
        return Double.isFinite(low) && Double.isFinite(high)
                ? u.softplus().plus(u.negate().softplus()).negate().plus(Math.log(high - low))
                : u;
    }

    /** dx/du of each number with a bound, given x. */
    Tensor slope(Tensor x) {
        if (!Double.isFinite(high)) {
            return x.minus(low);
        }
        return Double.isFinite(low) ? x.minus(low).times(x.negate().plus(high)).over(high - low) : x.minus(high);
    }

    /** d log|dx/du|/du of each number, given x: 1, or 1 − 2/(1 + e⁻ᵘ) between two bounds. */
    Tensor slopeOfLogSlope(Tensor x) {
        return Double.isFinite(low) && Double.isFinite(high)
                ? x.times(-2).plus(low + high).over(high - low)
                : x.times(0).plus(1);
    }

    /** The bounds in words. */
    public String words() {
        if (unbounded()) {
            return "real";
        }
        return Double.isFinite(low) && Double.isFinite(high)
                ? "between " + Words.number(low) + " and " + Words.number(high)
                : Double.isFinite(low) ? "above " + Words.number(low) : "below " + Words.number(high);
    }
}
