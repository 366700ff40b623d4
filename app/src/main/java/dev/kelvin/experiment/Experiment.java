package dev.kelvin.experiment;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Table;
import dev.kelvin.negative.ColumnSteps;
import dev.kelvin.negative.Draws;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.ChannelsLast;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Compared;
import dev.kelvin.objective.Objective;
import dev.kelvin.recipe.RunException;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.Descent;
import dev.kelvin.train.EnergyLearner;
import dev.kelvin.train.Learner;
import dev.kelvin.train.Positives;
import dev.kelvin.train.Trainer;
import java.util.List;
import java.util.Optional;

/** A recipe made real: its data, its model, its chains and what learns. */
public final class Experiment implements AutoCloseable {
    /** Before the first step: spectral norms begin far too small, running statistics at nothing. */
    private static final int SETTLING = 10;

    private final Recipe recipe;
    private final Device device;
    private final Data data;
    private final Columns columns;
    private final Draws positives;
    private final Draws starts;
    private final Optional<ReplayBuffer> buffer;
    private final Optional<ColumnSteps> adapted;
    private final EnergyLearner learner;
    private final Sampler sampler;

    /** Makes it on this device. First parameters and buffer follow from the recipe's seed. */
    public Experiment(Recipe recipe, Device device) {
        this.recipe = recipe;
        this.device = device;
        Key[] keys = Purpose.INITIAL.key(recipe.train().seed()).split(3);
        data = recipe.data().open(keys[2], device);
        columns = Columns.of(recipe, data);
        positives = columns.draws(data);
        Negatives negatives = recipe.negatives();
        starts = negatives.start().draws(data.shape(), positives, device);
        buffer = negatives.buffer().map(settings -> buffer(settings, keys[1]));
        EnergyModel model = columns.model(recipe.model(), data.shape(), this::ready);
        adapted = negatives
                .adapt()
                .map(settings -> new ColumnSteps(settings, model.head().firstSteps()));
        learner = new EnergyLearner(
                model,
                new ModelChains(starts, negatives.kernel(), negatives.steps(), buffer, adapted),
                recipe.objective(),
                recipe.terms(),
                new EnergyLearner.Settings(recipe.negativeCount(), negatives.temperature()),
                new Descent(
                        initial(model, keys[0]),
                        recipe.optimiser(),
                        recipe.train().iterations(),
                        recipe.train().ema()));
        sampler = columns.sampler(this);
    }

    /** The network in the numbers and the order of memory that the recipe asks for. */
    private Network ready(Network network) {
        if (recipe.train().precision() == Training.Precision.BFLOAT16) {
            return new Bfloat16(network);
        }
        return recipe.train().channelsLast() ? new ChannelsLast(network) : network;
    }

    private Parameters initial(EnergyModel model, Key key) {
        Parameters parameters;
        try (Parameters onCpu = model.layout().init(key, DType.FLOAT)) {
            parameters = onCpu.to(device);
        }
        Key settling = Purpose.SETTLING.key(recipe.train().seed());
        for (int i = 0; i < SETTLING; i++) {
            try (Scope scope = Scope.open()) {
                model.advance(
                        parameters,
                        positives.draw(settling.child(i), recipe.train().batch()));
            }
        }
        return parameters;
    }

    /** Slots have a column where chains have one that they keep. */
    private ReplayBuffer buffer(Buffer settings, Key key) {
        boolean kept = recipe.objective().compares() == Compared.GIVEN;
        if (kept && settings.size() < columns.count()) {
            throw new RunException("negatives.buffer.size must be at least " + columns.count()
                    + ", a slot for each class, found " + settings.size());
        }
        ReplayBuffer.Change change = settings.augment().isEmpty()
                ? ReplayBuffer.Change.NONE
                : data.augmented(new Augmentation.InTurn(settings.augment()))::apply;
        return new ReplayBuffer(
                key,
                starts,
                settings.size(),
                settings.kind(),
                settings.everyEnd(),
                settings.reinitialise(),
                columns.count(),
                kept ? columns.count() : 1,
                change);
    }

    /** The trainer's settings. */
    public Trainer.Settings trainerSettings() {
        Training train = recipe.train();
        return new Trainer.Settings(
                train.iterations(), train.batch(), train.checkpointEvery(), train.seed(), train.guard());
    }

    /** The model's table f(x)_k with the parameters that are judged. */
    public Table table() {
        return learner.model().bind(learner.averaged());
    }

    /** f itself: the data's density, unnormalised, at T = 1. */
    public LogDensity logDensity() {
        return table().data();
    }

    /** The density that the chains sample, exp(f/T): what is judged. */
    public LogDensity density() {
        double temperature = recipe.negatives().temperature();
        return temperature == 1 ? logDensity() : logDensity().tempered(temperature);
    }

    /** The density of samples of these columns. */
    public LogDensity given(long... k) {
        return columns.given(table(), k);
    }

    /** The objective at the end of training. */
    public Objective objective() {
        long end = recipe.train().iterations();
        return recipe.objective()
                .at(new Objective.Moment(end, end, recipe.negatives().temperature()));
    }

    public Recipe recipe() {
        return recipe;
    }

    public Device device() {
        return device;
    }

    public Data data() {
        return data;
    }

    public Columns columns() {
        return columns;
    }

    /** Each step's positives. */
    public Positives batches() {
        return columns.batches(data);
    }

    /** Independent samples of the data. */
    public Draws positives() {
        return positives;
    }

    /** Where fresh chains start. */
    public Draws starts() {
        return starts;
    }

    /** The recipe's kernel. */
    public Kernel<?> kernel() {
        return recipe.negatives().kernel();
    }

    /** The step sizes that training has adapted, where it does. */
    public Optional<ColumnSteps> adapted() {
        return adapted;
    }

    /** How the model is sampled. */
    public Sampler sampler() {
        return sampler;
    }

    public Optional<ReplayBuffer> buffer() {
        return buffer;
    }

    public Learner learner() {
        return learner;
    }

    /** What is likely to go wrong, in sentences. */
    public List<String> warnings() {
        return columns.warnings(data);
    }

    /** The recipe, told to somebody who has not read it. */
    public List<String> story() {
        return recipe.story(columns);
    }

    @Override
    public void close() {
        data.close();
        learner.close();
    }
}
