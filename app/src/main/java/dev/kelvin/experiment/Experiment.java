package dev.kelvin.experiment;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.KeyDomain;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LatentModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Timeline;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.negative.ByteSlots;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.SeveralSources;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.Generator;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Objective;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.part.Check;
import dev.kelvin.recipe.Buffer;
import dev.kelvin.recipe.ChainSource;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.recipe.Negatives;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.TimeSettings;
import dev.kelvin.recipe.Training;
import dev.kelvin.sample.ChainState;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.ParticleSets;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.BatchSource;
import dev.kelvin.train.Descent;
import dev.kelvin.train.EnergyLearner;
import dev.kelvin.train.Learner;
import dev.kelvin.train.latent.LatentLearner;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.yaml.UserException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** A recipe made real: its data, its model, its chains and what learns. */
public final class Experiment implements AutoCloseable {
    /** Before the first step: spectral norms begin far too small, running statistics at nothing. */
    private static final int SETTLING = 10;

    /** Chains by which a temperature is measured. */
    private static final int MEASURED = 256;

    private final Recipe recipe;
    private final Device device;
    private final Data data;
    private final Components components;
    private final SampleSource positives;
    private final SampleSource starts;
    private final Optional<ReplayBuffer> buffer;
    private final Optional<ComponentSteps> adapted;
    private final Learner learner;
    private final Optional<LatentLearner> latent;
    private final Sampler sampler;

    /** Makes it on this device. First parameters and buffer follow from the recipe's seed. */
    public Experiment(Recipe recipe, Device device) {
        this(recipe, device, key -> recipe.data().open(key, device), false);
    }

    /** Makes it of data that are open already, with {@link #open}; they are closed with it. */
    public Experiment(Recipe recipe, Device device, Data data) {
        this(recipe, device, key -> data, false);
    }

    /** Makes an experiment for a few steps that are only timed: running statistics begin with those of two samples. */
    public static Experiment trial(Recipe recipe, Device device, Data data) {
        return new Experiment(recipe, device, key -> data, true);
    }

    /** A recipe's data, as its experiment opens them. */
    public static Data open(Recipe recipe, Device device) {
        return recipe.data().open(keys(recipe)[2], device);
    }

    private static Key[] keys(Recipe recipe) {
        return KeyDomain.INITIAL.key(recipe.train().seed()).split(3);
    }

    /** To be filled from a checkpoint: the data are opened only where the facts that a run remembers do not do. */
    public static Experiment remembered(Recipe recipe, Device device, Map<String, String> facts) {
        return new Experiment(recipe, device, key -> recipe.data().remembered(key, device, facts), false);
    }

    private Experiment(Recipe recipe, Device device, Function<Key, Data> opening, boolean trial) {
        this.recipe = recipe;
        this.device = device;
        Backend.roundConvolutions(recipe.train().precision() == Training.Precision.TF32);
        Key[] keys = keys(recipe);
        data = fitting(recipe, opening.apply(keys[2]), device);
        components = Components.of(recipe, data);
        positives = components.draws(data);
        Negatives negatives = recipe.negatives();
        List<ChainSource> sources = recipe.sources();
        starts = starts(negatives.start());
        // where the data are only remembered a checkpoint fills the memory
        SampleSource first = data.opened() ? starts : nowhere();
        buffer = negatives.buffer().map(settings -> buffer(settings, first, keys[1]));
        EnergyModel model = components.model(recipe.model(), shape(), this::ready);
        adapted = negatives
                .adapt()
                .map(settings -> new ComponentSteps(settings, model.head().firstSteps()));
        ModelChains chains = new ModelChains(starts, negatives.kernel(), negatives.steps(), buffer, adapted);
        EnergyLearner energy = new EnergyLearner(
                model,
                sources.size() == 1 ? chains : several(chains, sources, keys[1]),
                recipe.objective(),
                recipe.terms(),
                new EnergyLearner.Settings(recipe.negativeCount(), negatives.temperature()),
                descent(initial(model, keys[0], trial), recipe.optimiser()));
        latent = recipe.latent().map(settings -> latent(settings, energy, keys[0].child(1)));
        learner = latent.<Learner>map(whole -> whole).orElse(energy);
        ChainSampler ofChains = new ChainSampler(this);
        sampler = recipe.time()
                .<Sampler>map(time -> new AnnealedSampler(this, time, time.timeline()))
                .or(() -> latent.map(whole -> new LatentSampler(recipe.latent().orElseThrow(), whole, ofChains)))
                .orElse(ofChains);
    }

