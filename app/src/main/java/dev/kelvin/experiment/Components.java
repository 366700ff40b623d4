package dev.kelvin.experiment;

import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Everything that depends on what a model's components are (none, classes, times): one class a kind. */
public interface Components {
    /** The components that a recipe asks for. */
    static Components of(Recipe recipe, Data data) {
        return recipe.time()
                .<Components>map(TimeComponents::new)
                .or(() -> recipe.classes()
                        .map(form ->
                                new ClassComponents(form, recipe.objective().compares(), data.classes())))
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

    /** The components of samples of the sampler, each in turn. */
    default long[] inTurn(int count) {
        return new long[count];
    }

    /** The density of samples that are asked for by component; the data's, if they can't be. */
    default LogDensity given(JointDensity table, long... k) {
        return table.data();
    }

    /** Whether samples can be asked for by component. */
    default boolean asked() {
        return false;
    }

    /** The classes that samples of the sampler are drawn for; empty if they are of no class. */
    default Optional<long[]> classesOf(int count) {
        return Optional.empty();
    }

    /** The number of the class with this name or this number. */
    default int classNamed(String recipe, String word) {
        throw new UserException("the model of " + recipe + " knows no classes; train one with 'classes: head'");
    }
}
