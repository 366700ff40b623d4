package dev.kelvin.energy.analytic;

import dev.kelvin.energy.Constants;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.math.GaussLegendre;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Two wells at x₁ = ±a with a barrier of height c·a⁴ between them, and a standard Gaussian in the other coordinates:
 * f = −c (x₁² − a²)² − ½ Σ_{i≥2} xᵢ². A chain that stays in one well gets the mean of x₁ wrong by a.
 *
 * <p>The normaliser and E x₁² are integrals over x₁ by Gauss–Legendre's rule. Draws of x₁ are exact: a staircase above
 * exp f is drawn from (its steps from a table, a step's inside uniformly) and a draw is accepted with probability exp f
 * over the staircase.
 */
public final class DoubleWell implements ClosedForm {
    /** Where f has fallen this far, less than 1e-24 of the mass lies beyond. */
    private static final double FALL = 60;

    /** A multiple of 4: a quarter for each part in which f is monotone, so that a step is highest at an edge. */
    private static final int STEPS = 1024;

    private final int dimension;
    private final double wells;
    private final double steepness;
    private final double normaliser;
    private final double variance;
    private final double[] edges;
    private final double[] heights; // the greater of exp f at a step's two edges
    private final double[] cumulative; // of the staircase's area, up to and with each step

    /** Wells at ±{@code wells} = a; {@code steepness} = c. */
    public DoubleWell(int dimension, double wells, double steepness) {
        this.dimension = (int) Check.atLeast("dimension", dimension, 1);
        this.wells = Check.positive("wells", wells);
        this.steepness = Check.positive("steepness", steepness);
        double reach = Math.sqrt(wells * wells + Math.sqrt(FALL / steepness));
        // panels of at most four standard deviations of a well, 1 / (a sqrt(8c)) by f'' there
        int panels = (int) Math.ceil(2 * reach * wells * Math.sqrt(8 * steepness) / 4);
        GaussLegendre rule = new GaussLegendre(-reach, reach, Math.max(64, panels), 16);
        normaliser = rule.integrate(this::marginal);
        variance = rule.integrate(x -> x * x * marginal(x)) / normaliser;
        edges = edges(reach);
        heights = new double[edges.length - 1];
        cumulative = new double[edges.length - 1];
        double sum = 0;
        for (int i = 0; i < heights.length; i++) {
            heights[i] = Math.max(marginal(edges[i]), marginal(edges[i + 1]));
            sum += heights[i] * (edges[i + 1] - edges[i]);
            cumulative[i] = sum;
        }
    }

    /** Equal steps in each of the four parts in which f is monotone. */
    private double[] edges(double reach) {
        double[] turns = {-reach, -wells, 0, wells, reach};
        double[] edges = new double[STEPS + 1];
        int each = STEPS / 4;
        for (int i = 0; i < STEPS; i++) {
            int part = i / each;
            edges[i] = turns[part] + (turns[part + 1] - turns[part]) * (i % each) / each;
        }
        edges[STEPS] = reach;
        return edges;
    }

    /** exp(−c (x² − a²)²). */
    private double marginal(double x) {
        double u = x * x - wells * wells;
        return Math.exp(-steepness * u * u);
    }

    @Override
    public ValueAndGradient formula(Tensor points) {
        Tensor first = points.narrow(1, 0, 1);
        Tensor rest = points.narrow(1, 1, dimension - 1);
        Tensor depth = first.square().minus(wells * wells); // [n, 1]
        Tensor value = depth.square().sum(1L).times(-steepness);
        return new ValueAndGradient(
                value.minus(rest.square().sum(1L).times(0.5)),
                Tensors.concat(1, first.times(depth).times(-4 * steepness), rest.negate()));
    }

    @Override
    public int dimension() {
        return dimension;
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        double x;
        int step;
        do {
            double area = random.nextDouble() * cumulative[STEPS - 1];
            int found = Arrays.binarySearch(cumulative, area);
            step = Math.min(STEPS - 1, found < 0 ? -found - 1 : found + 1);
            x = edges[step] + (edges[step + 1] - edges[step]) * random.nextDouble();
        } while (random.nextDouble() * heights[step] >= marginal(x));
        point[0] = x;
        for (int i = 1; i < dimension; i++) {
            point[i] = random.nextGaussian();
        }
    }

    @Override
    public double[][] covariance() {
        return Gaussian.diagonal(dimension, i -> i == 0 ? variance : 1);
    }

    @Override
    public double logNormaliser() {
        return Math.log(normaliser) + (dimension - 1) * Constants.LOG_2PI / 2;
    }
}
