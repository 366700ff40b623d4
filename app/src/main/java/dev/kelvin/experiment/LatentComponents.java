package dev.kelvin.experiment;

import dev.kelvin.model.ComponentKind;
import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.TiltedGaussianHead;
import dev.kelvin.judge.LatentView;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.train.BatchSource;
import java.util.List;
import java.util.function.UnaryOperator;

/** One component, of latent vectors: the prior from which a generator makes images. */
record LatentComponents(LatentSettings settings) implements Components {
    @Override
    public int count() {
        return 1;
    }

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
    public SampleSource draws(Data data) {
        return data.draws();
    }

    @Override
    public ComponentKind kind(Data data) {
        return new ComponentKind.Latent(
                settings.network(data.shape()),
                settings.noise(),
                settings.size(),
                settings.std(),
                settings.posterior().kernel(),
                settings.posterior().steps());
    }

    @Override
    public Seen judge(Experiment experiment) {
        return LatentView.of(experiment, settings).seen();
    }

    @Override
    public String modelWords() {
        return " whose one output f(z) tilts the Gaussian prior of latent vectors z. " + settings.words();
    }

    @Override
    public String samplesWords(Recipe recipe) {
        return "The samples are the generator's images of latent vectors from chains on the prior, "
                + (recipe.negatives().sampleSteps().isPresent()
                        ? "of " + recipe.negatives().freshSteps() + " steps."
                        : "as long as in training.")
                + " f is log p(x, z) at the ends of chains on the posterior of z, an unnormalised stand-in for log p(x).";
    }

    @Override
    public String filmWords() {
        return " chains run from the Gaussian on the trained prior; shown are the generator's images of them.";
    }
}
