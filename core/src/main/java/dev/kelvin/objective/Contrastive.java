package dev.kelvin.objective;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import java.util.Arrays;
import java.util.Map;

/**
 * Contrastive divergence: pushes f up at the data and down at the model's samples. With chains from a replay buffer it is
 * persistent contrastive divergence; with exact samples it is maximum likelihood.
 *
 * <p>loss = mean f₋ − mean f₊ + l2·(mean f₊² + mean f₋²)
 *
 * <p>Sources: Hinton 2002; Zhang 2021 (E = −f), with the L2 penalty; "Robust to Inaccurate SGLD Samples" at β = 0.
 */
@Doc("contrastive divergence: mean f(negatives) − mean f(positives)")
public record Contrastive(
        @Doc("the weight of the L2 penalty on f, which keeps f near 0") @Default("0")
        double l2) implements Objective {
    public Contrastive {
        Check.notNegative("l2", l2);
    }

    /** Without a penalty. */
    public Contrastive() {
        this(0);
    }

    @Override
    public Loss of(double[] positives, double[] negatives) {
        double[] up = new double[positives.length];
        double[] down = new double[negatives.length];
        Arrays.fill(up, -1.0 / positives.length);
        Arrays.fill(down, 1.0 / negatives.length);
        return L2.add(l2, new Loss(mean(negatives) - mean(positives), up, down, Map.of()), positives, negatives);
    }

    @Override
    public String words() {
        return "contrastive divergence" + L2.words(l2);
    }

    static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length; // DoubleStream.sum compensates its rounding
    }
}
