package dev.kelvin.math;

import dev.kelvin.part.Check;
import java.util.function.DoubleUnaryOperator;

/**
 * Integration over an interval cut into equal panels, Gauss–Legendre's rule in each: ∫ g ≈ Σ wᵢ g(uᵢ), exact for
 * polynomials of degree 2·order − 1 in a panel, and without the trapezoid's error at the ends.
 */
public final class GaussLegendre {
    private final double[] nodes;
    private final double[] weights;

    /** On [low, high], in equal panels with {@code order} nodes each. */
    public GaussLegendre(double low, double high, int panels, int order) {
        Check.atLeast("panels", panels, 1);
        Check.atLeast("order", order, 1);
        nodes = new double[panels * order];
        weights = new double[panels * order];
        double half = (high - low) / panels / 2;
        for (int i = 0; i < order; i++) {
            // Newton from Tricomi's approximation of the root: converges in a few steps
            double t = Math.cos(Math.PI * (i + 0.75) / (order + 0.5));
            double slope = 0;
            for (double move = 1; Math.abs(move) > 1e-15; ) {
                double[] legendre = legendre(order, t);
                slope = legendre[1];
                move = legendre[0] / slope;
                t -= move;
            }
            for (int panel = 0; panel < panels; panel++) {
                int at = panel * order + order - 1 - i; // rising nodes
                nodes[at] = low + (2 * panel + 1 + t) * half;
                weights[at] = half * 2 / ((1 - t * t) * slope * slope);
            }
        }
    }

    /** P_n(t) and P_n'(t) by the three-term recurrence. */
    private static double[] legendre(int n, double t) {
        double before = 0;
        double value = 1;
        for (int k = 1; k <= n; k++) {
            double next = ((2 * k - 1) * t * value - (k - 1) * before) / k;
            before = value;
            value = next;
        }
        return new double[] {value, n * (t * value - before) / (t * t - 1)};
    }

    /** How many nodes there are. */
    public int size() {
        return nodes.length;
    }

    /** The i-th place at which to evaluate, rising with i. */
    public double node(int i) {
        return nodes[i];
    }

    /** The weight of a node. */
    public double weight(int i) {
        return weights[i];
    }

    /** The integral of a function over the interval. */
    public double integrate(DoubleUnaryOperator integrand) {
        double sum = 0;
        for (int i = 0; i < nodes.length; i++) {
            sum += weights[i] * integrand.applyAsDouble(nodes[i]);
        }
        return sum;
    }
}
