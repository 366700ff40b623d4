package dev.kelvin.run;

import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.DataSettings;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judge;
import dev.kelvin.judge.Judgement;
import dev.kelvin.judge.component.CheckpointMetric;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.ModelCard;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.recipe.Training;
import dev.kelvin.tensor.CheckpointMismatchException;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.RecipeWriter;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** Trains a run in its folder, and judges it. */
public final class Runner {
    private final RunFolder folder;
    private final Device device;
    private final Checkpoints checkpoints; // to read

    /** For the run in a folder. */
    public Runner(RunFolder folder, Device device) {
        this.folder = folder;
        this.device = device;
        this.checkpoints = new Checkpoints(folder.checkpoints());
    }

    /** Goes on from the newest checkpoint until the recipe's end or until {@code stop} says so. */
    public Trainer.Outcome train(Experiment experiment, TrainListener progress, BooleanSupplier stop)
            throws IOException {
        return inFolder(() -> trained(experiment, progress, stop));
    }

    private Trainer.Outcome trained(Experiment experiment, TrainListener progress, BooleanSupplier stop)
            throws IOException {
        Optional<CheckpointMetric> score = Judge.of(experiment).score();
        writeCard(experiment);
        StepTimes times = new StepTimes();
        Log log = new Log(experiment.recipe().train(), folder, score, times, progress);
        Trainer trainer = new Trainer(
                experiment.trainerSettings(),
                experiment.batches(),
                experiment.learner(),
                new Checkpoints(folder.checkpoints(), Optional.of(RecipeWriter.yaml(experiment.recipe()))),
                score.map(each -> learner -> each.value().getAsDouble()),
                log);
        Trainer.Outcome outcome = trainer.run(stop);
        times.write(folder.timing()); // of a run that was over none were written
        return outcome;
    }

    /** Work with files, with its result. */
    private interface Work<T> {
        T done() throws IOException;
    }

    /** What is written to the run's folder; if that is gone, this is said rather than which file could not be made. */
    private <T> T inFolder(Work<T> work) throws IOException {
        folder.requireStill();
        try {
            return work.done();
        } catch (IOException e) {
            folder.requireStill();
            throw e;
        }
    }

    /** Loads the chosen checkpoint into the experiment; returns its step. */
    public long restore(Experiment experiment, CheckpointChoice which) throws IOException {
        requireUnchanged(experiment);
        Optional<Checkpoints.Position> found = load(experiment, which);
        if (found.isPresent()) {
            return found.get().step();
        }
        if (which.step().isEmpty()) {
            throw new UserException(folder.path() + " has no checkpoint yet; resume it by: "
                    + Words.command("train", "--resume", folder.path()));
        }
        List<Long> kept = checkpoints.steps();
        throw new UserException(folder.path() + " has no checkpoint of step "
                + which.step().getAsLong() + "; it keeps the last two and the best by its score: "
                + (kept.isEmpty()
                        ? "none yet"
                        : kept.stream().map(String::valueOf).collect(Collectors.joining(", "))));
    }

    /** Loads the checkpoint that the recipe says is judged; returns its step. */
    public long restoreJudged(Experiment experiment) throws IOException {
        boolean best = experiment.recipe().train().evaluate() == Training.Which.BEST;
        return restore(experiment, best ? CheckpointChoice.BEST : CheckpointChoice.NEWEST);
    }

    /** Refuses a recipe's file that was changed since the checkpoint, or accepts it, and writes that down. */
    public void requireSettings(boolean accept) throws IOException {
        folder.requireStill();
        Optional<String> saved = checkpoints.newest().flatMap(Checkpoints.Header::settings);
        if (saved.isEmpty() || folder.hasRecipe(saved.get())) {
            return;
        }
        require(settingsChange(provenance(), folder.recipe(List.of()), List.of()), accept);
    }

    /** Refuses other data than those of the run, or accepts them, and writes that down; and where they lie now. */
    public void requireData(Recipe recipe, Data data, boolean accept) throws IOException {
        require(provenance().dataChange(recipe, data), accept);
        if (!recipe.data().equals(folder.recipe(List.of()).data())) { // they were moved, and are known to be the same
            folder.write(recipe);
        }
    }

    private void require(Optional<Provenance.Change> change, boolean accept) throws IOException {
        if (change.isPresent()) {
            if (!accept) {
                throw refused(List.of(change.get()), advice());
            }
            folder.write(provenance().accepting(change.get()));
        }
    }

    private String advice() {
        return "accept it by: " + Words.command("evaluate", "--accept-changes", folder.path());
    }

    private void requireUnchanged(Experiment experiment) throws IOException {
        folder.requireStill();
        List<Provenance.Change> changes = changes(experiment);
        if (!changes.isEmpty()) {
            throw refused(changes, advice());
        }
    }

    private UserException refused(List<Provenance.Change> changes, String remedy) {
        String what = changes.stream().map(Provenance.Change::what).collect(Collectors.joining("; "));
        return new UserException(folder.path() + " was changed since its checkpoint: " + what
                + ". Change that back, or " + remedy);
    }

