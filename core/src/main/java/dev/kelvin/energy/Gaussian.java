package dev.kelvin.energy;

import dev.kelvin.math.CholeskyFactor;
import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * A Gaussian with any covariance: f(x) = −½ (x − μ)ᵀ Σ⁻¹ (x − μ), log ∫ exp f = ½ log det 2πΣ.
 *
 * <p>One product gives both: ∇f = −Σ⁻¹(x − μ), f = ½ (x − μ)·∇f. The rounding of f grows with Σ's condition number κ, to
 * about κ·6e-8 in float; beyond κ = 1e5 ask in double. Draws are μ + Lξ, ξ ~ N(0, I), Σ = L Lᵀ (Cholesky).
 */
public final class Gaussian implements Target {
    private final double[] mean;
    private final double[][] covariance;
    private final double[][] factor; // L, lower triangular
    private final Constants centre;
    private final Constants minusPrecision; // −Σ⁻¹
    private final Constants shift; // Σ⁻¹μ: ∇f = −Σ⁻¹x + Σ⁻¹μ in one operation

    /** N(mean, covariance); the covariance must be positive definite. */
    public Gaussian(double[] mean, double[][] covariance) {
        this.mean = mean.clone();
        for (double value : mean) {
            Check.finite("mean", value);
        }
        this.covariance = checked(covariance, mean.length);
        CholeskyFactor cholesky = cholesky(this.covariance);
        factor = cholesky.lower();
        centre = new Constants(this.mean, mean.length);
        double[] product = Arrays.stream(cholesky.inverse())
                .flatMapToDouble(Arrays::stream)
                .map(value -> 0 - value)
                .toArray();
        minusPrecision = new Constants(product, mean.length, mean.length);
        double[] towards = new double[mean.length];
        for (int i = 0; i < product.length; i++) {
            towards[i / mean.length] -= product[i] * mean[i % mean.length];
        }
        shift = new Constants(towards, mean.length);
    }

    /** N(mean, covariance) of tensors [d] and [d, d], with variances that were changed, such as by a ridge. */
    public static Gaussian of(Tensor mean, Tensor covariance, DoubleUnaryOperator variance) {
        int d = (int) mean.count();
        double[] flat = covariance.toDoubles();
        double[][] rows = new double[d][];
        for (int i = 0; i < d; i++) {
            rows[i] = Arrays.copyOfRange(flat, i * d, (i + 1) * d);
            rows[i][i] = variance.applyAsDouble(rows[i][i]);
        }
        return new Gaussian(mean.toDoubles(), rows);
    }

    /** N(mean, std² I). */
    public static Gaussian isotropic(double[] mean, double std) {
        Check.positive("std", std);
        return new Gaussian(mean, diagonal(mean.length, i -> std * std));
    }

    /** A covariance of independent coordinates. */
    public static double[][] diagonal(int dimension, IntToDoubleFunction variance) {
        double[][] covariance = new double[dimension][dimension];
        for (int i = 0; i < dimension; i++) {
            covariance[i][i] = variance.applyAsDouble(i);
        }
        return covariance;
    }

    @Override
    public Tensor at(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor centred = centred(x);
            return scope.keep(value(centred, centred.matmul(minusPrecision.like(x))));
        }
    }

    @Override
    public ValueAndGradient valueAndGradient(Tensor x) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Tensor centred = centred(x);
            Tensor gradient = centred.matmul(minusPrecision.like(x));
            return new ValueAndGradient(scope.keep(value(centred, gradient)), scope.keep(gradient));
        }
    }

    @Override
    public Tensor gradient(Tensor x) {
        try (NoGrad noGrad = NoGrad.open()) {
            return Constants.samples(x, mean.length).affine(minusPrecision.like(x), shift.like(x));
        }
    }

    private Tensor centred(Tensor x) {
        return Constants.samples(x, mean.length).minus(centre.like(x));
    }

    private static Tensor value(Tensor centred, Tensor gradient) {
        return centred.times(gradient).sum(1L).times(0.5);
    }

    @Override
    public int dimension() {
        return mean.length;
    }

    @Override
    public void next(RandomGenerator random, double[] point) {
        int n = mean.length;
        for (int i = 0; i < n; i++) {
            point[i] = random.nextGaussian();
        }
        for (int i = n - 1; i >= 0; i--) { // from the end, so that the xi still needed are there
            double sum = mean[i];
            for (int j = 0; j <= i; j++) {
                sum += factor[i][j] * point[j];
            }
            point[i] = sum;
        }
    }

    @Override
    public double[] mean() {
        return mean.clone();
    }

    @Override
    public double[][] covariance() {
        return copy(covariance);
    }

    @Override
    public double logNormaliser() {
        double sum = mean.length * Constants.LOG_2PI / 2;
        for (int i = 0; i < mean.length; i++) {
            sum += Math.log(factor[i][i]);
        }
        return sum;
    }

    private static double[][] checked(double[][] covariance, int n) {
        Check.atLeast("dimension", n, 1);
        if (covariance.length != n) {
            throw new SettingException("covariance", "must have " + n + " rows, found " + covariance.length);
        }
        for (int i = 0; i < n; i++) {
            if (covariance[i].length != n) {
                throw new SettingException(
                        "covariance", "must have " + n + " columns, found " + covariance[i].length + " in row " + i);
            }
            for (int j = 0; j < i; j++) {
                // 1e-9: asymmetry from rounding passes, a wrong entry does not
                double scale = Math.sqrt(Math.abs(covariance[i][i] * covariance[j][j]));
                if (!(Math.abs(covariance[i][j] - covariance[j][i]) <= 1e-9 * scale)) {
                    throw new SettingException(
                            "covariance",
                            "must be symmetric, found " + covariance[i][j] + " at (" + i + ", " + j + ") and "
                                    + covariance[j][i] + " at (" + j + ", " + i + ")");
                }
            }
        }
        return copy(covariance);
    }

    private static CholeskyFactor cholesky(double[][] covariance) {
        try {
            return CholeskyFactor.of(covariance);
        } catch (ArithmeticException e) {
            throw new SettingException("covariance", "must be positive definite");
        }
    }

    private static double[][] copy(double[][] matrix) {
        return Arrays.stream(matrix).map(double[]::clone).toArray(double[][]::new);
    }
}
