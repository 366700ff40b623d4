package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.State;

/** What learns: one per system. The trainer knows nothing else of it. */
public interface Learner extends AutoCloseable {
    /** One step, numbered from 0, on these positives. */
    StepReport step(Key key, long step, Batch positives);

    /** The model that is learnt. */
    EnergyModel model();

    /** The parameters to sample and to judge with: their average, where one is kept. */
    Parameters averaged();

    /** Puts everything into the state that a resumed run needs. */
    void save(State state);

    /** Takes out of a saved state what {@link #save} put in. */
    void load(State state);

    @Override
    void close();
}