    /** Accepts that data or recipe are others than those that the checkpoint was trained with, and writes that down. */
    public void accept(Experiment experiment) throws IOException {
        List<Provenance.Change> changes = changes(experiment);
        if (!changes.isEmpty()) {
            Provenance provenance = provenance();
            for (Provenance.Change change : changes) {
                provenance = provenance.accepting(change);
            }
            folder.write(provenance);
        }
    }

    /** What has changed since the checkpoint, and was not accepted. */
    private List<Provenance.Change> changes(Experiment experiment) throws IOException {
        List<Provenance.Change> changes = new ArrayList<>();
        Provenance provenance = provenance();
        settingsChange(provenance, experiment.recipe(), List.of()).ifPresent(changes::add);
        provenance.dataChange(experiment.recipe(), experiment.data()).ifPresent(changes::add);
        return changes;
    }

    /** What is on record; nothing of a run without a record. */
    private Provenance provenance() {
        return Files.exists(folder.provenance()) ? Provenance.read(folder.provenance()) : new Provenance(Map.of());
    }

    /**
     * Makes the run ready to go on with this experiment, and writes that down. Refuses one that does not fit, and changes of
     * the data or of the recipe's file since the checkpoint, unless they are accepted; the overrides are.
     */
    public void resume(Experiment experiment, List<String> overrides, boolean accept) throws IOException {
        requireFit(experiment);
        Recipe chosen = experiment.recipe();
        Provenance provenance = Provenance.read(folder.provenance());
        Optional<Provenance.Change> wanted = Provenance.Change.between(folder.recipe(List.of()), chosen);
        DataSettings before = folder.recipe(List.of()).data();
        boolean otherData = !folder.recipe(overrides).data().equals(before);
        List<Provenance.Change> unasked = new ArrayList<>();
        settingsChange(provenance, chosen, overrides).ifPresent(unasked::add);
        Optional<Provenance.Change> data = provenance.dataChange(experiment.recipe(), experiment.data());
        data.filter(change -> !otherData).ifPresent(unasked::add);
        if (!unasked.isEmpty() && !accept) {
            throw refused(unasked, "accept it with --accept-changes");
        }
        List<Provenance.Change> accepted = new ArrayList<>(unasked);
        wanted.ifPresent(accepted::add);
        data.filter(change -> otherData).ifPresent(accepted::add);
        for (Provenance.Change change : accepted) {
            provenance = provenance.accepting(change);
        }
        folder.write(
                provenance.resumed(experiment, device)); // first, or a kill would leave a recipe that nobody accepted
        if (!overrides.isEmpty() || !chosen.data().equals(before)) {
            folder.write(chosen);
        }
    }

    /** How the recipe's file differs from what the newest checkpoint was trained with, the overrides apart. */
    private Optional<Provenance.Change> settingsChange(Provenance provenance, Recipe chosen, List<String> overrides)
            throws IOException {
        Optional<String> saved = checkpoints.newest().flatMap(Checkpoints.Header::settings);
        if (saved.isEmpty() || provenance.accepts(Provenance.Change.hash(folder.recipe(List.of())))) {
            return Optional.empty();
        }
        try {
            return Provenance.Change.between(Recipes.ofRun("the checkpoint's recipe", saved.get(), overrides), chosen);
        } catch (RecipeException e) {
            return Optional.of(new Provenance.Change(
                    "the recipe is another (" + e.getMessage() + ")", Provenance.Change.hash(chosen)));
        }
    }

    /** Refuses an experiment with which the run cannot go on: of another shape, or of a recipe that ends before its checkpoint. */
    private void requireFit(Experiment experiment) throws IOException {
        long seed = experiment.recipe().train().seed();
        Checkpoints.Position at =
                load(experiment, CheckpointChoice.NEWEST).orElse(new Checkpoints.Position(0, 0, seed));
        if (at.seed() != seed) {
            throw new UserException(folder.path() + "'s checkpoint does not fit the recipe: its seed is " + at.seed()
                    + ", the recipe's " + seed);
        }
        long done = at.step();
        long iterations = experiment.recipe().train().iterations();
        if (done > iterations) {
            throw new UserException(folder.path() + " has done " + done + " steps already; train.iterations must be at"
                    + " least that, found " + iterations);
        }
    }

    private Optional<Checkpoints.Position> load(Experiment experiment, CheckpointChoice which) throws IOException {
        return fitting(() -> checkpoints.restore(which, experiment.learner()));
    }

    private <T> T fitting(Work<T> loading) throws IOException {
        try {
            return loading.done();
        } catch (CheckpointMismatchException e) {
            throw new UserException(folder.path() + "'s checkpoint does not fit the recipe: " + e.getMessage());
        }
    }

    /** A checkpoint's model with its figures. */
    public record Judged(Judgement judgement, Evaluation evaluation) {}

