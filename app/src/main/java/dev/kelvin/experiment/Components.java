package dev.kelvin.experiment;

import dev.kelvin.model.ComponentKind;
import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.Box;
import dev.kelvin.metric.Calibration;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.report.Section;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.util.List;
import java.util.Map;
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
    int count();

    /** The model: a network for samples of this shape, made ready as the recipe asks, and the table of its outputs. */
    EnergyModel model(Network network, List<Long> shape, UnaryOperator<Network> ready);

    /** Each step's positives (x, k). */
    BatchSource batches(Data data);

    /** Independent positives, of components that are asked for. */
    SampleSource draws(Data data);

    /** What the components are to whoever has the model. */
    ComponentKind kind(Data data);

    /** The classes that samples of the sampler are drawn for; none where they are of no class. */
    default Optional<long[]> classesOf(int count) {
        return Optional.empty();
    }

    /** What the components add to a judgement. */
    record Seen(
            Map<String, Double> figures, List<Section> sections, Optional<Box> box, Optional<Calibration.Report> own) {
        static final Seen NOTHING = new Seen(Map.of(), List.of(), Optional.empty(), Optional.empty());
    }

    /** What they add to the judgement of a model as it stands. */
    Seen judge(Experiment experiment);

    /** A checkpoint's score by the components, where they have one. */
    default Optional<Data.CheckpointMetric> score(Experiment experiment) {
        return Optional.empty();
    }

    /** What is likely to go wrong, in sentences. */
    default List<String> warnings(Data data) {
        return List.of();
    }

    /** What the network's outputs are, in words that follow the network's. */
    String modelWords();

    /** What the judged samples are, in a sentence. */
    String samplesWords(Recipe recipe);

    /** How a film of samples is told: what so many chains do. */
    String filmWords();
}
