package dev.kelvin.training;
import dev.kelvin.model.ChainSettings;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.ModelCard;
import dev.kelvin.model.Model;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.nn.GaussianBase;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.Descent;
import dev.kelvin.train.EnergyLearner;
import dev.kelvin.train.Learner;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.checkpoint.HeaderFile;
import dev.kelvin.train.checkpoint.MemoryStates;
import dev.kelvin.train.checkpoint.SavedStates;
import dev.kelvin.train.loop.Guard;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One run of a {@link ModelTraining}: makes its parts, runs the {@link Trainer}, and hands over the model. */
record TrainingRun(ModelTraining settings, long seed) {
    /** A child of the seed's key that no step has: those are of how often a run went back, from 0 on. */
    private static final int INITIAL = -1;

    /** Before the first step, for spectral norms and running statistics. */
    private static final int SETTLING = 10;

    /** Samples that the Gaussian is fitted to, and its least variance, as a share of the mean one. */
    private static final int FITTED = 20_000;

    private static final double FLOOR = 1e-4;

    private static final double EMA = 0.995;
    private static final int CHECKPOINTS = 1000;
    private static final Guard.Settings GUARD = new Guard.Settings(1000, 50, 3);

    Model run() throws IOException {
        EnergyModel model = EnergyModel.plain(network());
        try (Learner learner = learner(model)) {
            return settings.folder().isPresent() ? saved(settings.folder().get(), learner) : inMemory(model, learner);
        }
    }

    /** For the samples; of points on a Gaussian. */
    private Network network() {
        SampleKind samples = settings.samples();
        Network shaped = settings.network().shaped(samples.shape(), 1);
        return samples.images().isPresent() ? shaped : new GaussianBase(shaped, samples.width(), true);
    }

    private Model saved(Path run, Learner learner) throws IOException {
        RunSettings kept = RunSettings.of(settings);
        Checkpoints checkpoints = new Checkpoints(run.resolve("checkpoints"), Optional.of(kept.text()));
        HeaderFile.requireReadable(learner.model()); // before anything is written
        kept.requireSame(run, checkpoints, settings, seed);
        Files.createDirectories(run);
        settings.card(seed).write(run);
        train(learner, checkpoints);
        return Model.load(run);
    }

    private Model inMemory(EnergyModel model, Learner learner) throws IOException {
        MemoryStates states = new MemoryStates();
        try {
            train(learner, states);
        } catch (IOException | RuntimeException e) {
            states.close();
            throw e;
        }
        Parameters parameters;
        try (Scope scope = Scope.open()) {
            parameters =
                    new Parameters(model.layout(), learner.averaged().flat().copy());
        }
        ModelCard card = settings.card(seed);
        return Model.inMemory(
                card, model, parameters, settings.iterations(), this::starts, states.last(), states::close);
    }

    /** Where fresh chains begin, of a model whose data are here. */
    private SampleSource starts(Start start) {
        SampleSource data = (key, count) -> settings.data().batch(key, 0, count).x();
        return start.draws(settings.samples().shape(), data, Device.CPU);
    }

    private void train(Learner learner, SavedStates states) throws IOException {
        Trainer.Settings loop = new Trainer.Settings(settings.iterations(), settings.batch(), CHECKPOINTS, seed, GUARD);
        new Trainer(loop, settings.data(), learner, states, Optional.empty(), settings.listener(), System::nanoTime)
                .run(() -> false);
    }

    private Learner learner(EnergyModel model) {
        Key[] keys = Key.of(seed).child(INITIAL).split(3);
        ChainSettings chains = settings.chains();
        SampleSource data = (key, count) -> settings.data().batch(key, 0, count).x();
        SampleSource start = starts(chains.start());
        Optional<ReplayBuffer> buffer = chains.buffer() == 0
                ? Optional.empty()
                : Optional.of(new ReplayBuffer(keys[1], start, chains.buffer(), ReplayBuffer.Entry.FIFO, 0));
        ModelChains source = new ModelChains(
                start,
                chains.kernel(),
                Steps.of(chains.steps()),
                buffer,
                chains.adapt()
                        .map(adapt -> new ComponentSteps(adapt, model.head().firstSteps())));
        Parameters parameters = model.layout().init(keys[0], DType.FLOAT);
        model.base().ifPresent(base -> {
            try (Scope scope = Scope.open()) {
                base.fit(parameters, data.draw(keys[2], FITTED), FLOOR);
            }
        });
        for (int i = 0; i < SETTLING; i++) {
            try (Scope scope = Scope.open()) {
                Batch batch = settings.data().batch(keys[2].child(i), 0, settings.batch());
                model.advance(parameters, batch.x());
            }
        }
        return new EnergyLearner(
                model,
                source,
                settings.objective(),
                List.of(),
                new EnergyLearner.Settings(settings.batch(), settings.card(seed).temperature()),
                new Descent(parameters, settings.optimiser(), settings.iterations(), EMA));
    }
}