    /** Loads the checkpoint that the recipe says is judged, passes its step on, and evaluates it. */
    public Judged judge(Experiment experiment, WorkListener listener, LongConsumer loaded) throws IOException {
        long step = restoreJudged(experiment);
        loaded.accept(step);
        Judgement judgement = Judge.of(experiment).judgement();
        return new Judged(judgement, evaluate(experiment, judgement, step, listener));
    }

    /**
     * Measures the model as it stands, a checkpoint's, and writes the figures and what scores are compared with. The figures
     * are written last: a run that has them is finished.
     */
    public Evaluation evaluate(Experiment experiment, Judgement judgement, long step, WorkListener listener)
            throws IOException {
        Evaluation evaluation = judgement.evaluate(experiment.model().card().evaluationKey(), folder.runs(), listener);
        return inFolder(() -> {
            writeCard(experiment, judgement.reference(evaluation, step));
            evaluation.write(folder.evaluation());
            return evaluation;
        });
    }

    /** Writes what the model is; what was measured when it was judged stays. */
    private void writeCard(Experiment experiment) throws IOException {
        Optional<HeldOutReference> known =
                ModelCard.isIn(folder.path()) ? SavedCard.reference(folder.path()) : Optional.empty();
        writeCard(experiment, known);
    }

    private void writeCard(Experiment experiment, Optional<HeldOutReference> reference) throws IOException {
        experiment.model().card().withReference(reference).write(folder.path());
    }

    /** Whether a finished run has all of the files that {@link #complete} makes. */
    public boolean isComplete() throws IOException {
        return Files.exists(folder.timing())
                && ModelCard.isIn(folder.path())
                && SavedCard.reference(folder.path()).isPresent();
    }

    /**
     * Makes what a finished run lacks of the files beside its figures, such as one of an earlier version or one that was
     * killed; not without a checkpoint.
     */
    public void complete(Experiment experiment) throws IOException {
        if (checkpoints.newest().isEmpty()) {
            return;
        }
        long step = restoreJudged(experiment);
        writeCard(experiment);
        new StepTimes().write(folder.timing());
        if (SavedCard.reference(folder.path()).isEmpty()) {
            writeCard(
                    experiment, Judge.of(experiment).judgement().reference(Evaluation.read(folder.evaluation()), step));
        }
    }

    /** Writes the metrics and passes everything on. */
    private record Log(
            Training train, RunFolder folder, Optional<CheckpointMetric> score, StepTimes times, TrainListener next)
            implements TrainListener {
        private MetricsLog metrics() {
            folder.requireStill();
            return new MetricsLog(folder.metrics());
        }

        /**
         * Whether the curve of a cheap score has a point there, checkpoint or not: at nine steps of every power of ten. The
         * recipe's length plays no part, so that a run that is extended has the points of one that was long from the start.
         */
        private boolean onCurve(long step) {
            long digits = step;
            while (digits > 0 && digits % 10 == 0) {
                digits /= 10;
            }
            return digits > 0
                    && digits < 10
                    && score.filter(CheckpointMetric::cheap).isPresent();
        }

        @Override
        public void startedAt(long step) throws IOException {
            metrics().rewind(step);
            if (score.isPresent()
                    && step < train.iterations()
                    && step % train.checkpointEvery() != 0
                    && !onCurve(step)) {
                // a run that is extended must not remember where it ended
                metrics().drop(step, score.get().figure().name());
            }
            times.started();
            next.startedAt(step);
        }

        @Override
        public void stepped(long step, StepReport report) throws IOException {
            times.stepped();
            if (step % train.logEvery() == 0) {
                metrics().add(step, report.values());
            }
            boolean scoredAnyway = step % train.checkpointEvery() == 0 || step == train.iterations();
            if (onCurve(step) && !scoredAnyway) {
                add(step, score.orElseThrow().value().getAsDouble());
            }
            next.stepped(step, report);
        }

        @Override
        public void scored(long step, OptionalDouble value) throws IOException {
            if (score.isPresent() && value.isPresent()) {
                add(step, value.getAsDouble());
            }
            next.scored(step, value);
        }

        private void add(long step, double value) throws IOException {
            metrics().add(step, Map.of(score.orElseThrow().figure().name(), value));
        }

        @Override
        public void saving() throws IOException {
            metrics().sync();
            times.write(folder.timing()); // before the last checkpoint too: a run that has that takes no step to time
            next.saving();
        }

        @Override
        public void wentBack(long brokenStep, long toStep, String why, int attempt, int attempts) throws IOException {
            metrics().dropFrom(MetricsLog.Rollback.ATTEMPT, attempt); // a run that was killed here goes back again
            metrics().add(toStep, new MetricsLog.Rollback(brokenStep, toStep, attempt).values());
            next.wentBack(brokenStep, toStep, why, attempt, attempts);
        }

        @Override
        public void gaveUp(long brokenStep, int attempts) throws IOException {
            metrics().dropFrom(MetricsLog.Rollback.GAVE_UP, 0);
            metrics().add(brokenStep, Map.of(MetricsLog.Rollback.GAVE_UP, (double)
                    attempts)); // forgotten when the run is resumed
            metrics().sync();
            next.gaveUp(brokenStep, attempts);
        }
    }
}
