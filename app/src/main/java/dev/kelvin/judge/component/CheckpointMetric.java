package dev.kelvin.judge.component;

import dev.kelvin.metric.figure.Figure;
import java.util.function.DoubleSupplier;

/**
 * A figure of the model as it stands, lower is better, by which checkpoints are compared.
 *
 * @param cheap whether it takes so little time that its curve may have points between checkpoints too
 */
public record CheckpointMetric(Figure figure, boolean cheap, DoubleSupplier value) {
    /** A figure that takes some time. */
    public CheckpointMetric(Figure figure, DoubleSupplier value) {
        this(figure, false, value);
    }
}