    private Descent descent(Parameters parameters, Optimiser by) {
        return new Descent(
                parameters, by, recipe.train().iterations(), recipe.train().ema());
    }

    private LatentLearner latent(LatentSettings settings, EnergyLearner prior, Key key) {
        Generator generator = settings.network(data.shape());
        Parameters parameters;
        try (Parameters onCpu = generator.layout().init(key, DType.FLOAT)) {
            parameters = onCpu.to(device);
        }
        return new LatentLearner(
                new LatentModel(prior.model(), generator, settings.noise()),
                prior,
                descent(parameters, settings.optimiser().orElse(recipe.optimiser())),
                settings.learning());
    }

    /** Of one sample of the model: the data's, or a latent vector's. */
    private List<Long> shape() {
        return recipe.latent().map(settings -> List.of((long) settings.size())).orElse(data.shape());
    }

    /** The data, or they are closed again and the recipe is refused. */
    private static Data fitting(Recipe recipe, Data data, Device device) {
        try {
            recipe.requireFit(data.shape(), Components.of(recipe, data).count());
            recipe.latent().ifPresent(settings -> requireLatentFit(recipe, settings, data, device));
            return data;
        } catch (RuntimeException e) {
            data.close();
            throw e;
        }
    }

    /** Refuses pixels that the generator cannot make, and a step for which there is no memory. */
    private static void requireLatentFit(Recipe recipe, LatentSettings settings, Data data, Device device) {
        data.range()
                .ifPresent(range -> Check.require(
                        range.low() >= -1 && range.high() <= 1,
                        "data.images",
                        "must have pixels within −1 and 1, where a latent model's generator makes them: say 'low: -1, high: 1',"
                                + " found " + range.low() + " to " + range.high()));
        if (!device.cuda()) { // what a GPU has is not asked
            LatentCost.of(recipe, settings, data.shape()).requireRoom(LatentCost.memoryOfMachine());
        }
    }

    /** Bytes that a step of a latent model takes at its worst, estimated. */
    public OptionalDouble latentBytes() {
        return recipe.latent()
                .map(settings -> OptionalDouble.of(
                        LatentCost.of(recipe, settings, data.shape()).bytes()))
                .orElse(OptionalDouble.empty());
    }

    /** The numbers that are trained: the model's, and the generator's of a latent model. */
    public long parameters() {
        long ofGenerator = latent.map(each -> each.latent().generator().layout().trainedCount())
                .orElse(0L);
        return learner.model().layout().trainedCount() + ofGenerator;
    }

    /** The network in the numbers that the recipe asks for, on its base. */
    private Network ready(Network network) {
        Network computed = recipe.train().precision() == Training.Precision.BFLOAT16 ? new Bfloat16(network) : network;
        return recipe.baseMeasure()
                .<Network>map(base -> base.under(computed, shape()))
                .orElse(computed);
    }

    private Parameters initial(EnergyModel model, Key key, boolean trial) {
        Parameters parameters;
        try (Parameters onCpu = model.layout().init(key, DType.FLOAT)) {
            parameters = onCpu.to(device);
        }
        if (data.opened()) { // otherwise a checkpoint fills it in
            recipe.baseMeasure().ifPresent(base -> base.fit(model.base().orElseThrow(), parameters, positives));
        }
        Key settling = KeyDomain.SETTLING.key(recipe.train().seed());
        int rows = trial ? Math.min(2, recipe.train().batch()) : recipe.train().batch();
        for (int i = 0;
                i < (trial ? 1 : SETTLING) && data.opened() && recipe.form().isOfSamples();
                i++) {
            try (Scope scope = Scope.open()) {
                model.advance(parameters, positives.draw(settling.child(i), rows));
            }
        }
        return parameters;
    }

