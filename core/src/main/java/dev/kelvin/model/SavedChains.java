package dev.kelvin.model;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.GeneratedStarts;
import dev.kelvin.negative.GeneratorStart;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.EnergyLearner;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The chains of a model that was saved, read when they are first asked for: a replay buffer may have some gigabytes. */
final class SavedChains implements Model.ChainSource {
    private static final String CORNER = "negatives";
    private static final String OTHER_SHARDS = CORNER + "." + EnergyLearner.SHARD + ".";
    private static final String GENERATOR = CORNER + "." + ModelChains.GENERATOR + ".";
    private static final List<String> READ =
            List.of(GENERATOR + "average", GENERATOR + "parameters"); // the first there is

    /** Reads what a learner saved of its negatives: at least the tensors that are asked for by their names. */
    @FunctionalInterface
    interface Saved {
        State read(Predicate<String> tensors) throws IOException;
    }

    /** Whether a tensor of a checkpoint belongs to the chains: of those of several shards, to the first one's. */
    private static boolean isOurs(String tensor) {
        return tensor.startsWith(CORNER + ".") && !tensor.startsWith(OTHER_SHARDS);
    }

    private final ModelCard card;
    private final ChainSettings settings;
    private final EnergyModel energy;
    private final List<Long> shape; // of what the chains sample
    private final Device device;
    private final Optional<Model.DataStarts> dataStarts;
    private final Saved saved;
    private Optional<ModelChains> chains = Optional.empty();
    private Optional<SampleSource> starts = Optional.empty();
    private Optional<Parameters> generator = Optional.empty();

    SavedChains(
            ModelCard card,
            EnergyModel energy,
            List<Long> shape,
            Device device,
            Optional<Model.DataStarts> dataStarts,
            Saved saved) {
        this.card = card;
        this.settings = card.chains().orElseThrow();
        this.energy = energy;
        this.shape = shape;
        this.device = device;
        this.dataStarts = dataStarts;
        this.saved = saved;
    }

    @Override
    public synchronized SampleSource starts() {
        if (starts.isEmpty()) {
            starts = Optional.of(made());
        }
        return starts.get();
    }

    private SampleSource made() {
        Start start = settings.start();
        if (start instanceof GeneratorStart generator) {
            return generated(generator);
        }
        SampleSource nowhere = (key, count) -> {
            throw new InvalidInputException("chains of " + card.name() + " start at " + start.words()
                    + ", and a model is loaded without the data: sample it by 'kelvin sample'");
        };
        return start.usesData() || start instanceof Start.ClassGaussianStart
                ? dataStarts.map(data -> data.of(start)).orElse(nowhere)
                : start.draws(shape, nowhere, device);
    }

    /** The generator's average, where one was kept. */
    private SampleSource generated(GeneratorStart start) {
        Network network = card.precision().computed(start.network(shape));
        try (Scope scope = Scope.open()) {
            State state = saved.read(name -> READ.contains(name));
            Tensor flat = READ.stream()
                    .filter(state.tensors()::containsKey)
                    .map(state.tensors()::get)
                    .findFirst()
                    .orElseThrow(() -> new InvalidInputException(
                            "the checkpoint of " + card.name() + " has no parameters of the generator of its starts"));
            Parameters parameters = new Parameters(network.layout(), flat.copy().to(device));
            generator = Optional.of(parameters);
            return new GeneratedStarts(network, start.latent(), () -> parameters);
        } catch (IOException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public synchronized ModelChains chains() {
        if (chains.isEmpty()) {
            try (Scope scope = Scope.open()) {
                chains = Optional.of(read());
            } catch (IOException e) {
                throw new InvalidInputException(String.valueOf(e.getMessage()));
            }
        }
        return chains.get();
    }

    private ModelChains read() throws IOException {
        State state = saved.read(name -> isOurs(name) && !name.startsWith(GENERATOR));
        SampleSource nowhere = SampleSource.gaussian(List.of(), 0, shape, device); // what is saved comes in its place
        ModelChains read = new ModelChains(
                nowhere,
                settings.kernel(),
                Steps.of(settings.steps()),
                Optional.ofNullable(state.tensors().get(CORNER + ".slots")).map(slots -> buffer(nowhere, slots)),
                settings.adapt()
                        .map(adapt -> new ComponentSteps(adapt, energy.head().firstSteps())));
        read.load(state.at(CORNER));
        return read;
    }

    private ReplayBuffer buffer(SampleSource nowhere, Tensor slots) {
        boolean bytes = slots.dtype() == DType.BYTE;
        Buffer as = new Buffer((int) slots.size(0), ReplayBuffer.Entry.FIFO, false, 0, List.of(), bytes, false, false);
        int components = energy.components();
        return new ReplayBuffer(
                Key.of(0),
                nowhere,
                as,
                card.samples().images().map(SampleKind.Images::range),
                components,
                settings.byComponent() ? components : 1);
    }

    @Override
    public void close() {
        chains.ifPresent(ModelChains::close);
        generator.ifPresent(Parameters::close);
    }
}
