package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Stateful;

/** What learns: one per system. The trainer knows nothing else of it. */
public interface Learner extends Stateful {
    /** One step, numbered from 0, on these positives. */
    StepReport step(Key key, long step, Batch positives);

    /** The model that is learnt. */
    EnergyModel model();

    /** The parameters to sample and to judge with: their average, where one is kept. */
    Parameters averaged();
}
