package dev.kelvin.training;

import dev.kelvin.data.table.NumberTable;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.model.ChainSettings;
import dev.kelvin.model.ComponentKind;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.Model;
import dev.kelvin.model.ModelCard;
import dev.kelvin.model.Precision;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.TableProfile;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Start;
import dev.kelvin.negative.Steps;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.BatchSource;
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
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** One run of a {@link ModelTraining}: makes its parts, runs the {@link Trainer}, judges the model and hands it over. */
final class TrainingRun {
    private static final Guard.Settings GUARD = new Guard.Settings(1000, 50, 3);

    private final TrainingPlan plan;
    private final ModelTraining.Choices choices;
    private final long seed;
    private final Key[] keys; // parameters, buffer, data
    private final Optional<SplitTable> table;
    private final SampleKind samples;
    private final SampleSource data;

    TrainingRun(ModelTraining.Data from, TrainingPlan plan, ModelTraining.Choices choices, long seed) {
        this.plan = plan;
        this.choices = choices;
        this.seed = seed;
        keys = FirstParameters.keys(seed);
        table = from.table().map(this::split);
        samples = table.<SampleKind>map(rows -> rows.kind(Optional.empty())).orElseGet(from::kind);
        data = table.map(SplitTable::draws).or(from::draws).orElseThrow();
    }

    private SplitTable split(NumberTable rows) {
        return new SplitTable(
                rows, keys[2], TableProfile.heldOut(rows.rows()), Optional.empty(), TableProfile.NOISE, Device.CPU);
    }

    /** Trains and judges the model. */
    Model model() throws IOException {
        try (Learner learner = learner()) {
            return choices.folder.isPresent() ? saved(choices.folder.get(), learner) : inMemory(learner);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private ModelCard card() {
        return new ModelCard(
                ModelCard.FORMAT,
                "ModelTraining",
                seed,
                samples,
                new ComponentKind.None(),
                Optional.of(plan.settledChains()),
                plan.temperature(),
                Precision.FLOAT,
                table.isPresent(),
                Optional.empty());
    }

    private Model saved(Path run, Learner learner) throws IOException {
        RunSettings kept = RunSettings.of(plan, samples, data);
        Checkpoints checkpoints = new Checkpoints(run.resolve("checkpoints"), Optional.of(kept.text()));
        HeaderFile.requireReadable(learner.model()); // before anything is written
        kept.requireSame(run, checkpoints, plan.iterations(), seed);
        Files.createDirectories(run);
        ModelCard card = card();
        card.withReference(reference(run)).write(run);
        train(learner, checkpoints);
        if (table.isPresent()) {
            try (Model model = Model.load(run, card.judged(), Device.CPU, this::starts)) {
                card.withReference(new RowJudge(table.get()).reference(model, model.step()))
                        .write(run);
            }
            close();
        }
        return Model.load(run);
    }

    /** What a run that goes on was compared with when it was judged. */
    private static Optional<HeldOutReference> reference(Path run) throws IOException {
        try {
            return ModelCard.isIn(run) ? ModelCard.read(run).reference() : Optional.empty();
        } catch (UnreadableFileException e) { // and is written again
            return Optional.empty();
        }
    }

    private Model inMemory(Learner learner) throws IOException {
        EnergyModel energy = learner.model();
        MemoryStates states = new MemoryStates();
        try {
            train(learner, states);
            ModelCard card = card();
            if (table.isPresent()) {
                try (Model unjudged = inMemory(energy, states, card, () -> {})) {
                    card = card.withReference(new RowJudge(table.get()).reference(unjudged, states.step()));
                }
            }
            return inMemory(energy, states, card, () -> {
                states.close();
                close();
            });
        } catch (IOException | RuntimeException e) {
            states.close();
            throw e;
        }
    }

    private Model inMemory(EnergyModel energy, MemoryStates states, ModelCard card, Runnable closing) {
        State state = states.best();
        Parameters parameters;
        try (Scope scope = Scope.open()) {
            Tensor flat = Objects.requireNonNull(
                    state.tensors().getOrDefault("average", state.tensors().get("parameters")));
            parameters = new Parameters(energy.layout(), flat.copy());
        }
        return Model.inMemory(card, energy, parameters, states.step(), this::starts, state, closing);
    }

    private void train(Learner learner, SavedStates states) throws IOException {
        int every = Math.max(1, plan.iterations() / plan.checkpoints());
        Trainer.Settings loop = new Trainer.Settings(plan.iterations(), plan.batch(), every, seed, GUARD);
        Optional<ToDoubleFunction<Learner>> score = table.map(rows -> each -> {
            try (Scope scope = Scope.open()) {
                return new RowJudge(rows).score(each.model().density(each.averaged()), false, Device.CPU);
            }
        });
        new Trainer(loop, BatchSource.fresh(data), learner, states, score, choices.listener, System::nanoTime)
                .run(() -> false);
    }

    /** Where fresh chains begin. */
    private SampleSource starts(Start start) {
        return start.draws(samples.shape(), data, Device.CPU);
    }

    private Learner learner() {
        Network shaped = plan.network().shaped(samples.shape(), 1);
        EnergyModel energy = EnergyModel.plain(
                plan.base().map(base -> base.under(shaped, samples.shape())).orElse(shaped));
        ChainSettings chains = plan.chains();
        SampleSource start = starts(chains.start());
        Optional<ReplayBuffer> buffer = chains.buffer() == 0
                ? Optional.empty()
                : Optional.of(new ReplayBuffer(
                        keys[1],
                        start,
                        Buffer.of(chains.buffer(), ReplayBuffer.Entry.FIFO, 0),
                        Optional.empty(),
                        1,
                        1));
        ModelChains source = new ModelChains(
                start,
                chains.kernel(),
                Steps.of(chains.steps()),
                buffer,
                chains.adapt()
                        .map(adapt -> new ComponentSteps(adapt, energy.head().firstSteps())));
        Parameters parameters =
                FirstParameters.of(energy, keys[0], plan.base(), data, seed, plan.batch(), false, Device.CPU);
        return new EnergyLearner(
                energy,
                source,
                plan.objective(),
                List.of(),
                new EnergyLearner.Settings(plan.batch(), plan.temperature()),
                new Descent(parameters, plan.optimiser(), plan.iterations(), plan.ema()));
    }

    private void close() {
        table.ifPresent(SplitTable::close);
    }
}
