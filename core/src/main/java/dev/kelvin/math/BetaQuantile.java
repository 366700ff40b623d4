package dev.kelvin.math;

import dev.kelvin.part.Check;

/**
 * The value below which a share p of the Beta(a, b) distribution lies, by bisection of the regularised incomplete beta
 * function I_x(a, b), which is computed by its continued fraction.
 *
 * <p>Source: W. Press et al., Numerical Recipes, third edition, section 6.4, for the fraction (Lentz's method).
 */
public final class BetaQuantile {
    private static final int MOST_TERMS = 10_000;
    private static final double TINY = 1e-300;
    private static final double PRECISION = 1e-15;

    /** Halvings that take an interval of 1 below the spacing of doubles near the smallest quantiles of use. */
    private static final int HALVINGS = 200;

    /** Lanczos's coefficients for g = 7 and n = 9. */
    private static final double[] LANCZOS = {
        0.9999999999998099,
        676.5203681218851,
        -1259.1392167224028,
        771.3234287776531,
        -176.6150291621406,
        12.507343278686905,
        -0.13857109526572012,
        9.984369578019572e-6,
        1.5056327351493116e-7
    };

    private BetaQuantile() {}

    /** Of 0 ≤ p ≤ 1 and positive a and b. */
    public static double of(double p, double a, double b) {
        Check.within("p", p, 0, 1);
        Check.positive("a", a);
        Check.positive("b", b);
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS && high > Math.nextUp(low); i++) {
            double middle = (low + high) / 2;
            if (share(middle, a, b) < p) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /** I_x(a, b), the share of the distribution below x. */
    public static double share(double x, double a, double b) {
        if (x <= 0 || x >= 1) {
            return x <= 0 ? 0 : 1;
        }
        double log = a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b);
        return x < (a + 1) / (a + b + 2)
                ? Math.exp(log) * fraction(x, a, b) / a
                : 1 - Math.exp(log) * fraction(1 - x, b, a) / b;
    }

    private static double fraction(double x, double a, double b) {
        double c = 1;
        double d = 1 / nonZero(1 - (a + b) * x / (a + 1));
        double h = d;
        for (int m = 1; m <= MOST_TERMS; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / nonZero(1 + even * d);
            c = nonZero(1 + even / c);
            h *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / nonZero(1 + odd * d);
            c = nonZero(1 + odd / c);
            h *= d * c;
            if (Math.abs(d * c - 1) < PRECISION) {
                break;
            }
        }
        return h;
    }

    private static double nonZero(double value) {
        return Math.abs(value) < TINY ? TINY : value;
    }

    /** log Γ(z) of a positive z. */
    static double logGamma(double z) {
        if (z < 0.5) {
            return Math.log(Math.PI / Math.sin(Math.PI * z)) - logGamma(1 - z);
        }
        double sum = LANCZOS[0];
        for (int i = 1; i < LANCZOS.length; i++) {
            sum += LANCZOS[i] / (z - 1 + i);
        }
        double t = z + LANCZOS.length - 2.5; // z - 1 + g + 1/2
        return 0.5 * Math.log(2 * Math.PI) + (z - 0.5) * Math.log(t) - t + Math.log(sum);
    }
}
