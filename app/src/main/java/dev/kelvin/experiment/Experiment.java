package dev.kelvin.experiment;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.dataset.Data;
import dev.kelvin.distributed.Ranks;
import dev.kelvin.distributed.Shards;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LatentModel;
import dev.kelvin.energy.Timeline;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.model.ChainSettings;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.model.Model;
import dev.kelvin.model.ModelCard;
import dev.kelvin.model.Precision;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.GeneratorStart;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.Generator;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Objective;
import dev.kelvin.part.Check;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.recipe.Negatives;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Training;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.BatchSource;
import dev.kelvin.train.EnergyLearner;
import dev.kelvin.train.Learner;
import dev.kelvin.train.latent.LatentLearner;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.training.FirstParameters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A recipe made real: its data, its model, its chains and what learns. */
public final class Experiment implements AutoCloseable {
    private final Recipe recipe;
    private final Device device;
    private final Data data;
    private final Components components;
    private final SampleSource positives;
    private final SampleSource starts;
    private final Learner learner;
    private final Optional<LatentLearner> latent;
    private final Model model;

    private final Shards shards;

    private record Chains(ModelChains chains, SampleSource starts) implements Model.ChainSource {}

    /** Makes it on this device. First parameters and buffer follow from the recipe's seed. */
    public Experiment(Recipe recipe, Device device) {
        this(recipe, device, open(recipe, device), Ranks.ALONE, false);
    }

    /** Makes it of data that are open already, with {@link #open}; they are closed with it. */
    public Experiment(Recipe recipe, Device device, Data data) {
        this(recipe, device, data, Ranks.ALONE, false);
    }

    /** Makes one rank's of several: the whole model, and the chains of its shards alone. */
    public Experiment(Recipe recipe, Device device, Data data, Ranks ranks) {
        this(recipe, device, data, ranks, false);
    }

    /** Makes an experiment for a few steps that are only timed: running statistics begin with those of two samples. */
    public static Experiment trial(Recipe recipe, Device device, Data data) {
        return new Experiment(recipe, device, data, Ranks.ALONE, true);
    }

    /** A recipe's data, as its experiment opens them. */
    public static Data open(Recipe recipe, Device device) {
        return recipe.data().open(keys(recipe)[2], device);
    }

    private static Key[] keys(Recipe recipe) {
        return FirstParameters.keys(recipe.train().seed());
    }

    private Experiment(Recipe recipe, Device device, Data opened, Ranks ranks, boolean trial) {
        this.recipe = recipe;
        shards = new Shards(recipe.train().shardCount(), ranks);
        this.device = device;
        Backend.roundConvolutions(recipe.train().precision() == Precision.TF32);
        Key[] keys = keys(recipe);
        data = fitting(recipe, opened, device);
        components = Components.of(recipe, data.classes());
        positives = components.draws(data);
        RecipeChains chains = new RecipeChains(recipe, data, components, shards, device);
        starts = chains.starts();
        EnergyModel energyModel = components.model(recipe.model(), shape(recipe, data), this::ready);
        List<ModelChains> first = chains.first(starts, energyModel, keys[1]);
        EnergyLearner energy = new EnergyLearner(
                energyModel,
                chains.sources(first, keys[1]),
                shards,
                recipe.objective(),
                recipe.terms(),
                new EnergyLearner.Settings(
                        recipe.negativeCount(), recipe.negatives().temperature()),
                RecipeChains.descent(recipe, initial(energyModel, keys[0], trial), recipe.optimiser()));
        latent = recipe.latent().map(settings -> latent(settings, energy, keys[0].child(1)));
        learner = latent.<Learner>map(whole -> whole).orElse(energy);
        model = new Model(new Model.Parts(
                this::card,
                energyModel,
                learner::averaged,
                recipe.train().iterations(),
                device,
                latent.map(LatentLearner::density),
                Optional.of(new Chains(first.get(0), starts))));
    }

    /** What the model is, for whoever loads it. */
    public ModelCard card() {
        return card(recipe, data.samples(), components.kind(data.shape()));
    }

