package dev.kelvin.math;

/**
 * Φ⁻¹, the quantiles of the unit Gaussian, to about 1 part in 10¹⁶: three rational approximations, for the middle, the
 * tail and the far tail. Source: Wichura 1988, Algorithm AS 241 (PPND16).
 */
public final class InverseNormal {
    /** Where |p − ½| is at most this, the middle's approximation holds. */
    private static final double MIDDLE = 0.425;

    /** Where r = √(−log tail) is at most this, that is for a tail above 1.4e-11, the tail's holds. */
    private static final double TAIL = 5;

    /** The middle's variable is .425² − (p − ½)², the tail's r − 1.6, the far tail's r − 5. */
    private static final double TAIL_START = 1.6;

    private static final double[] MIDDLE_ABOVE = {
        3.3871328727963665, 1.3314166789178438e2, 1.9715909503065513e3, 1.373169376550946e4,
        4.592195393154987e4, 6.72657709270087e4, 3.343057558358813e4, 2.5090809287301227e3
    };
    private static final double[] MIDDLE_BELOW = {
        1,
        4.231333070160091e1,
        6.871870074920579e2,
        5.394196021424751e3,
        2.1213794301586597e4,
        3.930789580009271e4,
        2.8729085735721943e4,
        5.226495278852854e3
    };
    private static final double[] TAIL_ABOVE = {
        1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045,
        1.2704582524523684, 2.417807251774506e-1, 2.2723844989269184e-2, 7.745450142783414e-4
    };
    private static final double[] TAIL_BELOW = {
        1,
        2.053191626637759,
        1.6763848301838038,
        6.897673349851e-1,
        1.4810397642748008e-1,
        1.5198666563616457e-2,
        5.475938084995345e-4,
        1.0507500716444169e-9
    };
    private static final double[] FAR_ABOVE = {
        6.657904643501103, 5.463784911164114, 1.7848265399172913, 2.9656057182850487e-1,
        2.6532189526576124e-2, 1.2426609473880784e-3, 2.7115555687434876e-5, 2.0103343992922881e-7
    };
    private static final double[] FAR_BELOW = {
        1,
        5.99832206555888e-1,
        1.369298809227358e-1,
        1.4875361290850615e-2,
        7.868691311456133e-4,
        1.8463183175100548e-5,
        1.421511758316446e-7,
        2.0442631033899397e-15
    };

    private InverseNormal() {}

    /** The x with Φ(x) = p: −∞ at 0, ∞ at 1, NaN for what is no probability. */
    public static double of(double p) {
        double q = p - 0.5;
        if (Math.abs(q) <= MIDDLE) {
            return q * ratio(MIDDLE_ABOVE, MIDDLE_BELOW, MIDDLE * MIDDLE - q * q);
        }
        double tail = Math.min(p, 1 - p);
        if (tail == 0) {
            return Math.copySign(Double.POSITIVE_INFINITY, q);
        }
        double r = Math.sqrt(-Math.log(tail)); // NaN for a negative tail
        double x = r <= TAIL ? ratio(TAIL_ABOVE, TAIL_BELOW, r - TAIL_START) : ratio(FAR_ABOVE, FAR_BELOW, r - TAIL);
        return Math.copySign(x, q);
    }

    private static double ratio(double[] above, double[] below, double x) {
        return polynomial(above, x) / polynomial(below, x);
    }

    private static double polynomial(double[] coefficients, double x) {
        double value = 0;
        for (int i = coefficients.length - 1; i >= 0; i--) {
            value = value * x + coefficients[i];
        }
        return value;
    }
}
