package dev.kelvin.metric.image;

import dev.kelvin.metric.Calibration;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;

/**
 * The network in whose features samples are compared. A figure is that of its network: print the name beside it, since
 * figures of different networks do not compare.
 */
public interface Features extends AutoCloseable {
    /** Which network, to the bit: for people and for a run's provenance. */
    String name();

    /** What {@link Moments} and {@link KernelDistance} take: [n, ...] → [n, d]. */
    default Tensor features(Tensor images) {
        try (Scope scope = Scope.open()) {
            return scope.keep(outputs(images).features());
        }
    }

    /** Whether it has classes too. */
    boolean classifies();

    /** Whether its classes are those of the data that are judged. */
    default boolean classifiesAsTheData() {
        return false;
    }

    /** Whether it is the network of published FIDs, KIDs and Inception scores. */
    default boolean ofPublishedFigures() {
        return false;
    }

    /** How often it is right on held-out images, and how well it is calibrated; nothing where that is not known. */
    default Optional<Calibration.Report> judged() {
        return Optional.empty();
    }

    /** The features and the logits of the classes, for the price of one where the network can. */
    Outputs outputs(Tensor images);

    /**
     * What a network says of images.
     *
     * @param features what {@link #features} gives
     * @param logits what {@link InceptionScore} takes, [n, classes], where the network {@link #classifies}
     */
    record Outputs(Tensor features, Optional<Tensor> logits) {}

    @Override
    void close();
}