    /** What a model of a recipe is. */
    public static ModelCard card(Recipe recipe, SampleKind samples, ComponentKind components) {
        Negatives negatives = recipe.negatives();
        ChainSettings chains = new ChainSettings(
                start(recipe, negatives.start()),
                negatives.kernel(),
                negatives.steps().last(),
                negatives.sampleSteps(),
                negatives.buffer().map(Buffer::size).orElse(0) / recipe.train().shardCount(),
                negatives.adapt(),
                recipe.objective().compares() == ContrastedDensity.GIVEN,
                recipe.sources().get(0).count() / negatives.sets(),
                recipe.finalObjective().samplingScale(),
                negatives.finish());
        return new ModelCard(
                ModelCard.FORMAT,
                recipe.name(),
                recipe.train().seed(),
                samples,
                components,
                Optional.of(chains),
                negatives.temperature(),
                recipe.train().precision(),
                recipe.train().evaluate() == Training.Which.BEST,
                Optional.empty());
    }

    private LatentLearner latent(LatentSettings settings, EnergyLearner prior, Key key) {
        Generator generator = settings.network(data.shape());
        Parameters parameters;
        try (Parameters onCpu = generator.layout().init(key, DType.FLOAT)) {
            parameters = onCpu.to(device);
        }
        return new LatentLearner(
                new LatentModel(prior.model(), generator, settings.size(), settings.noise()),
                prior,
                RecipeChains.descent(recipe, parameters, settings.optimiser().orElse(recipe.optimiser())),
                settings.posterior(),
                settings.integration());
    }

    /** The shape of one sample of the model: the data's, or a latent vector's. */
    private static List<Long> shape(Recipe recipe, Data data) {
        return recipe.latent().map(settings -> List.of((long) settings.size())).orElse(data.shape());
    }

    /** Refuses a recipe that does not fit its data, by the setting. */
    public static void requireFit(Recipe recipe, Data data, Device device) {
        recipe.requireFit(data.shape(), Components.of(recipe, data.classes()).count());
        recipe.latent().ifPresent(settings -> requireLatentFit(recipe, settings, data, device));
        recipe.sources().forEach(source -> requireStartFit(source, data));
    }

    /** The data, or they are closed again and the recipe is refused. */
    private static Data fitting(Recipe recipe, Data data, Device device) {
        try {
            requireFit(recipe, data, device);
            return data;
        } catch (RuntimeException e) {
            data.close();
            throw e;
        }
    }

    /** Refuses images that a generator of starts cannot make. */
    private static void requireStartFit(Negatives.Source source, Data data) {
        if (source.start() instanceof GeneratorStart start) {
            String at = source.at() + ".start.generator.network";
            Check.part(at, () -> start.network(data.shape()));
            Check.require(
                    start.network(data.shape()).canNorm(source.count()),
                    at,
                    "has a smallest image of one pixel, and batch norm takes two values or more: give fewer widths, norm: none, or"
                            + " more negatives");
            data.range().ifPresent(range -> requirePixels(range, "where chains start at a generator's images"));
        }
    }

    private static void requirePixels(PixelRange range, String where) {
        Check.require(
                range.low() >= -1 && range.high() <= 1,
                "data.images",
                "must have pixels within −1 and 1, " + where + ": say 'low: -1, high: 1', found " + range.low() + " to "
                        + range.high());
    }

    /** Refuses pixels that the generator cannot make, and a step for which there is no memory. */
    private static void requireLatentFit(Recipe recipe, LatentSettings settings, Data data, Device device) {
        data.range().ifPresent(range -> requirePixels(range, "where a latent model's generator makes them"));
        if (!device.cuda()) { // what a GPU has is not asked
            LatentCost.of(recipe, settings, data.shape()).requireRoom(LatentCost.memoryOfMachine());
        }
    }

