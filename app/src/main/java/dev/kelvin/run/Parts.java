package dev.kelvin.run;

import dev.kelvin.data.ToyData;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ScalarEnergy;
import dev.kelvin.negative.FreshChains;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.PersistentChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Parameters;
import dev.kelvin.recipe.BufferSpec;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.TrainSpec;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.EnergyLearner;
import dev.kelvin.train.Guard;
import dev.kelvin.train.Trainer;
import java.util.List;
import java.util.Optional;

/** The parts that a recipe names, made. */
public final class Parts implements AutoCloseable {
    private final Recipe recipe;
    private final ToyData data;
    private final Start positives;
    private final Start starts;
    private final Kernel<?> kernel;
    private final Optional<ReplayBuffer> buffer;
    private final EnergyLearner learner;

    /** Makes them on this device. First parameters and buffer follow from the recipe's seed. */
    public Parts(Recipe recipe, Device device) {
        this.recipe = recipe;
        if (System.getProperty("kelvin.threads") == null) {
            Backend.threads(recipe.model().threads());
        }
        TrainSpec train = recipe.train();
        Key[] keys = Key.of(train.seed()).child(-1).split(2); // the children from 0 on are the trainer's
        data = recipe.data().data();
        positives = (key, count) -> {
            try (Scope scope = Scope.open()) {
                return scope.keep(data.draw(key, count).to(device));
            }
        };
        List<Long> shape = List.of((long) data.dimension());
        starts = recipe.negatives().start().start(shape, positives, device);
        kernel = recipe.negatives().kernel().kernel();
        EnergyModel model = new ScalarEnergy(recipe.model().network(data.dimension(), 1));
        Parameters parameters = initial(model, keys[0], device);
        buffer = recipe.negatives().buffer().map(spec -> buffer(spec, keys[1]));
        learner = new EnergyLearner(
                model,
                parameters,
                source(),
                recipe.objective().objective(),
                recipe.optimiser().optimiser(parameters.flat()),
                new EnergyLearner.Settings(
                        recipe.optimiser().learningRate(),
                        recipe.optimiser().schedule().schedule(),
                        train.iterations(),
                        recipe.optimiser().clipNorm(),
                        train.ema(),
                        recipe.negatives().count().orElse(train.batch())));
    }

    private static Parameters initial(EnergyModel model, Key key, Device device) {
        try (Parameters onCpu = model.layout().init(key, DType.FLOAT)) {
            return onCpu.to(device);
        }
    }

    private ReplayBuffer buffer(BufferSpec spec, Key key) {
        return new ReplayBuffer(
                key, starts, spec.size(), ReplayBuffer.Entry.valueOf(spec.kind().name()), spec.reinitialise());
    }

    private NegativeSource source() {
        int steps = recipe.negatives().steps();
        return buffer.<NegativeSource>map(chains -> new PersistentChains(starts, kernel, steps, chains))
                .orElseGet(() -> new FreshChains(starts, kernel, steps));
    }

    /** The trainer's settings. */
    public Trainer.Settings trainerSettings() {
        TrainSpec train = recipe.train();
        return new Trainer.Settings(
                train.iterations(),
                train.batch(),
                train.checkpointEvery(),
                train.seed(),
                new Guard.Settings(
                        train.guard().bound(),
                        train.guard().patience(),
                        train.guard().retries()));
    }

    /** The density that the chains sample, exp(f/T): what is judged. */
    public LogDensity density() {
        LogDensity f = logDensity();
        double temperature = recipe.negatives().kernel().targetTemperature().orElse(1);
        return temperature == 1 ? f : f.tempered(temperature);
    }

    /** f itself. */
    public LogDensity logDensity() {
        return learner.model().bind(learner.averaged());
    }

    /** What the chains see in training: f, or (1 − β)f under the robust objective. */
    public LogDensity trainingTarget() {
        return logDensity().scaled(recipe.objective().objective().samplingScale());
    }

    public Recipe recipe() {
        return recipe;
    }

    public ToyData data() {
        return data;
    }

    public Start positives() {
        return positives;
    }

    public Start starts() {
        return starts;
    }

    public Kernel<?> kernel() {
        return kernel;
    }

    public Optional<ReplayBuffer> buffer() {
        return buffer;
    }

    public EnergyLearner learner() {
        return learner;
    }

    @Override
    public void close() {
        learner.close();
    }
}