    private SampleSource starts(Start start) {
        List<Long> shape = shape();
        boolean byClass = recipe.form().hasLabels();
        return start.draws(
                shape, positives, () -> data.gaussians(byClass, () -> start.draws(shape, positives, device)), device);
    }

    /** For chains that never start. */
    private SampleSource nowhere() {
        return SampleSource.gaussian(List.of(), 0, shape(), device);
    }

    /** The recipe's chains beside further ones, each with a start and a memory of its own. */
    private NegativeSource several(ModelChains first, List<ChainSource> sources, Key key) {
        List<SeveralSources.Part> parts = new ArrayList<>();
        parts.add(new SeveralSources.Part(first, sources.get(0).count()));
        for (int i = 1; i < sources.size(); i++) {
            ChainSource each = sources.get(i);
            SampleSource begin = data.opened() ? starts(each.start()) : nowhere();
            Key own = key.child(i);
            Optional<ReplayBuffer> memory = each.buffer().map(settings -> buffer(settings, begin, own));
            parts.add(new SeveralSources.Part(
                    new ModelChains(begin, each.kernel(), each.steps(), memory, Optional.empty()), each.count()));
        }
        return new SeveralSources(parts);
    }

    /** Slots have a component where chains have one that they keep. */
    private ReplayBuffer buffer(Buffer settings, SampleSource begin, Key key) {
        boolean kept = recipe.objective().compares() == ContrastedDensity.GIVEN;
        ReplayBuffer.Change change =
                settings.augment().isEmpty() ? ReplayBuffer.Change.NONE : augmentation(settings)::apply;
        try (Scope scope = Scope.open()) {
            Tensor one = begin.draw(key, 1); // an augmentation may refuse its size: better now than after the start
            Check.part("negatives.buffer.augment", () -> change.apply(key, one));
        }
        ReplayBuffer.Policy policy = new ReplayBuffer.Policy(
                settings.eviction(),
                settings.insertAllEnds(),
                settings.weighted(),
                settings.reinitialise(),
                data.range().filter(range -> settings.bytes()).map(range -> new ByteSlots(range.low(), range.high())),
                change);
        return new ReplayBuffer(key, begin, settings.size(), policy, components.count(), kept ? components.count() : 1);
    }

    private Augmentation augmentation(Buffer settings) {
        PixelRange range = data.range().orElseThrow(() -> new UserException("only images can be augmented"));
        return new Augmentation.InTurn(settings.augment()).within(range);
    }

    /** The trainer's settings. */
    public Trainer.Settings trainerSettings() {
        Training train = recipe.train();
        return new Trainer.Settings(
                train.iterations(), train.batch(), train.checkpointEvery(), train.seed(), train.guard());
    }

    /** The model's table f(x)_k with the parameters that are judged; of a latent model, what stands in for log p(x). */
    public JointDensity table() {
        return latent.map(LatentLearner::scores).orElseGet(this::chainTable);
    }

    /** The table that the model's chains run on: f(x)_k, or f(z) of latent vectors. */
    public JointDensity chainTable() {
        return learner.model().bind(learner.averaged());
    }

    /** The learner of a latent model. */
    public Optional<LatentLearner> latent() {
        return latent;
    }

    /** f itself: the data's density, unnormalised, at T = 1. */
    public LogDensity logDensity() {
        return table().data();
    }

    /** The density that the chains sample, exp(f/T): what is judged. */
    public LogDensity density() {
        double temperature = temperature();
        return temperature == 1 ? logDensity() : logDensity().tempered(temperature);
    }

    /** What another kernel walks on to sample the model: f/T, or f where it has a temperature of its own, as in training. */
    public LogDensity densityFor(Kernel<?> other) {
        return other.traits().temperature().equals(OptionalDouble.of(1)) ? density() : logDensity();
    }

    /** Whether the chains sample a density exp(f/T) at all: without noise they only climb f. */
    public boolean hasTemperature() {
        return kernel().traits().temperatureVaries()
                || kernel().traits().temperature().isPresent();
    }

    /** T of the density that the chains sample: the kernel's, or measured at the end of chains like those of training. */
    public double temperature() {
        double set = recipe.negatives().temperature();
        return kernel().traits().temperatureVaries() ? measured(kernel()).orElse(set) : set;
    }

