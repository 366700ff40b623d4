package dev.kelvin.experiment;

import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.train.BatchSource;
import java.util.List;
import java.util.function.UnaryOperator;

/** One component: a plain energy. */
record PlainComponents() implements Components {
    @Override
    public int count() {
        return 1;
    }

    @Override
    public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
        return EnergyModel.plain(ready.apply(network.shaped(shape, 1)));
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
    public Sampler sampler(Experiment experiment) {
        return new ChainSampler(experiment);
    }

    @Override
    public long[] inTurn(int count) {
        return new long[count];
    }

    @Override
    public Seen judge(Experiment experiment) {
        return Seen.NOTHING;
    }

    @Override
    public String modelWords() {
        return " whose one output f(x) is the unnormalised log-density: the higher, the likelier.";
    }

    @Override
    public String samplesWords(Recipe recipe) {
        return ChainSampler.words(recipe);
    }

    @Override
    public String filmWords() {
        return ChainSampler.FILM_WORDS;
    }
}
