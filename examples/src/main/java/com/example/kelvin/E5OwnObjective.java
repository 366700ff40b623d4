package com.example.kelvin;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.model.Model;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.Objective;
import dev.kelvin.training.ModelTraining;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/** Trains with an objective of one's own: from f at samples of the data and of the model to a loss and its gradient. */
public final class E5OwnObjective {
    private E5OwnObjective() {}

    /** A logistic loss on the gap g = mean f₋ − mean f₊: loss = 2 log(1 + eᵍ), ∂loss/∂g = 2/(1 + e⁻ᵍ). */
    public static Loss logistic(double[] positives, double[] negatives) {
        double gap = Arrays.stream(negatives).average().orElseThrow()
                - Arrays.stream(positives).average().orElseThrow();
        double push = 2 / (1 + Math.exp(-gap));
        double[] up = new double[positives.length];
        double[] down = new double[negatives.length];
        Arrays.fill(up, -push / up.length); // the gradient with respect to each f
        Arrays.fill(down, push / down.length);
        return new Loss(2 * Math.log1p(Math.exp(gap)), up, down, Map.of("push", push));
    }

    /** Trains by it. */
    public static Model train(int iterations) throws IOException {
        Objective objective = E5OwnObjective::logistic;
        return ModelTraining.of(ToyData.named("moons"))
                .withObjective(objective)
                .withIterations(iterations)
                .run(0);
    }

    /** Scores three points. */
    public static void main(String[] arguments) throws IOException {
        try (Model model = train(400)) {
            double[] f = model.score(new double[][] {{0, 1}, {0.5, 0.25}, {2, 2}});
            System.out.println("f on a moon, between them, far away: " + Arrays.toString(f));
        }
    }
}