    private <S extends ChainState> OptionalDouble measured(Kernel<S> kernel) {
        Key[] keys = KeyDomain.TEMPERATURE.key(recipe.train().seed()).split(2);
        int steps = recipe.negatives().steps().last();
        try (Scope scope = Scope.open()) {
            long[] k = components.inTurn(
                    Math.min(MEASURED, buffer.map(ReplayBuffer::size).orElse(MEASURED)));
            LogDensity f = recipe.objective().compares() == ContrastedDensity.GIVEN ? given(k) : logDensity();
            Tensor start =
                    buffer.map(chains -> chains.chains(keys[0], 0, k)).orElseGet(() -> starts.drawGiven(keys[0], k));
            S state = kernel.start(f, start);
            for (int step = 0; step < steps; step++) {
                state = kernel.step(keys[1].child(step), f, state).state();
            }
            return kernel.temperatureAt(state);
        }
    }

    /** What the rounding of these values of f is worth in f/T; nothing at T = 1, where it is a matter of course. */
    public Map<String, Double> rounding(double[] f) {
        double temperature = temperature();
        return temperature == 1
                ? Map.of()
                : Map.of(ModelFigures.ROUNDING.name(), ModelFigures.rounding(f, temperature));
    }

    /** The density of samples of these components. */
    public LogDensity given(long... k) {
        return components.given(chainTable(), k);
    }

    /** The objective at the end of training. */
    public Objective objective() {
        return recipe.finalObjective();
    }

    /** The recipe that it was made by. */
    public Recipe recipe() {
        return recipe;
    }

    /** Where its tensors are. */
    public Device device() {
        return device;
    }

    /** The opened data. */
    public Data data() {
        return data;
    }

    /** What depends on the kind of the model's components. */
    public Components components() {
        return components;
    }

    /** Each step's positives. */
    public BatchSource batches() {
        return components.batches(data);
    }

    /** Independent samples of the data. */
    public SampleSource positives() {
        return positives;
    }

    /** Where fresh chains start. */
    public SampleSource starts() {
        return starts;
    }

    /** The recipe's kernel. */
    public Kernel<?> kernel() {
        return recipe.negatives().kernel();
    }

    /** A kernel as samples are drawn with it: where its chains push each other, in sets as large as training's. */
    public Kernel<?> inSets(Kernel<?> kernel) {
        return ParticleSets.of(kernel, recipe.sources().get(0).count());
    }

    /** The number of chains, rounded up to whole sets. */
    public int wholeSets(int count) {
        return (count + setSize() - 1) / setSize() * setSize();
    }

    /** Whole sets of no more chains than there are; all of them where there is not even one set. */
    int wholeSetsAmong(int there) {
        return there < setSize() ? there : there / setSize() * setSize();
    }

    private int setSize() {
        return kernel().traits().interacting() ? recipe.sources().get(0).count() : 1;
    }

    /** The steps of chains that a user asks for: of images those of training, of points as many as it takes to forget the start. */
    public int sampleSteps() {
        Negatives chains = recipe.negatives();
        return recipe.data().images()
                ? Math.max(1, chains.freshSteps())
                : chains.sampleSteps()
                        .orElse(Sampler.LONGER * Math.max(1, chains.steps().last()));
    }

    /** A time-joint model's times. */
    public Optional<Timeline> timeline() {
        return recipe.time().map(TimeSettings::timeline);
    }

    /** Whether log Z of the data's density is learnt with it, so that f is log p(x). */
    public boolean normalised() {
        return timeline().filter(Timeline::pinned).isPresent();
    }

    /** The step sizes that training has adapted, where it does. */
    public Optional<ComponentSteps> adapted() {
        return adapted;
    }

    /** How the model is sampled. */
    public Sampler sampler() {
        return sampler;
    }

    /** The replay buffer, if there is one. */
    public Optional<ReplayBuffer> buffer() {
        return buffer;
    }

    /** What is trained. */
    public Learner learner() {
        return learner;
    }

    @Override
    public void close() {
        data.close();
        learner.close();
    }
}
