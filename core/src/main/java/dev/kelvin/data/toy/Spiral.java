package dev.kelvin.data.toy;

import java.util.List;

/** The shifted spiral of <i>Thinking Fourth Dimensionally</i>: u = √U, angle π/2 + 4πu, radius .4(.15 + .85u), moved by (.1, .1). */
record Spiral() implements Curve {
    /** Panels of at most 6.3 standard deviations of the noise: the curve's speed is at most 5.04, the noise .02. */
    static final int PANELS = 40;

    private static final double SHIFT = 0.1;

    @Override
    public void at(double u, double[] point) {
        double angle = Math.PI / 2 + 4 * Math.PI * u;
        double radius = 0.4 * (0.15 + 0.85 * u);
        point[0] = SHIFT + radius * Math.cos(angle);
        point[1] = SHIFT + radius * Math.sin(angle);
    }

    @Override
    public List<String> cites() {
        return List.of("anonymous-time");
    }

    @Override
    public double density(double u) {
        return 2 * u;
    }

    @Override
    public double quantile(double share) {
        return Math.sqrt(share);
    }
}
