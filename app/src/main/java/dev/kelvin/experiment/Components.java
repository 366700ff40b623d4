package dev.kelvin.experiment;

import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.energy.TiltedGaussianHead;
import dev.kelvin.energy.Timeline;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.recipe.ClassForm;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.TimeSettings;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Everything that depends on what a model's components are (none, classes, times): one class a kind. */
public interface Components {
    /** The components that a recipe asks for, of data with these classes. */
    static Components of(Recipe recipe, List<String> classes) {
        return recipe.time()
                .<Components>map(OfTimes::new)
                .or(() -> recipe.classes()
                        .map(form -> new OfClasses(form, recipe.objective().compares(), classes)))
                .or(() -> recipe.latent().map(OfLatentVectors::new))
                .orElseGet(Plain::new);
    }

    /** How many there are. */
    default int count() {
        return 1;
    }

    /** The model: a network for samples of this shape, made ready as the recipe asks, and the table of its outputs. */
    EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready);

    /** Each step's positives (x, k). */
    default BatchSource batches(Data data) {
        return data.batches(false);
    }

    /** Independent positives, of components that are asked for. */
    default SampleSource draws(Data data) {
        return data.draws();
    }

    /** What the components are to whoever has the model, of samples of this shape. */
    ComponentKind kind(List<Long> shape);

    /** The classes that samples of the sampler are drawn for; empty if they are of no class. */
    default Optional<long[]> classesOf(int count) {
        return Optional.empty();
    }

    /** One component: a plain energy. */
    record Plain() implements Components {
        @Override
        public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
            return EnergyModel.plain(ready.apply(network.shaped(shape, 1)));
        }

        @Override
        public ComponentKind kind(List<Long> shape) {
            return new ComponentKind.None();
        }
    }

    /**
     * A component for each class. Where only each class alone is learnt, chains of one class never see another's f, so the classes'
     * constants are tied by nothing but the network's common layers: p(x|y) is learnt, p(y|x) and p(x) only as far as those go.
     */
    record OfClasses(ClassForm form, ContrastedDensity compared, List<String> names) implements Components {
        public OfClasses {
            if (names.size() < 2) {
                throw new UserException("the data have " + (names.isEmpty() ? "no labels" : "one class alone")
                        + ", and the recipe asks for classes; leave 'classes' out");
            }
        }

        @Override
        public int count() {
            return names.size();
        }

        @Override
        public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
            return new EnergyModel(ready.apply(form.network(network, shape, count())), new LogitHead(count()));
        }

        @Override
        public BatchSource batches(Data data) {
            return data.batches(true);
        }

        @Override
        public ComponentKind kind(List<Long> shape) {
            return new ComponentKind.Classes(names);
        }

        @Override
        public SampleSource draws(Data data) {
            return data.drawsByClass();
        }

        @Override
        public Optional<long[]> classesOf(int samples) {
            return compared == ContrastedDensity.GIVEN
                    ? Optional.of(ReplayBuffer.inTurn(samples, count()))
                    : Optional.empty();
        }
    }

    /** A component for each time, from noise at the first to the data at the last. */
    record OfTimes(TimeSettings settings, Timeline timeline) implements Components {
        public OfTimes(TimeSettings settings) {
            this(settings, settings.timeline());
        }

        @Override
        public int count() {
            return timeline.times();
        }

        @Override
        public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
            return new EnergyModel(ready.apply(network.shaped(shape, timeline.outputs())), timeline);
        }

        @Override
        public BatchSource batches(Data data) {
            return data.batches(false).over(timeline);
        }

        @Override
        public ComponentKind kind(List<Long> shape) {
            return new ComponentKind.Times(settings.annealing());
        }

        /** Without a time, the data as they are at the last; with times, mixed with their noise. */
        @Override
        public SampleSource draws(Data data) {
            SampleSource clean = data.draws();
            return SampleSource.of(clean, (key, t) -> {
                try (Scope scope = Scope.open()) {
                    Key[] keys = key.split(2);
                    return scope.keep(timeline.mix(keys[1], clean.draw(keys[0], t.length), t));
                }
            });
        }
    }

    /** One component, of latent vectors: the prior from which a generator makes images. */
    record OfLatentVectors(LatentSettings settings) implements Components {
        @Override
        public EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready) {
            return new EnergyModel(
                    network.shaped(List.of((long) settings.size()), 1), new TiltedGaussianHead(settings.std()));
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
    }
}
