package dev.kelvin.experiment;

import dev.kelvin.model.ComponentKind;
import dev.kelvin.dataset.Data;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.metric.Calibration;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Network;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.recipe.ClassForm;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A component for each class. Where only each class alone is learnt, chains of one class never see another's f, so the classes'
 * constants are tied by nothing but the network's common layers: p(x|y) is learnt, p(y|x) and p(x) only as far as those go.
 */
record ClassComponents(ClassForm form, ContrastedDensity compared, List<String> names) implements Components {
    ClassComponents {
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
    public SampleSource draws(Data data) {
        return data.drawsByClass();
    }

    @Override
    public ComponentKind kind(Data data) {
        return new ComponentKind.Classes(names);
    }

    @Override
    public Optional<long[]> classesOf(int samples) {
        return compared == ContrastedDensity.GIVEN ? Optional.of(ReplayBuffer.inTurn(samples, count())) : Optional.empty();
    }

    /** How often the model's own p(y|x) is right on held-out samples, and how well it is calibrated. */
    @Override
    public Seen judge(Experiment experiment) {
        return new Seen(Map.of(), List.of(), Optional.empty(), Optional.of(calibration(experiment)));
    }

    /** The held-out error, of a model that learns p(y|x). */
    @Override
    public Optional<Data.CheckpointMetric> score(Experiment experiment) {
        return experiment.recipe().objective().labels() > 0
                ? Optional.of(new Data.CheckpointMetric(
                        Calibration.ERROR, () -> 1 - calibration(experiment).accuracy()))
                : Optional.empty();
    }

    private Calibration.Report calibration(Experiment experiment) {
        Calibration calibration = new Calibration(count());
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            JointDensity table = experiment.table();
            for (Data.Labelled some : experiment.data().heldOutByClass()) {
                try (Scope batch = Scope.open()) {
                    calibration.addLogits(table.at(some.x()).to(Device.CPU), some.labels());
                }
            }
        }
        return calibration.report();
    }

    @Override
    public String modelWords() {
        return " with an output f(x, y) for each of " + count()
                + " classes, the unnormalised log-density of images and their" + " class.";
    }

    @Override
    public String samplesWords(Recipe recipe) {
        return PlainComponents.chainWords(recipe);
    }

    @Override
    public String filmWords() {
        return PlainComponents.FILM_WORDS;
    }
}
