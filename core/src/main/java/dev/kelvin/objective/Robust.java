package dev.kelvin.objective;

import dev.kelvin.SettingException;
import java.util.Map;

/**
 * The objective of paper 004, robust to bad samples: a negative counts by its weight under the model, so that one in the
 * wrong place is not pushed down further. Choose it when short chains give good samples of a bad density.
 *
 * <p>loss = mean_i LSE(βf₊ᵢ, LSE_j βf₋ⱼ)/β − mean f₊; negatives come from exp((1 − β)f). Its gradient is built from the
 * weights, never from a difference of big numbers: w₋ = softmax(βf₋), w₊ᵢ = e^{βf₊ᵢ}/(e^{βf₊ᵢ} + Σ_j e^{βf₋ⱼ}),
 * ∂/∂f₊ᵢ = (w₊ᵢ − 1)/N, ∂/∂f₋ⱼ = w₋ⱼ · mean(1 − w₊). β → 0 gives {@link Contrastive} up to a factor and a constant.
 *
 * <p>Source: paper 004, equation 8.
 */
public record Robust(double beta) implements Objective {
    public Robust {
        if (!(beta <= 1) || beta == 0 || Double.isInfinite(beta)) {
            throw new SettingException("beta", "must be at most 1 and not 0 (that is contrastive), found " + beta);
        }
    }

    @Override
    public Loss of(double[] positives, double[] negatives) {
        int n = positives.length;
        double logNegatives = logSumExp(negatives);
        double[] up = new double[n];
        double loss = 0;
        double gradScale = 0;
        for (int i = 0; i < n; i++) {
            double d = logNegatives - beta * positives[i]; // log of (sum of negatives / this positive)
            double complement = 1 / (1 + Math.exp(-d)); // 1 - w+
            loss += softplus(d) / beta; // LSE(a, b)/beta - f+ = softplus(b - a)/beta for a = beta f+
            up[i] = -complement / n;
            gradScale += complement / n;
        }
        double[] down = new double[negatives.length];
        double squares = 0;
        for (int j = 0; j < down.length; j++) {
            double weight = Math.exp(beta * negatives[j] - logNegatives);
            down[j] = weight * gradScale;
            squares += weight * weight;
        }
        return new Loss(loss / n, up, down, Map.of("gradScale", gradScale, "effectiveNegatives", 1 / squares));
    }

    @Override
    public double samplingScale() {
        return 1 - beta;
    }

    private double logSumExp(double[] f) {
        double top = Double.NEGATIVE_INFINITY;
        for (double value : f) {
            top = Double.isNaN(value) ? Double.NaN : Math.max(top, beta * value);
        }
        double sum = 0;
        for (double value : f) {
            sum += Math.exp(beta * value - top);
        }
        return top + Math.log(sum);
    }

    private static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }
}
