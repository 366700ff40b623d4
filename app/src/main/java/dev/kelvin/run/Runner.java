package dev.kelvin.run;

import dev.kelvin.dataset.Build;
import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judge;
import dev.kelvin.judge.TrainingJudge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.ModelCard;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.recipe.Training;
import dev.kelvin.run.Provenance.Change;
import dev.kelvin.tensor.CheckpointMismatchException;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.checkpoint.RankStates;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.RecipeWriter;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        return inFolder(() -> {
            Optional<CheckpointMetric> score = Judge.of(experiment).score();
            writeCard(experiment, known());
            try (Curve curve = Curve.of(experiment, folder.runs())) {
                return train(experiment, score, curve, progress, stop);
            }
        });
    }

    private Trainer.Outcome train(
            Experiment experiment,
            Optional<CheckpointMetric> score,
            Curve curve,
            TrainListener progress,
            BooleanSupplier stop)
            throws IOException {
        StepTimes times = new StepTimes();
        Checkpoints kept = new Checkpoints(
                folder.checkpoints(),
                Optional.of(RecipeWriter.yaml(experiment.recipe())),
                experiment.recipe().train().largestFileBytes());
        Trainer trainer = new Trainer(
                experiment.trainerSettings(),
                experiment.batches(),
                experiment.learner(),
                experiment.ranks().size() == 1 ? kept : new RankStates(Optional.of(kept), experiment.ranks()),
                score.map(each -> learner -> each.value().getAsDouble()),
                new Log(
                        experiment.recipe().train(),
                        folder,
                        score,
                        curve,
                        step -> BufferPictures.draw(experiment, folder, step),
                        times,
                        progress),
                System::nanoTime,
                experiment.ranks());
        Trainer.Outcome outcome = trainer.run(stop);
        times.write(folder.timing()); // of a run that was over none were written
        return outcome;
    }

    /** Trains as one of several ranks that is not the first: it scores, writes and prints nothing. */
    public static Trainer.Outcome follow(Experiment experiment, BooleanSupplier stop) throws IOException {
        return new Trainer(
                        experiment.trainerSettings(),
                        experiment.batches(),
                        experiment.learner(),
                        new RankStates(Optional.empty(), experiment.ranks()),
                        Optional.empty(),
                        new TrainListener() {},
                        System::nanoTime,
                        experiment.ranks())
                .run(stop);
    }

    /** Refuses, at all ranks, that one would train by another recipe, on other data or by another version than the first. */
    public static void requireSame(Experiment experiment) throws IOException {
        String facts = String.join(
                " ",
                Change.hash(experiment.recipe()),
                experiment.data().hash(),
                String.valueOf(Build.facts().get("commit")));
        byte[][] all = experiment.ranks().gatherBytes(facts.getBytes(StandardCharsets.UTF_8));
        for (int rank = 1; rank < all.length; rank++) {
            if (!Arrays.equals(all[rank], all[0])) {
                throw new UserException("rank " + rank
                        + " has another recipe, other data or another version of Kelvin than rank 0; start all with the"
                        + " same words, data and program");
            }
        }
    }

    /** What is measured of the model every some iterations of training. */
    private record Curve(int every, Optional<TrainingJudge> judge) implements AutoCloseable {
        static Curve of(Experiment experiment, Path runs) throws IOException {
            return new Curve(
                    experiment.recipe().train().judgeEvery(),
                    Judge.of(experiment).inTraining(runs));
        }

        /** The figures at a step; none where none are due. */
        Map<String, Double> at(long step) {
            return every > 0 && step % every == 0 ? judge.map(by -> by.at(step)).orElse(Map.of()) : Map.of();
        }

        @Override
        public void close() throws IOException {
            if (judge.isPresent()) {
                judge.get().close();
            }
        }
    }

    /** What is drawn of the model at a checkpoint. */
    private interface Pictures {
        void draw(long step) throws IOException;
    }

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
        folder.requireStill();
        require(changes(experiment), false);
        Optional<Checkpoints.Position> found = load(experiment, which);
        if (found.isPresent()) {
            return found.get().step();
        }
        if (which.step().isEmpty()) {
            throw new UserException(folder.path() + " has no checkpoint yet; resume it by: "
                    + Words.command("train", "--resume", folder.path()));
        }
        String kept = checkpoints.steps().stream().map(String::valueOf).collect(Collectors.joining(", "));
        throw new UserException(folder.path() + " has no checkpoint of step "
                + which.step().getAsLong() + "; it keeps the last two and the best by its score: "
                + (kept.isEmpty() ? "none yet" : kept));
    }

    /** Loads the checkpoint that the recipe says is judged; returns its step. */
    public long restoreJudged(Experiment experiment) throws IOException {
        return restore(experiment, experiment.model().card().judged());
    }

    /** Refuses a recipe's file that was changed since the checkpoint, or accepts it, and writes that down. */
    void requireSettings(boolean accept) throws IOException {
        require(
                settingsChange(provenance(), folder.recipe(List.of()), List.of()).stream()
                        .toList(),
                accept);
    }

    /** Refuses other data than those of the run, or accepts them, and writes that down; and where they lie now. */
    public void requireData(Recipe recipe, Data data, boolean accept) throws IOException {
        require(provenance().dataChange(recipe, data).stream().toList(), accept);
        if (!recipe.data().equals(folder.recipe(List.of()).data())) { // they were moved, and are known to be the same
            folder.write(recipe);
        }
    }

    private void require(List<Change> changes, boolean accept) throws IOException {
        if (!changes.isEmpty() && !accept) {
            throw refused(changes, "accept it by: " + Words.command("evaluate", "--accept-changes", folder.path()));
        }
        if (!changes.isEmpty()) {
            folder.write(provenance().accepting(changes));
        }
    }

    private UserException refused(List<Change> changes, String remedy) {
        String what = changes.stream().map(Change::what).collect(Collectors.joining("; "));
        return new UserException(
                folder.path() + " was changed since its checkpoint: " + what + ". Change that back, or " + remedy);
    }

    /** Accepts that data or recipe are others than those that the checkpoint was trained with, and writes that down. */
    public void accept(Experiment experiment) throws IOException {
        require(changes(experiment), true);
    }

    /** What has changed since the checkpoint, and was not accepted. */
    private List<Change> changes(Experiment experiment) throws IOException {
        Provenance provenance = provenance();
        return Stream.of(
                        settingsChange(provenance, experiment.recipe(), List.of()),
                        provenance.dataChange(experiment.recipe(), experiment.data()))
                .flatMap(Optional::stream)
                .toList();
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
        Recipe before = folder.recipe(List.of());
        boolean otherData = !folder.recipe(overrides).data().equals(before.data());
        Optional<Change> data = provenance.dataChange(chosen, experiment.data());
        List<Change> changes = new ArrayList<>();
        settingsChange(provenance, chosen, overrides).ifPresent(changes::add);
        data.filter(change -> !otherData).ifPresent(changes::add);
        if (!changes.isEmpty() && !accept) {
            throw refused(changes, "accept it with --accept-changes");
        }
        Change.between(before, chosen).ifPresent(changes::add);
        data.filter(change -> otherData).ifPresent(changes::add);
        // first, or a kill would leave a recipe that nobody accepted
        folder.write(provenance.accepting(changes).resumed(experiment, device));
        if (!overrides.isEmpty() || !chosen.data().equals(before.data())) {
            folder.write(chosen);
        }
    }

    /** How the recipe's file differs from what the newest checkpoint was trained with, the overrides apart. */
    private Optional<Change> settingsChange(Provenance provenance, Recipe chosen, List<String> overrides)
            throws IOException {
        Optional<String> saved = checkpoints.newest().flatMap(Checkpoints.Header::settings);
        if (saved.isEmpty() || provenance.accepts(Change.hash(folder.recipe(List.of())))) {
            return Optional.empty();
        }
        try {
            return Change.between(Recipes.ofRun("the checkpoint's recipe", saved.get(), overrides), chosen);
        } catch (RecipeException e) {
            return Optional.of(new Change("the recipe is another (" + e.getMessage() + ")", Change.hash(chosen)));
        }
    }

    /** Refuses an experiment with which the run cannot go on: of another shape, or of a recipe that ends before its checkpoint. */
    private void requireFit(Experiment experiment) throws IOException {
        Training train = experiment.recipe().train();
        Optional<Checkpoints.Position> at = load(experiment, CheckpointChoice.NEWEST);
        if (at.isPresent() && at.get().seed() != train.seed()) {
            throw new UserException(folder.path() + "'s checkpoint does not fit the recipe: its seed is "
                    + at.get().seed() + ", the recipe's " + train.seed());
        }
        if (at.isPresent() && at.get().step() > train.iterations()) {
            throw new UserException(folder.path() + " has done " + at.get().step()
                    + " steps already; train.iterations must be at least that, found " + train.iterations());
        }
    }

    private Optional<Checkpoints.Position> load(Experiment experiment, CheckpointChoice which) throws IOException {
        try {
            return checkpoints.restore(which, experiment.learner());
        } catch (CheckpointMismatchException e) {
            throw new UserException(folder.path() + "'s checkpoint does not fit the recipe: " + e.getMessage());
        }
    }

    /** A checkpoint's model with its figures. */
    public record Judged(Judge judge, Evaluation evaluation) {}

    /** Loads the checkpoint that the recipe says is judged, passes its step on, and evaluates it. */
    public Judged judge(Experiment experiment, WorkListener listener, LongConsumer loaded) throws IOException {
        long step = restoreJudged(experiment);
        loaded.accept(step);
        Judge judgement = Judge.of(experiment).measured();
        return new Judged(judgement, evaluate(experiment, judgement, step, listener));
    }

    /** Measures a checkpoint's model, and writes what scores are compared with and, last, the figures. */
    public Evaluation evaluate(Experiment experiment, Judge judgement, long step, WorkListener listener)
            throws IOException {
        Evaluation evaluation = judgement.evaluate(experiment.model().card().evaluationKey(), folder.runs(), listener);
        return inFolder(() -> {
            writeCard(experiment, judgement.reference(evaluation, step));
            evaluation.write(folder.evaluation());
            return evaluation;
        });
    }

    private void writeCard(Experiment experiment, Optional<HeldOutReference> reference) throws IOException {
        experiment.model().card().withReference(reference).write(folder.path());
    }

    /** Whether a finished run has all files beside its figures; one of an earlier version may lack some. */
    public boolean isComplete() throws IOException {
        // without a checkpoint there is nothing to make them of
        return checkpoints.newest().isEmpty() || (Files.exists(folder.timing()) && known().isPresent());
    }

    /** What was measured when the model was judged, if it was. */
    private Optional<HeldOutReference> known() throws IOException {
        return ModelCard.isIn(folder.path()) ? SavedCard.reference(folder.path()) : Optional.empty();
    }

    /** Writes the metrics and passes everything on. */
    private record Log(
            Training train,
            RunFolder folder,
            Optional<CheckpointMetric> score,
            Curve curve,
            Pictures pictures,
            StepTimes times,
            TrainListener next)
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
            return Long.toString(step).matches("[1-9]0*")
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
            Map<String, Double> measured = curve.at(step);
            if (!measured.isEmpty()) {
                metrics().add(step, measured);
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
            pictures.draw(step);
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
            // forgotten when the run is resumed
            metrics().add(brokenStep, Map.of(MetricsLog.Rollback.GAVE_UP, (double) attempts));
            metrics().sync();
            next.gaveUp(brokenStep, attempts);
        }
    }
}
