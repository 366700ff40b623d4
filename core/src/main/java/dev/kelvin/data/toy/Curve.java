package dev.kelvin.data.toy;

import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/**
 * A curve in the plane and how its points are chosen: u in [0, 1] has a density, c(u) is the point.
 *
 * @param at c(u)
 * @param density of u
 * @param quantile the u below which a share of the probability lies
 */
record Curve(DoubleFunction<double[]> at, DoubleUnaryOperator density, DoubleUnaryOperator quantile) {
    /** Panels of the moons' integral: eight for each, of 3.9 standard deviations of the noise; none straddles the jump. */
    static final int MOONS_PANELS = 16;

    /** Panels of at most 6.3 standard deviations of the noise: the spiral's speed is at most 5.04, the noise .02. */
    static final int SPIRAL_PANELS = 40;

    private static final double SHIFT = 0.1;

    /**
     * Two interleaved half circles, as in scikit-learn: (cos t, sin t) for u below ½ and (1 − cos t, ½ − sin t) above, t
     * uniform on [0, π].
     */
    static final Curve MOONS = new Curve(
            u -> {
                boolean upper = u < 0.5;
                double t = Math.PI * (upper ? 2 * u : 2 * u - 1);
                return new double[] {upper ? Math.cos(t) : 1 - Math.cos(t), upper ? Math.sin(t) : 0.5 - Math.sin(t)};
            },
            u -> 1,
            share -> share);

    /** The shifted spiral of <i>Thinking Fourth Dimensionally</i>: u = √U, angle π/2 + 4πu, radius .4(.15 + .85u), moved by (.1, .1). */
    static final Curve SPIRAL = new Curve(
            u -> {
                double angle = Math.PI / 2 + 4 * Math.PI * u;
                double radius = 0.4 * (0.15 + 0.85 * u);
                return new double[] {SHIFT + radius * Math.cos(angle), SHIFT + radius * Math.sin(angle)};
            },
            u -> 2 * u,
            Math::sqrt);

    /** scale·c(u) + shift. */
    Curve moved(double scale, double... shift) {
        return new Curve(
                u -> {
                    double[] point = at.apply(u);
                    return new double[] {scale * point[0] + shift[0], scale * point[1] + shift[1]};
                },
                density,
                quantile);
    }
}
