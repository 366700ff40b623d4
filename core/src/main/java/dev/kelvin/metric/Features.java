package dev.kelvin.metric;

import dev.kelvin.tensor.Tensor;

/**
 * The network in whose features samples are compared. A figure is that of its network: print the name beside it, since
 * figures of different networks do not compare.
 */
public interface Features extends AutoCloseable {
    /** Which network, to the bit: for people and for a run's provenance. */
    String name();

    /** What {@link Moments} and {@link KernelDistance} take: [n, ...] → [n, d]. */
    Tensor features(Tensor images);

    /** Whether it has {@link #logits}. */
    boolean classifies();

    /** What {@link InceptionScore} takes, by addLogits: [n, ...] → [n, classes]. */
    Tensor logits(Tensor images);

    @Override
    void close();
}
