package dev.kelvin.objective;

import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/**
 * Binary cross-entropy between data and samples, the logistic loss: f is the log-odds that a sample is one of the data. The
 * gradient of a sample vanishes where f separates it from the other kind, and is never above 1/n, so that f₊ − f₋ stays bounded.
 * Choose it where contrastive divergence diverges.
 *
 * <p>loss = −mean log σ(f₊) − mean log σ(−f₋) + l2·(mean f₊² + mean f₋²), with the gradients −σ(−f₊)/n and σ(f₋)/n. Where f = 0
 * they are half those of {@link Contrastive}. The level of f, which that leaves free, is fixed here at log-odds around 0, which
 * densities that are tied to a reference do not have.
 *
 * <p>Unlike for contrastive divergence, the data's density is no fixed point: with exact samples the gradient is
 * E[(2σ(f) − 1)∇f] there.
 *
 * <p>Source: Yin et al. 2025, the binary cross-entropy in place of JEM's difference, on f itself, whatever the temperature of
 * the chains.
 */
@Doc(
        "binary cross-entropy of data against samples: −mean log σ(f(positives)) − mean log σ(−f(negatives)), whose gradients are bounded")
@Cites("yin2025")
public record BinaryCrossEntropy(
        @Doc("the weight of the L2 penalty on f") @Default("0") @Cites("du2019")
        double l2) implements Objective {
    public BinaryCrossEntropy {
        Check.notNegative("l2", l2);
    }

    @Override
    public Loss of(double[] positives, double[] negatives) {
        double value = mean(positives, f -> softplus(-f)) + mean(negatives, BinaryCrossEntropy::softplus);
        double[] up = positives.clone();
        double[] down = negatives.clone();
        for (int i = 0; i < up.length; i++) {
            up[i] = -sigmoid(-positives[i]) / up.length;
        }
        for (int j = 0; j < down.length; j++) {
            down[j] = sigmoid(negatives[j]) / down.length;
        }
        return new Loss(value, up, down, Map.of()).withL2(l2, positives, negatives);
    }

    @Override
    public boolean aboutLevel() {
        return true;
    }

    @Override
    public String words() {
        return "binary cross-entropy, −log σ(f) of the data and −log σ(−f) of the samples" + Loss.l2Words(l2);
    }

    private static double mean(double[] f, DoubleUnaryOperator of) {
        return Contrastive.mean(Arrays.stream(f).map(of).toArray());
    }

    /** log(1 + e^x). */
    private static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }

    private static double sigmoid(double x) {
        return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
    }
}
