package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.Affine;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.CholeskyFactor;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a table some of whose columns are known: samples of log p(free | known) of a model, by MALA in coordinates in which
 * a Gaussian with the training rows' moments, given the known columns, is N(0, I).
 *
 * <pre>
 * F free, K known:  x_F = μ + uLᵀ,  μ = m_F + Σ_FK Σ_KK⁻¹ (x_K − m_K),  LLᵀ = Σ_FF − Σ_FK Σ_KK⁻¹ Σ_KF,  x_K as it is
 * </pre>
 *
 * <p>Chains start at exact draws of that Gaussian and are annealed from it to the model along a path, so that modes are reached in
 * about the right proportion; then they walk on the model itself. Coordinates must be columns: of a model in others, such as
 * whitened ones, take {@link Affine}.
 */
public final class GivenColumns {
    private static final double ACCEPTANCE = 0.6;
    private static final double FIRST_STEP = 0.5;

    private final int columns;
    private final double[] offset; // μ at the free columns, what is known at the others
    private final double[][] factor; // L
    private final int[] free;

    /**
     * Of rows with the moments of the training rows.
     *
     * @param known whether each column is known
     * @param values what it is there; at the other columns they do not matter
     */
    public GivenColumns(double[] mean, double[][] covariance, boolean[] known, double... values) {
        columns = mean.length;
        List<Integer> unknown = new ArrayList<>();
        List<Integer> given = new ArrayList<>();
        for (int j = 0; j < columns; j++) {
            (known[j] ? given : unknown).add(j);
            if (known[j]) {
                Check.finite("values." + j, values[j]);
            }
        }
        Check.require(!unknown.isEmpty(), "known", "must leave a column free: there is nothing to sample otherwise");
        free = unknown.stream().mapToInt(Integer::intValue).toArray();
        offset = mean.clone();
        double[][] rest = new double[free.length][free.length];
        CholeskyFactor among = CholeskyFactor.of(block(covariance, given, given)); // of Σ_KK
        double[] off = new double[given.size()];
        for (int k = 0; k < off.length; k++) {
            int j = given.get(k);
            offset[j] = values[j];
            off[k] = values[j] - mean[j];
        }
        double[] halfOff = among.halfSolve(off);
        double[][] across = block(covariance, unknown, given); // Σ_FK
        double[][] half = new double[free.length][];
        for (int i = 0; i < free.length; i++) {
            half[i] = among.halfSolve(across[i]);
            offset[free[i]] = mean[free[i]] + dot(half[i], halfOff);
        }
        for (int i = 0; i < free.length; i++) {
            for (int k = 0; k < free.length; k++) {
                rest[i][k] = covariance[free[i]][free[k]] - dot(half[i], half[k]);
            }
        }
        factor = CholeskyFactor.of(rest).lower();
    }

    private static double[][] block(double[][] matrix, List<Integer> rows, List<Integer> columns) {
        return rows.stream()
                .map(i -> columns.stream().mapToDouble(j -> matrix[i][j]).toArray())
                .toArray(double[][]::new);
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /** The model's density of u, given what is known; u = 0 is what the Gaussian expects. */
    public Affine density(LogDensity f, Tensor like) {
        double[] matrix = new double[free.length * columns];
        for (int i = 0; i < free.length; i++) {
            for (int k = 0; k <= i; k++) {
                matrix[k * columns + free[i]] = factor[i][k]; // column i of x has L's row i
            }
        }
        return new Affine(f, Tensors.like(like, offset, 1, columns), Tensors.like(like, matrix, free.length, columns));
    }

    /**
     * Samples [count, columns] of the model, the known columns as they are known.
     *
     * @param densities on the path from the Gaussian to the model
     * @param steps on the model after that
     * @param like tells the samples' type and place
     */
    public Tensor sample(Key key, LogDensity f, int count, int densities, int steps, Tensor like) {
        Check.atLeast("densities", densities, 2);
        Check.atLeast("steps", steps, 1);
        Key[] keys = key.split(3);
        try (Scope scope = Scope.open()) {
            Affine density = density(f, like);
            Tensor start = Tensors.normal(keys[0], like.dtype(), like.device(), count, free.length);
            LogDensity normal = u -> u.square().sum(1L).times(-0.5);
            AnnealingPath path = AnnealingPath.geometric(normal, density, densities, 2);
            AnnealedWalk led =
                    AnnealedWalk.adapting(keys[1], path, Mala.of(FIRST_STEP), ACCEPTANCE, start, 1, (i, x) -> {});
            double step = led.stepSizes()[densities - 1];
            Tensor end = Walk.inHalves(keys[2], Mala.of(step), density, led.x(), steps)
                    .x();
            return scope.keep(density.samples(end));
        }
    }
}
