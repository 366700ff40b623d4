package dev.kelvin.experiment;

import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.train.BatchSource;
import java.util.List;
import java.util.function.UnaryOperator;

/** One component: a plain energy. */
record PlainComponents() implements Components {
    @Override
    public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
        return EnergyModel.plain(ready.apply(network.shaped(shape, 1)));
    }

    @Override
    public BatchSource batches(Data data) {
        return data.batches(false);
    }

    @Override
    public ComponentKind kind(List<Long> shape) {
        return new ComponentKind.None();
    }

    @Override
    public SampleSource draws(Data data) {
        return data.draws();
    }
}
