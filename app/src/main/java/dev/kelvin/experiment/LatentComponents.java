package dev.kelvin.experiment;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.TiltedGaussianHead;
import dev.kelvin.nn.Network;
import dev.kelvin.recipe.LatentSettings;
import java.util.List;
import java.util.function.UnaryOperator;

/** One component, of latent vectors: the prior from which a generator makes images. */
record LatentComponents(LatentSettings settings) implements Components {
    @Override
    public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
        return new EnergyModel(
                network.shaped(List.of((long) settings.size()), 1), new TiltedGaussianHead(settings.std()));
    }
}
