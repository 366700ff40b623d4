package com.example.kelvin;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.FigureOfMerit;
import dev.kelvin.metric.figure.Judged;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * How far a sample of the model is from the nearest held-out sample of the data, on average: samples in places where there is
 * no data raise it. Samples of the data itself have a distance too, which is what it is compared with.
 */
public final class NearestNeighbour implements FigureOfMerit {
    static final Figure DATA = Figure.of("nearest_neighbour_data", "Distance of the data to the nearest data")
            .meaning(
                    "The mean distance between a training sample and the nearest held-out one: what perfect samples would have.");

    static final Figure SAMPLES = Figure.of("nearest_neighbour", "Distance of samples to the nearest data")
            .meaning(
                    "The mean distance between a sample of the model and the nearest held-out one, judged by its ratio to that"
                            + " of the data.")
            .lower(1.5, 3)
            .shareOf(DATA);

    @Override
    public List<Figure> figures() {
        return List.of(SAMPLES, DATA);
    }

    @Override
    public Map<String, Double> of(Key key, Judged judged) {
        return Map.of(
                SAMPLES.name(), distance(judged.samples(), judged.heldOut()),
                DATA.name(), distance(judged.training(), judged.heldOut()));
    }

    private static double distance(Tensor from, Tensor to) {
        int rows = Math.toIntExact(from.size(0));
        int columns = Math.toIntExact(to.size(0));
        double[] distances =
                from.flattenSamples().distances(to.flattenSamples()).toDoubles(); // row by row
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            double nearest = Double.POSITIVE_INFINITY;
            for (int column = 0; column < columns; column++) {
                nearest = Math.min(nearest, distances[row * columns + column]); // NaN stays NaN
            }
            sum += nearest;
        }
        return sum / rows;
    }
}
