package dev.kelvin.data.toy;

/**
 * Two interleaved half circles, as in scikit-learn: (cos t, sin t) for u below ½ and (1 − cos t, ½ − sin t) above, t
 * uniform on [0, π].
 */
record Moons() implements Curve {
    /** Eight panels for each moon, of 3.9 standard deviations of the noise; none straddles the jump between moons. */
    static final int PANELS = 16;

    @Override
    public void at(double u, double[] point) {
        boolean upper = u < 0.5;
        double t = Math.PI * (upper ? 2 * u : 2 * u - 1);
        point[0] = upper ? Math.cos(t) : 1 - Math.cos(t);
        point[1] = upper ? Math.sin(t) : 0.5 - Math.sin(t);
    }

    @Override
    public double density(double u) {
        return 1;
    }

    @Override
    public double quantile(double share) {
        return share;
    }
}
