package com.example.kelvin;

import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import java.util.Arrays;
import java.util.Map;

/**
 * A logistic loss on the gap of contrastive divergence: pushes as contrastive divergence does where the negatives lie above
 * the positives, and less where they already lie below.
 *
 * <p>g = mean f₋ − mean f₊, loss = 2s·log(1 + e^{g/s}), ∂loss/∂g = 2σ(g/s). At g = 0 that is contrastive divergence's 1, and
 * with s → ∞ everywhere.
 */
@Doc("a logistic loss on mean f(negatives) − mean f(positives)")
public record Logistic(
        @Doc("s, the gap at which the push has changed by about a half") @Default("1")
        double scale) implements Objective {
    public Logistic {
        Check.positive("scale", scale);
    }

    @Override
    public Loss of(double[] positives, double[] negatives) {
        double gap = mean(negatives) - mean(positives);
        double push = 2 / (1 + Math.exp(-gap / scale));
        double value = 2 * scale * (Math.max(0, gap / scale) + Math.log1p(Math.exp(-Math.abs(gap / scale))));
        double[] up = new double[positives.length];
        double[] down = new double[negatives.length];
        Arrays.fill(up, -push / positives.length);
        Arrays.fill(down, push / negatives.length);
        return new Loss(value, up, down, Map.of("push", push));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    @Override
    public String words() {
        return "a logistic loss on the gap, of scale " + scale;
    }
}
