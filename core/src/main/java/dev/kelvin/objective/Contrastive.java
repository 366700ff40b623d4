package dev.kelvin.objective;

import java.util.Arrays;
import java.util.Map;

/**
 * Contrastive divergence: pushes f up at the data and down at the model's samples. With chains from a replay buffer it is
 * persistent contrastive divergence; with exact samples it is maximum likelihood.
 *
 * <p>loss = mean f₋ − mean f₊
 *
 * <p>Sources: Hinton 2002; paper 001 (E = −f); paper 004 at β = 0.
 */
public record Contrastive() implements Objective {
    @Override
    public Loss of(double[] positives, double[] negatives) {
        double[] up = new double[positives.length];
        double[] down = new double[negatives.length];
        Arrays.fill(up, -1.0 / positives.length);
        Arrays.fill(down, 1.0 / negatives.length);
        return new Loss(mean(negatives) - mean(positives), up, down, Map.of());
    }

    static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length; // DoubleStream.sum compensates its rounding
    }
}
