package dev.kelvin.experiment;

import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.TiltedGaussianHead;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.train.BatchSource;
import java.util.List;
import java.util.function.UnaryOperator;

/** One component, of latent vectors: the prior from which a generator makes images. */
record LatentComponents(LatentSettings settings) implements Components {
    @Override
    public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
        return new EnergyModel(
                network.shaped(List.of((long) settings.size()), 1), new TiltedGaussianHead(settings.std()));
    }

    @Override
    public BatchSource batches(Data data) {
        return data.batches(false);
    }

    @Override
    public ComponentKind kind(List<Long> shape) {
        return new ComponentKind.Latent(
                settings.network(shape),
                settings.noise(),
                settings.size(),
                settings.std(),
                settings.posterior().kernel(),
                settings.posterior().steps());
    }

    @Override
    public SampleSource draws(Data data) {
        return data.draws();
    }
}
