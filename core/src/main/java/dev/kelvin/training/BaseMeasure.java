package dev.kelvin.training;

import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.GaussianBase;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/** A density that the network's outputs are added to. */
public enum BaseMeasure {
    /** A Gaussian with the data's mean and covariance. */
    GAUSSIAN;

    /** Draws of the data that it is fitted to. */
    private static final int FITTED = 20_000;

    /** Draws of images, which are many numbers each, that it is fitted to. */
    private static final int FITTED_IMAGES = 1000;

    /** The least variance of points in any direction, as a share of their mean: columns that follow from others have none. */
    private static final double POINTS_FLOOR = 1e-4;

    /** The least variance of a pixel, as a share of their mean: where a border never changes, chains with one step size for all pixels
     * could not move. */
    private static final double PIXELS_FLOOR = 0.1;

    /** The network on this base, for samples of this shape. */
    public Network under(Network network, List<Long> shape) {
        return new GaussianBase(
                network, Math.toIntExact(shape.stream().reduce(1L, Math::multiplyExact)), shape.size() == 1);
    }

    /** Fits a base to the data. */
    public void fit(GaussianBase based, Parameters parameters, SampleSource data) {
        try (Scope scope = Scope.open()) {
            Tensor draws = data.draw(Key.of(0), based.full() ? FITTED : FITTED_IMAGES);
            based.fit(parameters, draws, based.full() ? POINTS_FLOOR : PIXELS_FLOOR);
        }
    }

    /** In a sentence that follows the model's. */
    public String words() {
        return " To every output log N(x; m, Σ) is added, a Gaussian with the data's mean and covariance, so that the density has"
                + " a tail wherever there are no data.";
    }
}
