package dev.kelvin.data.toy;

import dev.kelvin.energy.Constants;
import dev.kelvin.energy.ExactSampler;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.math.GaussLegendre;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Points of a curve with Gaussian noise, x = c(u) + σξ. The density is an integral along the curve,
 *
 * <pre>p(x) = ∫ p(u) N(x; c(u), σ²I) du ≈ Σᵢ wᵢ p(uᵢ) N(x; c(uᵢ), σ²I),</pre>
 *
 * by Gauss–Legendre's rule with 16 nodes in each of the given panels; ∇log p = (Σᵢ qᵢ c(uᵢ) − x)/σ² with q the terms'
 * shares. For both toys log p is right to 1e-9 within 20 nats of its peak and to 1e-2 everywhere on the domain, where it
 * may be 900 nats below (a test compares with four times the panels).
 */
final class NoisyCurve implements LogDensity, ExactSampler {
    private static final int ORDER = 16;

    /** Points at a time: a block of [4096, nodes] numbers stays in tens of megabytes. */
    private static final int BLOCK = 4096;

    private final double noise;
    private final int panels;
    private final Curve curve;
    private final double[] xs;
    private final double[] ys;
    private final double[] logScales; // log w_i p(u_i) / (2 pi sigma^2)

    NoisyCurve(double noise, int panels, Curve curve) {
        this.noise = noise;
        this.panels = panels;
        this.curve = curve;
        GaussLegendre rule = new GaussLegendre(0, 1, panels, ORDER);
        xs = new double[rule.size()];
        ys = new double[rule.size()];
        logScales = new double[rule.size()];
        for (int i = 0; i < xs.length; i++) {
            double u = rule.node(i);
            double[] point = curve.at().apply(u);
            xs[i] = point[0];
            ys[i] = point[1];
            logScales[i] = Math.log(rule.weight(i) * curve.density().applyAsDouble(u) / (2 * Math.PI * noise * noise));
        }
    }

    @Override
    public int dimension() {
        return 2;
    }

    /** The density of scale·x + shift + more·ξ. */
    NoisyCurve mixed(double scale, double[] shift, double more) {
        return new NoisyCurve(Math.hypot(scale * noise, more), panels, curve.moved(scale, shift));
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        double[] on = curve.at().apply(curve.quantile().applyAsDouble(random.nextDouble()));
        point[0] = on[0] + noise * random.nextGaussian();
        point[1] = on[1] + noise * random.nextGaussian();
    }

    @Override
    public Tensor at(Tensor x) {
        try (Scope scope = Scope.open()) {
            Nodes nodes = new Nodes(x);
            List<Tensor> values = new ArrayList<>();
            for (long start = 0; start < x.size(0); start += BLOCK) {
                try (Scope inner = Scope.open()) {
                    values.add(inner.keep(nodes.terms(block(x, start)).logSumExp(1)));
                }
            }
            return scope.keep(values.size() == 1 ? values.get(0) : Tensors.concat(0, values));
        }
    }

    @Override
    public ValueAndGradient valueAndGradient(Tensor x) {
        try (Scope scope = Scope.open()) {
            Nodes nodes = new Nodes(x);
            List<Tensor> values = new ArrayList<>();
            List<Tensor> gradients = new ArrayList<>();
            for (long start = 0; start < x.size(0); start += BLOCK) {
                try (Scope inner = Scope.open()) {
                    Tensor block = block(x.detach(), start);
                    Tensor terms = nodes.terms(block);
                    Tensor centre = terms.softmax(1).matmul(nodes.points); // [block, 2]
                    values.add(inner.keep(terms.logSumExp(1)));
                    gradients.add(inner.keep(centre.minus(block).over(noise * noise)));
                }
            }
            return new ValueAndGradient(
                    scope.keep(Tensors.concat(0, values)), scope.keep(Tensors.concat(0, gradients)));
        }
    }

    private static Tensor block(Tensor x, long start) {
        return x.narrow(0, start, Math.min(BLOCK, x.size(0) - start));
    }

    /** The quadrature's numbers in the samples' type and place. */
    private final class Nodes {
        final Tensor x; // [1, nodes]
        final Tensor y;
        final Tensor logScale;
        final Tensor points; // [nodes, 2]

        Nodes(Tensor like) {
            Constants.samples(like, 2);
            x = row(xs, like);
            y = row(ys, like);
            logScale = row(logScales, like);
            points = Tensors.concat(0, x, y).transpose();
        }

        private Tensor row(double[] values, Tensor like) {
            return Tensors.like(like, values, 1, values.length);
        }

        /** log wᵢ p(uᵢ) N(x; c(uᵢ), σ²I), [block, nodes]. */
        Tensor terms(Tensor block) {
            Tensor dx = block.narrow(1, 0, 1).minus(x);
            Tensor dy = block.narrow(1, 1, 1).minus(y);
            return dx.square().plus(dy.square()).times(-0.5 / (noise * noise)).plus(logScale);
        }
    }
}
