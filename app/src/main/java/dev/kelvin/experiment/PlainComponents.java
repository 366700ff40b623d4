package dev.kelvin.experiment;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.nn.Network;
import java.util.List;
import java.util.function.UnaryOperator;

/** One component: a plain energy. */
record PlainComponents() implements Components {
    @Override
    public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
        return EnergyModel.plain(ready.apply(network.shaped(shape, 1)));
    }
}
