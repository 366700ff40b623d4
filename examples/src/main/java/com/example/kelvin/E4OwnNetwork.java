package com.example.kelvin;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.model.Model;
import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.training.ModelTraining;
import java.io.IOException;
import java.util.Arrays;

/** Trains a network of one's own: its parameters and its output in a dozen lines; gradients are automatic. */
public final class E4OwnNetwork {
    private E4OwnNetwork() {}

    /** Σⱼ wⱼ exp(−2‖x − cⱼ‖²): bumps whose places and heights are learnt. */
    public record Bumps(int centres) implements Network {
        @Override
        public Layout layout() {
            return new Layout.Builder()
                    .add("centres", new Initialisation.Normal(1), (long) centres, 2L)
                    .add("heights", Initialisation.zeros(), (long) centres, 1L)
                    .build();
        }

        @Override
        public Tensor apply(Parameters parameters, Tensor x) { // [n, 2] -> [n, 1]
            Tensor c = parameters.get("centres");
            Tensor norms = x.square().sum(1L).unsqueeze(1);
            Tensor squares = norms.plus(c.square().sum(1L)).plus(x.matmul(c.transpose()), -2); // ‖x − c‖², [n, centres]
            return squares.times(-2).exp().matmul(parameters.get("heights"));
        }
    }

    /** Trains it; to save and load such a run, register the network as {@code OwnParts} does. */
    public static Model train(int iterations) throws IOException {
        return ModelTraining.of(ToyData.named("moons"))
                .withNetwork(new Bumps(64))
                .withIterations(iterations)
                .run(0);
    }

    /** Scores three points. */
    public static void main(String[] arguments) throws IOException {
        try (Model model = train(200)) {
            double[] f = model.score(new double[][] {{0, 1}, {0.5, 0.25}, {2, 2}});
            System.out.println("f on a moon, between them, far away: " + Arrays.toString(f));
        }
    }
}
