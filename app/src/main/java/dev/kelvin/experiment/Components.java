package dev.kelvin.experiment;

import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.train.BatchSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Everything that depends on what a model's components are (none, classes, times): one class a kind. */
public interface Components {
    /** The components that a recipe asks for, of data with these classes. */
    static Components of(Recipe recipe, List<String> classes) {
        return recipe.time()
                .<Components>map(TimeComponents::new)
                .or(() -> recipe.classes()
                        .map(form ->
                                new ClassComponents(form, recipe.objective().compares(), classes)))
                .or(() -> recipe.latent().map(LatentComponents::new))
                .orElseGet(PlainComponents::new);
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
}
