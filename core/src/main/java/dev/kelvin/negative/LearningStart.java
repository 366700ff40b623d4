package dev.kelvin.negative;

import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Stateful;
import dev.kelvin.tensor.Tensor;
import java.util.Map;
import java.util.Optional;

/**
 * Beginnings of chains that are images of latent vectors and are learnt from where their chains end. As a {@link SampleSource} it
 * gives what chains after training start at; {@link #begun} gives what those of training do.
 */
public interface LearningStart extends SampleSource, Stateful {
    /** The latent vectors [count, ...] of what is drawn by the same key. */
    Tensor latents(Key key, int count);

    /** Where training's chains of these latent vectors begin, as the parameters are now. */
    Tensor begun(Tensor latents);

    /** One step at an iteration, counted from 0, from these latent vectors towards where their chains ended; what is reported of it. */
    Map<String, Double> learn(long iteration, Tensor latents, Tensor ends);

    @Override
    default Tensor drawBeside(Key key, Batch positives, long... k) {
        return begun(latents(key, k.length));
    }

    /** The start as one that learns, if it is. */
    static Optional<LearningStart> of(SampleSource start) {
        return start instanceof LearningStart learning ? Optional.of(learning) : Optional.empty();
    }
}
