package dev.kelvin.sample.warmup;

import dev.kelvin.math.CholeskyFactor;
import dev.kelvin.sample.JitteredHmc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The metric of a window of a warm-up, pooled over all chains: the widths of the coordinates and, where there are few enough
 * of them, their correlations.
 *
 * <p>A width's variance is (nv + 5·10⁻³·w²)/(n + 5) of n draws, v being their variance and w the width before, as in Stan, but
 * in the coordinate's own unit. Correlations are believed as far as chains agree on them. Each chain's mean of z_i z_j (z are
 * standardised draws) is one measurement of r_ij; from their variance between chains follows
 *
 * <pre>n_eff = Σ(1 + r²)/Σ Var r,   λ = min(1, Σ Var r/Σ r²)  (i ≠ j),</pre>
 *
 * how many independent draws would know r as well, and the best weight of the identity in (1 − λ)R + λ. With n_eff ≥ 10d, the
 * sample's own R is better: it is as good in every direction, however narrow, and λ is 10⁻³·5/(n_eff + 5).
 *
 * <p>Sources: Stan's reference manual, 15.2; for λ, Schäfer and Strimmer 2005, equation 7, with chains in place of draws.
 */
public final class MetricEstimate {
    /** Coordinates up to which correlations are learned: the matrix has the square of it. */
    static final int MOST_CORRELATED = 100;

    private static final double PRIOR_DRAWS = 5;
    private static final double PRIOR_SHARE = 1e-3;
    private static final double ENOUGH_A_COORDINATE = 10;

    /** Measurements of a correlation that a variance is taken of, at least: few chains are cut into parts. */
    private static final int LEAST_PARTS = 8;

    private final int chains;
    private final int d;
    private final boolean correlated;
    private final List<double[]> draws = new ArrayList<>();
    private final double[] mean;
    private final double[] squares;
    private long count;

    /** Of this many chains in d dimensions; with covariances, or variances alone. */
    public MetricEstimate(int chains, int d, boolean correlated) {
        this.chains = chains;
        this.d = d;
        this.correlated = correlated && d <= MOST_CORRELATED && d > 1;
        mean = new double[d];
        squares = new double[d];
    }

    /** Adds a step's positions, chain after chain. */
    public void add(double... x) {
        for (int chain = 0; chain < chains; chain++) {
            count++;
            for (int i = 0; i < d; i++) {
                double before = x[chain * d + i] - mean[i];
                mean[i] += before / count;
                squares[i] += before * (x[chain * d + i] - mean[i]);
            }
        }
        if (correlated) {
            draws.add(x);
        }
    }

    /** The numbers of {@link JitteredHmc#scales}: d widths, or a lower triangular matrix by rows. */
    public List<Double> scales(double... widths) {
        double[] scale = new double[d];
        for (int i = 0; i < d; i++) {
            double variance = squares[i] / Math.max(1, count - 1);
            scale[i] = Math.sqrt(
                    (count * variance + PRIOR_DRAWS * PRIOR_SHARE * widths[i] * widths[i]) / (count + PRIOR_DRAWS));
            if (!(scale[i] > 0) || !Double.isFinite(scale[i])) {
                scale[i] = widths[i];
            }
        }
        return correlated ? lower(scale) : Arrays.stream(scale).boxed().toList();
    }

    /** The Cholesky factor of the correlations, its rows times the widths; the widths alone where there is none. */
    private List<Double> lower(double[] scale) {
        double[][] parts = parts(scale);
        int pairs = d * d;
        double[] r = new double[pairs];
        double[] variance = new double[pairs];
        for (int pair = 0; pair < pairs; pair++) {
            for (double[] part : parts) {
                r[pair] += part[pair] / parts.length;
            }
            for (double[] part : parts) {
                variance[pair] += (part[pair] - r[pair]) * (part[pair] - r[pair]);
            }
            variance[pair] /= parts.length * (parts.length - 1.0);
        }
        double lambda = shrinkage(r, variance);
        double[][] matrix = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                double unit = Math.sqrt(r[i * d + i] * r[j * d + j]);
                matrix[i][j] = i == j ? 1 : (1 - lambda) * r[i * d + j] / unit;
            }
        }
        double[][] lower;
        try {
            lower = CholeskyFactor.of(matrix).lower();
        } catch (ArithmeticException e) {
            return Arrays.stream(scale).boxed().toList();
        }
        List<Double> numbers = new ArrayList<>();
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                numbers.add(lower[i][j] * scale[i]);
            }
        }
        return numbers;
    }

    private double shrinkage(double[] r, double[] variance) {
        double uncertain = 0;
        double sure = 0;
        double noise = 0;
        double signal = 0;
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                int pair = i * d + j;
                uncertain += variance[pair];
                sure += 1 + r[pair] * r[pair];
                if (i != j) {
                    noise += variance[pair];
                    signal += r[pair] * r[pair];
                }
            }
        }
        double effective = Math.min(sure / uncertain, (double) draws.size() * chains);
        if (effective >= ENOUGH_A_COORDINATE * d) {
            return PRIOR_SHARE * PRIOR_DRAWS / (effective + PRIOR_DRAWS);
        }
        return signal > 0 ? Math.min(1, noise / signal) : 1;
    }

    /** Means of z_i z_j over parts of the window: a chain's each, or less of it where chains are few. */
    private double[][] parts(double[] scale) {
        int cuts = Math.min(draws.size(), (LEAST_PARTS + chains - 1) / chains);
        double[][] parts = new double[chains * cuts][d * d];
        double[] z = new double[d];
        int[] counts = new int[chains * cuts];
        for (int step = 0; step < draws.size(); step++) {
            double[] x = draws.get(step);
            for (int chain = 0; chain < chains; chain++) {
                int number = chain * cuts + (int) ((long) step * cuts / draws.size());
                double[] part = parts[number];
                counts[number]++;
                for (int i = 0; i < d; i++) {
                    z[i] = (x[chain * d + i] - mean[i]) / scale[i];
                    for (int j = 0; j <= i; j++) {
                        part[i * d + j] += z[i] * z[j];
                    }
                }
            }
        }
        for (int i = 0; i < parts.length; i++) {
            for (int pair = 0; pair < parts[i].length; pair++) {
                parts[i][pair] /= counts[i];
            }
        }
        return parts;
    }
}
