package dev.kelvin.run;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.ChannelsLast;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.recipe.BufferSpec;
import dev.kelvin.recipe.DataSpec;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.RunException;
import dev.kelvin.recipe.TimeSpec;
import dev.kelvin.recipe.TrainSpec;
import dev.kelvin.sample.Kernel;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Descent;
import dev.kelvin.train.EnergyLearner;
import dev.kelvin.train.Guard;
import dev.kelvin.train.Learner;
import dev.kelvin.train.Positives;
import dev.kelvin.train.Trainer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The parts that a recipe names, made. */
public final class Experiment implements AutoCloseable {
    private static final int SPREAD_BATCHES = 16;
    private static final int SPREAD_BATCH = 256;

    /** Before the first step: spectral norms begin far too small, running statistics at nothing. */
    private static final int SETTLING = 10;

    private final Recipe recipe;
    private final Optional<ToyData> toy;
    private final Optional<ImageData> images;
    private final List<Long> shape;
    private final int classes;
    private final Start positives;
    private final Start starts;
    private final Optional<ReplayBuffer> buffer;
    private final Learner learner;
    private final Sampler sampler;

    /** Makes them on this device. First parameters and buffer follow from the recipe's seed. */
    public Experiment(Recipe recipe, Device device) {
        this.recipe = recipe;
        if (System.getProperty("kelvin.threads") == null) {
            Backend.threads(
                    recipe.model().forImages()
                            ? Math.max(1, Runtime.getRuntime().availableProcessors() / 2)
                            : 1);
        }
        TrainSpec train = recipe.train();
        Key[] keys = Key.of(train.seed()).child(-1).split(3); // the children from 0 on are the trainer's
        toy = recipe.data() instanceof DataSpec.Toy spec ? Optional.of(spec.data()) : Optional.empty();
        images = recipe.data() instanceof DataSpec.Images spec
                ? Optional.of(ImageData.open(spec, keys[2], device))
                : Optional.empty();
        Optional<Start> byClass = recipe.classes().flatMap(form -> images).map(ClassDraws::new);
        classes = byClass.isPresent() ? images.orElseThrow().train().classes().size() : 1;
        positives = byClass.or(() -> images.map(ImageData::draws)).orElseGet(() -> onDevice(toy(), device));
        shape = images.map(ImageData::shape).orElseGet(() -> List.of((long) toy().dimension()));
        if (recipe.time().isPresent()) {
            TimeSpec time = recipe.time().get();
            starts = Start.gaussian(
                    time.reference().mean().orElse(List.of()), time.reference().std(), shape, device);
            buffer = Optional.empty();
            TimeLearner times = timeLearner(time, keys[0], device);
            learner = times;
            sampler = new AnnealedSampler(recipe, times, starts);
        } else {
            starts = recipe.negatives().start().start(shape, positives, device);
            buffer = recipe.negatives().buffer().map(spec -> buffer(spec, keys[1]));
            learner = energyLearner(keys[0], device);
            sampler = new ChainSampler(this);
        }
    }

    private static Start onDevice(ToyData toy, Device device) {
        return (key, count) -> {
            try (Scope scope = Scope.open()) {
                return scope.keep(toy.draw(key, count).to(device));
            }
        };
    }

    private EnergyLearner energyLearner(Key key, Device device) {
        EnergyModel model = recipe.classes()
                .<EnergyModel>map(
                        form -> new ClassEnergy(computed(form.network(recipe.model(), shape, classes)), classes))
                .orElseGet(() -> new ScalarEnergy(computed(recipe.model().network(shape, 1))));
        return new EnergyLearner(
                model,
                source(),
                recipe.objective().objective(),
                recipe.negatives().count().orElse(recipe.train().batch()),
                descent(initial(model, key, device)));
    }

    /** The network in the numbers and the order of memory that the recipe asks for. */
    private Network computed(Network network) {
        if (recipe.train().precision() == TrainSpec.Precision.BFLOAT16) {
            return new Bfloat16(network);
        }
        return recipe.train().channelsLast() ? new ChannelsLast(network) : network;
    }

    private TimeLearner timeLearner(TimeSpec time, Key key, Device device) {
        TimeEnergy model = new TimeEnergy(
                computed(recipe.model().network(shape, time.count() - 1)),
                time.count(),
                time.reference().mean().orElse(List.of()),
                time.reference().std(),
                time.cumulative());
        return new TimeLearner(
                model,
                recipe.objective().overTime().orElseThrow(),
                new TimeLearner.Sampling(kernel(), recipe.negatives().steps(), time.acceptance()),
                descent(initial(model, key, device)));
    }

