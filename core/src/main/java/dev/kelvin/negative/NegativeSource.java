package dev.kelvin.negative;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;

/** Where negatives come from. */
public interface NegativeSource extends AutoCloseable {
    /** The density that chains of these columns walk on, one for each chain; the same for all where it is the marginal. */
    @FunctionalInterface
    interface Target {
        LogDensity of(long... k);

        /**
         * Where chains of these columns stand after so many steps of a kernel from x, each row stretched by as much, so that
         * it has a step size of its own.
         */
        default Walk walk(Key key, Kernel<?> kernel, Tensor x, long[] k, Optional<Tensor> stretch, int steps) {
            if (stretch.isEmpty()) {
                return Walk.inHalves(key, kernel, of(k), x, steps);
            }
            Tensor scale = stretch.get();
            Walk walk = Walk.inHalves(key, kernel, of(k).rescaled(scale), x.over(scale), steps);
            return new Walk(walk.x().times(scale), walk.accepted(), walk.more());
        }
    }

    /** So many samples of the target at an iteration, counted from 0, beside these positives, whose columns they have in turn. */
    DrawnNegatives draw(Key key, long iteration, Target target, Batch positives, int count);

    /** Puts what it remembers between draws into the state. */
    void save(State state);

    void load(State state);

    @Override
    void close();
}
