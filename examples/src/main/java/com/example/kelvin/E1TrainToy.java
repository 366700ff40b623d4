package com.example.kelvin;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.model.Model;
import dev.kelvin.training.ModelTraining;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** Trains a model of two half moons, saves it in {@code runs/moons}, asks it where points are likely, and draws samples. */
public final class E1TrainToy {
    private E1TrainToy() {}

    /** Everything but the data has a default; {@code in} saves the run, and goes on with one that was stopped. */
    public static Model train(Path run) throws IOException {
        return ModelTraining.of(ToyData.named("moons"))
                .withIterations(400)
                .in(run)
                .run(0);
    }

    /** Scores three points, and prints five samples. */
    public static void main(String[] arguments) throws IOException {
        try (Model model = train(Path.of("runs", "moons"))) {
            double[] f = model.score(new double[][] {{0, 1}, {0.5, 0.25}, {2, 2}}); // unnormalised: higher is likelier
            System.out.println("f on a moon, between them, far away: " + Arrays.toString(f));
            System.out.println("samples: " + Arrays.deepToString(model.sample(1, 5)));
        }
    }
}