    private Descent descent(Parameters parameters) {
        return new Descent(
                parameters,
                recipe.optimiser().optimiser(parameters.flat()),
                new Descent.Settings(
                        recipe.optimiser().learningRate(),
                        recipe.optimiser().schedule().schedule(),
                        recipe.train().iterations(),
                        recipe.optimiser().clipNorm(),
                        recipe.train().ema()));
    }

    private Parameters initial(EnergyModel model, Key key, Device device) {
        Parameters parameters;
        try (Parameters onCpu = model.layout().init(key, DType.FLOAT)) {
            parameters = onCpu.to(device);
        }
        for (int i = 0; i < SETTLING; i++) {
            try (Scope scope = Scope.open()) {
                model.advance(
                        parameters, positives.draw(key.child(i), recipe.train().batch()));
            }
        }
        return parameters;
    }

    private ReplayBuffer buffer(BufferSpec spec, Key key) {
        return new ReplayBuffer(
                key, starts, spec.size(), ReplayBuffer.Entry.valueOf(spec.kind().name()), spec.reinitialise(), classes);
    }

    private NegativeSource source() {
        int steps = recipe.negatives().steps();
        return buffer.<NegativeSource>map(chains -> new PersistentChains(starts, kernel(), steps, chains))
                .orElseGet(() -> new FreshChains(starts, kernel(), steps));
    }

    /** What is likely to go wrong, in sentences. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        recipe.time().ifPresent(time -> {
            double data = spread(time.reference().mean().orElse(List.of()));
            double std = time.reference().std();
            if (std < data) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "The reference is too narrow: its standard deviation is %.3g, and the data's from its mean %.3g."
                                + " Chains that start there miss the outer data; try time.reference.std=%.2g.",
                        std,
                        data,
                        1.1 * data));
            }
        });
        return warnings;
    }

    /** The data's root mean square distance from a point, in the widest coordinate. */
    private double spread(List<Double> from) {
        try (Scope scope = Scope.open()) {
            Tensor mean = Tensors.zerosLike(positives.draw(Key.of(0), 1).flattenSamples());
            for (int i = 0; i < SPREAD_BATCHES; i++) {
                try (Scope batch = Scope.open()) {
                    Tensor x = positives.draw(Key.of(0).child(i), SPREAD_BATCH).flattenSamples();
                    Tensor centred = from.isEmpty() ? x : x.minus(centre(from, x));
                    mean.addInPlace(centred.square().mean(0L), 1.0 / SPREAD_BATCHES);
                }
            }
            return Math.sqrt(Arrays.stream(mean.toDoubles()).max().orElseThrow());
        }
    }

    private static Tensor centre(List<Double> point, Tensor like) {
        double[] numbers = point.stream().mapToDouble(Double::doubleValue).toArray();
        return Tensors.like(like, numbers, 1, numbers.length);
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

    /** What the chains see at the end of training: f, or (1 − β)f under the robust objective. */
    public LogDensity trainingTarget() {
        long end = recipe.train().iterations();
        return logDensity().scaled(recipe.objective().objective().at(end, end).samplingScale());
    }

    public Recipe recipe() {
        return recipe;
    }

    /** The toy set, of a model of the plane. */
    public ToyData toy() {
        return toy.orElseThrow(() -> new IllegalStateException(recipe.data().title() + " is no toy set"));
    }

    /** The images, of a model of images. */
    public Optional<ImageData> images() {
        return images;
    }

    /** Each step's batch. */
    public Positives batches() {
        return images.map(set -> classes > 1 ? set.labelledBatches() : set.batches())
                .orElseGet(() -> Positives.fresh(positives));
    }

    /** How many classes the model tells apart; 1 where it knows none. */
    public int classes() {
        return classes;
    }

    /** The number of the class that is so called, or has that number. */
    public int classNamed(String word) {
        if (classes == 1) {
            throw new RunException(
                    "the model of " + recipe.name() + " knows no classes; train one with 'classes: head'");
        }
        List<String> names = images.orElseThrow().train().classes();
        for (int label = 0; label < classes; label++) {
            if (names.get(label).equalsIgnoreCase(word)) {
                return label;
            }
        }
        if (!word.matches("[0-9]{1,9}") || Integer.parseInt(word) >= classes) {
            throw new RunException("there is no class '" + word + "'; there are " + String.join(", ", names)
                    + ", numbered from 0 to " + (classes - 1));
        }
        return Integer.parseInt(word);
    }

    /** The classes of so many samples, each in turn: of fresh chains, and of the first in the buffer. */
    public long[] labels(int count) {
        return ClassEnergy.inTurn(count, classes);
    }

    /** Samples of the data, by chance. */
    public Start positives() {
        return positives;
    }

    public Start starts() {
        return starts;
    }

    /** The recipe's kernel. */
    public Kernel<?> kernel() {
        return recipe.negatives().kernel().kernel();
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

    @Override
    public void close() {
        images.ifPresent(ImageData::close);
        learner.close();
    }
}