    /** Bytes that a step of a latent model takes at its worst, estimated. */
    public OptionalDouble latentBytes() {
        return recipe.latent().stream()
                .mapToDouble(settings ->
                        LatentCost.of(recipe, settings, data.shape()).bytes())
                .findFirst();
    }

    /** The numbers that are trained: the model's, and the generators' of a latent model and of where chains start. */
    public long parameters() {
        long ofGenerator = latent.map(each -> each.latent().generator().layout().trainedCount())
                .orElse(0L);
        for (Negatives.Source source : recipe.sources()) {
            if (source.start() instanceof GeneratorStart start) {
                ofGenerator += start.network(data.shape()).layout().trainedCount();
            }
        }
        return learner.model().layout().trainedCount() + ofGenerator;
    }

    /** The network in the numbers that the recipe asks for, on its base. */
    private Network ready(Network network) {
        Network computed = recipe.train().precision().computed(network);
        return recipe.baseMeasure()
                .<Network>map(base -> base.under(computed, shape(recipe, data)))
                .orElse(computed);
    }

    private Parameters initial(EnergyModel model, Key key, boolean trial) {
        if (!recipe.form().isOfSamples()) {
            return FirstParameters.drawn(model, key, device);
        }
        long seed = recipe.train().seed();
        int batch = trial ? Math.min(2, recipe.train().batch()) : recipe.train().batch();
        return FirstParameters.of(model, key, recipe.baseMeasure(), positives, seed, batch, trial, device);
    }

    /** A Gaussian of latent vectors has σ₀, the standard deviation of what the prior tilts, for a unit. */
    static Start start(Recipe recipe, Start start) {
        double unit = recipe.latent().map(LatentSettings::std).orElse(1.0);
        return start instanceof Start.GaussianStart gaussian
                ? new Start.GaussianStart(gaussian.mean(), unit * gaussian.std())
                : start;
    }

    /** Beginnings of a recipe's chains at data that are open. */
    public static SampleSource starts(Recipe recipe, Data data, Start start, Device device) {
        SampleSource positives = Components.of(recipe, data.classes()).draws(data);
        List<Long> shape = shape(recipe, data);
        boolean byClass = recipe.form().hasLabels();
        return start.draws(
                shape, positives, () -> data.gaussians(byClass, () -> start.draws(shape, positives, device)), device);
    }

    /** The trainer's settings. */
    public Trainer.Settings trainerSettings() {
        Training by = recipe.train();
        return new Trainer.Settings(by.iterations(), by.batch(), by.checkpointEvery(), by.seed(), by.guard());
    }

    /** The model as it stands, with the parameters that are judged. */
    public Model model() {
        return model;
    }

    /** What draws from the model as it stands. */
    public Sampler sampler() {
        return model.sampler();
    }

    /** Samples of the model as it stands. */
    public Tensor drawn(SampleRequest request) {
        return sampler().draw(request).x();
    }

    /** The learner of a latent model. */
    public Optional<LatentLearner> latent() {
        return latent;
    }

    /** What the rounding of these values of f is worth in f/T; nothing at T = 1, where it is a matter of course. */
    public Map<String, Double> rounding(double[] f) {
        double temperature = model.temperature();
        return temperature == 1
                ? Map.of()
                : Map.of(ModelFigures.ROUNDING.name(), ModelFigures.rounding(f, temperature));
    }

    /** The objective at the end of training. */
    public Objective objective() {
        return recipe.finalObjective();
    }

    /** The recipe that it was made by. */
    public Recipe recipe() {
        return recipe;
    }

    /** The ranks that train it, of which it is one's. */
    public Ranks ranks() {
        return shards.ranks();
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

    /** The recipe's kernel. */
    public Kernel<?> kernel() {
        return recipe.negatives().kernel();
    }

    /** Whether log Z of the data's density is learnt with it, so that f is log p(x). */
    public boolean normalised() {
        return model.timeline().filter(Timeline::pinned).isPresent();
    }

    /** What learns. */
    public Learner learner() {
        return learner;
    }

    @Override
    public void close() {
        data.close();
        learner.close();
    }
}
