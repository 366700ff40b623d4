package dev.kelvin.negative;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;

/** Where negatives come from. */
public interface NegativeSource extends AutoCloseable {
    /** The density that chains of these columns walk on, one for each chain; the same for all where it is the marginal. */
    @FunctionalInterface
    interface Target {
        LogDensity of(long... k);

        /** Where chains of these columns stand after so many steps of a kernel from x. */
        default Walk walk(Key key, Kernel<?> kernel, Tensor x, long[] k, int steps) {
            return Walk.inHalves(key, kernel, of(k), x, steps);
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
