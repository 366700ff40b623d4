package dev.kelvin.experiment;

import dev.kelvin.dataset.Data;
import dev.kelvin.distributed.Shards;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.GeneratorStart;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.SeveralSources;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.part.Check;
import dev.kelvin.recipe.Negatives;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.CooperativeGenerator;
import dev.kelvin.train.Descent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A recipe's chains, for each of the shards that a rank has: where they start, what moves them and what is remembered. */
record RecipeChains(Recipe recipe, Data data, Components components, Shards shards, Device device) {
    /** Where the recipe's own chains start, those of every shard. */
    SampleSource starts() {
        return begin(Experiment.start(recipe, recipe.negatives().start()), 0);
    }

    /** Beginnings of the chains of a source, counted from 0, with what they learn. */
    private SampleSource begin(Start start, int source) {
        if (!(start instanceof GeneratorStart learnt)) {
            return Experiment.starts(recipe, data, start, device);
        }
        Key key = KeyDomain.START_GENERATOR.key(recipe.train().seed()).child(source);
        Network network = recipe.train().precision().computed(learnt.network(data.shape()));
        try (Parameters onCpu = network.layout().init(key, DType.FLOAT)) {
            Descent descent =
                    descent(recipe, onCpu.to(device), learnt.optimiser().orElse(recipe.optimiser()));
            return new CooperativeGenerator(network, learnt.latent(), descent);
        }
    }

    /** The recipe's own chains, for each of this rank's shards; step sizes that are adapted they have in common. */
    List<ModelChains> first(SampleSource starts, EnergyModel energy, Key key) {
        Negatives negatives = recipe.negatives();
        int count = recipe.sources().get(0).count();
        Optional<ComponentSteps> adapted = negatives.adapt().map(settings -> {
            double[] first = energy.head().firstSteps();
            return shards.several() ? ComponentSteps.shared(settings, first) : new ComponentSteps(settings, first);
        });
        return shards.own()
                .mapToObj(shard -> new ModelChains(
                        starts,
                        negatives.kernelOf(count),
                        negatives.steps(),
                        negatives.buffer().map(settings -> buffer(settings, starts, keyOf(shard, key))),
                        adapted))
                .toList();
    }

    /** Where the negatives of each of this rank's shards come from: the recipe's own chains, perhaps beside further ones. */
    List<NegativeSource> sources(List<ModelChains> first, Key key) {
        List<Negatives.Source> sources = recipe.sources();
        return IntStream.range(0, first.size())
                .<NegativeSource>mapToObj(i -> sources.size() == 1
                        ? first.get(i)
                        : several(first.get(i), sources, keyOf(shards.first() + i, key)))
                .toList();
    }

    private Key keyOf(int shard, Key key) {
        return shards.several() ? key.child(shard) : key;
    }

    /** A shard's own chains beside further ones, each with a start and a memory of its own. */
    private NegativeSource several(ModelChains first, List<Negatives.Source> sources, Key key) {
        List<SeveralSources.Part> parts = new ArrayList<>();
        parts.add(new SeveralSources.Part(first, sources.get(0).count() / shards.count()));
        for (int i = 1; i < sources.size(); i++) {
            Negatives.Source each = sources.get(i);
            SampleSource begin = begin(Experiment.start(recipe, each.start()), i);
            Key own = key.child(i);
            Optional<ReplayBuffer> memory = each.buffer().map(settings -> buffer(settings, begin, own));
            parts.add(new SeveralSources.Part(
                    new ModelChains(begin, each.kernel(), each.steps(), memory, Optional.empty()),
                    each.count() / shards.count()));
        }
        return new SeveralSources(parts);
    }

    /** Slots have a component where chains have one that they keep. */
    private ReplayBuffer buffer(Buffer settings, SampleSource begin, Key key) {
        settings.change(data.range()).ifPresent(change -> {
            try (Scope scope = Scope.open()) {
                Tensor one = begin.draw(key, 1); // it may refuse their size: better now than after the start
                Check.part("negatives.buffer.augment", () -> change.apply(key, one));
            }
        });
        int kept = recipe.objective().compares() == ContrastedDensity.GIVEN ? components.count() : 1;
        return new ReplayBuffer(key, begin, settings.part(shards.count()), data.range(), components.count(), kept);
    }

    /** What moves parameters as long as the recipe trains. */
    static Descent descent(Recipe recipe, Parameters parameters, Optimiser by) {
        return new Descent(
                parameters, by, recipe.train().iterations(), recipe.train().ema());
    }
}
