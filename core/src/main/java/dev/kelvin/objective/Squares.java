package dev.kelvin.objective;

import dev.kelvin.Check;
import java.util.HashMap;
import java.util.Map;

/** Another objective plus α · (mean f₊² + mean f₋²), α = weight. Source: paper 001, toy and IGEBM losses. */
record Squares(Objective inner, double weight) implements Objective {
    Squares {
        Check.notNegative("l2", weight);
    }

    @Override
    public Loss of(double[] positives, double[] negatives) {
        Loss loss = inner.of(positives, negatives);
        double squares = weight * (meanSquare(positives) + meanSquare(negatives));
        Map<String, Double> parts = new HashMap<>(loss.parts());
        parts.put("l2", squares);
        return new Loss(
                loss.value() + squares,
                withSquares(loss.positiveGradient(), positives),
                withSquares(loss.negativeGradient(), negatives),
                parts);
    }

    @Override
    public double samplingScale() {
        return inner.samplingScale();
    }

    @Override
    public Objective at(long step, long steps) {
        return new Squares(inner.at(step, steps), weight);
    }

    private double[] withSquares(double[] gradient, double[] f) {
        double[] sum = gradient.clone();
        for (int i = 0; i < f.length; i++) {
            sum[i] += 2 * weight * f[i] / f.length;
        }
        return sum;
    }

    private static double meanSquare(double[] f) {
        double sum = 0;
        for (double value : f) {
            sum += value * value;
        }
        return sum / f.length;
    }
}
