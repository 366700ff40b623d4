package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.random.RandomGenerator;

/**
 * The posterior of an ARMA(1,1) series, arma-arma11 of posteriordb: rows (mu, phi, theta, log sigma). Where |theta| is above 1
 * errors grow like theta to the power of the series' length, so that at half of the random starts no usual step is accepted.
 *
 * <pre>
 * e_1 = y_1 − mu − phi·mu;  e_t = y_t − mu − phi·y_(t−1) − theta·e_(t−1);  e ~ N(0, sigma)
 * mu ~ N(0, 10), phi ~ N(0, 2), theta ~ N(0, 2), sigma ~ half-Cauchy(0, 2.5), with the Jacobian of log sigma
 * </pre>
 */
public final class ArmaPosterior implements LogDensity {
    public static final double MU = 0.3;
    public static final double PHI = 0.5;
    public static final double THETA = 0.3;
    public static final double SIGMA = 0.7;
    private static final double SCALE = 2.5;

    private final double[] y;

    private ArmaPosterior(double[] y) {
        this.y = y;
    }

    /** Of a series with the values above. */
    public static ArmaPosterior simulated(Key key, int length) {
        RandomGenerator random = key.stream();
        double[] y = new double[length];
        double error = SIGMA * random.nextGaussian();
        y[0] = MU + PHI * MU + error;
        for (int t = 1; t < length; t++) {
            double next = SIGMA * random.nextGaussian();
            y[t] = MU + PHI * y[t - 1] + THETA * error + next;
            error = next;
        }
        return new ArmaPosterior(y);
    }

    @Override
    public Tensor at(Tensor x) {
        return valueAndGradient(x).value();
    }

    @Override
    public ValueAndGradient valueAndGradient(Tensor x) {
        double[] points = x.toDoubles();
        int rows = points.length / 4;
        double[] f = new double[rows];
        double[] slopes = new double[points.length];
        for (int row = 0; row < rows; row++) {
            f[row] = one(points, slopes, 4 * row);
        }
        return new ValueAndGradient(Tensors.of(f, rows), Tensors.of(slopes, rows, 4));
    }

    private double one(double[] x, double[] slopes, int at) {
        double mu = x[at];
        double phi = x[at + 1];
        double theta = x[at + 2];
        double logSigma = x[at + 3];
        double sigma = Math.exp(logSigma);
        double e = y[0] - mu - phi * mu;
        double byMu = -1 - phi;
        double byPhi = -mu;
        double byTheta = 0;
        double squares = e * e;
        double sumMu = e * byMu;
        double sumPhi = e * byPhi;
        double sumTheta = 0;
        for (int t = 1; t < y.length; t++) {
            byTheta = -e - theta * byTheta;
            byPhi = -y[t - 1] - theta * byPhi;
            byMu = -1 - theta * byMu;
            e = y[t] - mu - phi * y[t - 1] - theta * e;
            squares += e * e;
            sumMu += e * byMu;
            sumPhi += e * byPhi;
            sumTheta += e * byTheta;
        }
        double precision = 1 / (sigma * sigma);
        double ratio = sigma / SCALE;
        slopes[at] = -precision * sumMu - mu / 100;
        slopes[at + 1] = -precision * sumPhi - phi / 4;
        slopes[at + 2] = -precision * sumTheta - theta / 4;
        slopes[at + 3] = precision * squares - y.length - 2 * ratio * ratio / (1 + ratio * ratio) + 1;
        return -precision * squares / 2
                - y.length * logSigma
                - mu * mu / 200
                - phi * phi / 8
                - theta * theta / 8
                - Math.log1p(ratio * ratio)
                + logSigma;
    }
}
