package dev.kelvin.train.loop;

import dev.kelvin.distributed.Ranks;
import dev.kelvin.negative.Batch;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Recording;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.train.BatchSource;
import dev.kelvin.train.Learner;
import dev.kelvin.train.StepReport;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.checkpoint.Checkpoints;
import dev.kelvin.train.checkpoint.RankStates;
import dev.kelvin.train.checkpoint.SavedStates;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The training loop. Step n takes a key made from (seed, times gone back, n) alone, so that a run that was stopped and
 * resumed equals one that was not, to the bit on the CPU. Several {@link Ranks} go through the same steps: whether to stop, to
 * save or to go back is agreed, and what they save is one state.
 */
public final class Trainer {
    /** How long, in batches of what size, how often to save, from which seed. */
    public record Settings(long iterations, int batch, long checkpointEvery, long seed, Guard.Settings guard) {}

    /** How a run ended. */
    public enum Outcome {
        FINISHED,
        INTERRUPTED
    }

    private final Settings settings;
    private final BatchSource data;
    private final Learner learner;
    private final SavedStates checkpoints;
    private final Optional<ToDoubleFunction<Learner>> score;
    private final TrainListener listener;
    private final SaveClock clock;
    private boolean begun;
    private final Ranks ranks;

    /** Data give the positives; the score, lower is better, judges the learner at each checkpoint. The clock is in nanoseconds. */
    public Trainer(
            Settings settings,
            BatchSource data,
            Learner learner,
            SavedStates checkpoints,
            Optional<ToDoubleFunction<Learner>> score,
            TrainListener listener,
            LongSupplier nanos) {
        this(settings, data, learner, checkpoints, score, listener, nanos, Ranks.ALONE);
    }

    /** One of several ranks; the first alone has a score and a listener, and all keep {@link RankStates}. */
    public Trainer(
            Settings settings,
            BatchSource data,
            Learner learner,
            SavedStates checkpoints,
            Optional<ToDoubleFunction<Learner>> score,
            TrainListener listener,
            LongSupplier nanos,
            Ranks ranks) {
        this.settings = settings;
        this.data = data;
        this.learner = learner;
        this.checkpoints = checkpoints;
        this.score = score;
        this.listener = listener;
        this.clock = new SaveClock(nanos);
        this.ranks = ranks;
    }

    /** Goes on from the newest checkpoint, or from the beginning, until all is done or {@code stop} says so. */
    public Outcome run(BooleanSupplier stop) throws IOException {
        Guard guard = new Guard(settings.guard);
        Checkpoints.Position at =
                checkpoints.restore(learner, false).orElse(new Checkpoints.Position(0, 0, settings.seed));
        if (at.seed() != settings.seed) {
            throw new IllegalStateException("the saved run has seed " + at.seed() + ", here it is " + settings.seed);
        }
        checkpoints.tidy();
        long step = at.step();
        int retries = at.retries();
        if (step == 0 && retries == 0) { // a run that went back to its beginning has that on record
            save(0, retries, OptionalDouble.empty(), true);
        }
        long saved = step;
        listener.startedAt(step);
        clock.start();
        while (step < settings.iterations && !ranks.any(stop.getAsBoolean())) {
            StepReport report = step(step, retries);
            clock.stepped();
            step++;
            boolean last = step == settings.iterations;
            boolean due = step % settings.checkpointEvery == 0 || last;
            Optional<String> broken =
                    guard.check(step, report, last).or(() -> due ? agreed(notFinite()) : Optional.empty());
            if (broken.isPresent()) {
                step = goBack(step, ++retries, broken.get());
                saved = step;
                guard.reset();
                continue;
            }
            listener.stepped(step, report);
            if (due && guard.calm()) {
                OptionalDouble value = score.map(by -> OptionalDouble.of(by.applyAsDouble(learner)))
                        .orElse(OptionalDouble.empty());
                listener.scored(step, value); // before the checkpoint, so that what it covers is on record
                save(step, retries, value, true);
                saved = step;
            } else if (ranks.any(clock.due()) && saveBetween(guard, step, retries)) {
                saved = step;
            }
        }
        boolean finished = step == settings.iterations;
        if (!finished && step != saved) {
            saveBetween(guard, step, retries);
        }
        ranks.any(false); // nobody leaves before all have what was sent
        return finished ? Outcome.FINISHED : Outcome.INTERRUPTED;
    }

    /** Saves between two regular checkpoints, if the state is good. Nothing may depend on whether it was: the clock decides. */
    private boolean saveBetween(Guard guard, long step, int retries) throws IOException {
        boolean good = guard.calm() && agreed(notFinite()).isEmpty();
        if (good) {
            save(step, retries, OptionalDouble.empty(), false);
        }
        return good;
    }

    /** What of the learner is NaN or infinite. A step's numbers do not show it: they are from before the update. */
    private Optional<String> notFinite() {
        State state = State.empty();
        learner.save(state);
        return state.tensors().entrySet().stream()
                .filter(entry -> !entry.getValue().allFinite())
                .map(entry -> entry.getKey() + " is not finite")
                .findFirst();
    }

    /** What is wrong here, or that something is at another rank. */
    private Optional<String> agreed(Optional<String> problem) {
        return ranks.any(problem.isPresent())
                ? problem.or(() -> Optional.of("what another rank holds is not finite"))
                : Optional.empty();
    }

    private StepReport step(long step, int retries) {
        try (Scope scope = Scope.open()) {
            Key[] keys = Key.of(settings.seed).child(retries).child(step).split(2);
            Batch batch = data.batch(keys[0], step, settings.batch);
            Supplier<StepReport> work = () -> learner.step(keys[1], step, batch);
            boolean first = !begun;
            begun = true;
            return first ? Recording.rehearsed(batch.x().device(), work) : work.get();
        }
    }

    private void save(long step, int retries, OptionalDouble value, boolean regular) throws IOException {
        listener.saving();
        clock.saving();
        checkpoints.save(new Checkpoints.Position(step, retries, settings.seed), learner, value, regular);
        clock.saved();
    }

    private long goBack(long brokenStep, int retries, String why) throws IOException {
        int allowed = settings.guard.retries();
        if (retries > allowed) {
            checkpoints.dropBetween();
            listener.gaveUp(brokenStep, allowed);
            throw new DivergedException(
                    brokenStep,
                    why + ", after going back " + allowed
                            + (allowed == 1 ? " time" : " times")
                            + ". Everything up to the last good checkpoint is kept. Try a"
                            + " smaller learning rate, a smaller step, more steps or, where the settings allow one, an L2"
                            + " penalty on f (l2)");
        }
        long to = checkpoints
                .restore(learner, true)
                .orElseThrow(() -> new IllegalStateException("there is no checkpoint to go back to"))
                .step();
        listener.wentBack(brokenStep, to, why, retries, allowed);
        save(
                to,
                retries,
                OptionalDouble.empty(),
                false); // in place of what was saved of the steps that are undone, before their log is
        listener.startedAt(to);
        return to;
    }

    /**
     * Tells when the work since the last save is worth saving: before more than a minute of it could be lost. What could be lost
     * is what was done since then, the next step, and the time that saving takes.
     */
    private static final class SaveClock {
        private static final long SECOND = 1_000_000_000L;

        /** Less than a minute, because steps and disks are not always as fast as the last time. */
        private static final long MOST_LOST = 50 * SECOND;

        /** A disk so slow that saving takes long is not written to all the time: at most a fifth of a run is spent on it. */
        private static final int WORK_PER_SAVE = 4;

        private final LongSupplier nanos;
        private long savedAt;
        private long steppedAt;
        private long savingSince;
        private long lastStep;
        private long lastSave;

        SaveClock(LongSupplier nanos) {
            this.nanos = nanos;
        }

        /** What there is now is on the disk. */
        void start() {
            savedAt = nanos.getAsLong();
            steppedAt = savedAt;
        }

        void stepped() {
            long now = nanos.getAsLong();
            lastStep = now - steppedAt;
            steppedAt = now;
        }

        void saving() {
            savingSince = nanos.getAsLong();
        }

        void saved() {
            long now = nanos.getAsLong();
            lastSave = now - savingSince;
            savedAt = now;
            steppedAt = now;
        }

        /** Whether another step would be too much to lose. */
        boolean due() {
            long worked = nanos.getAsLong() - savedAt;
            return worked + lastStep + lastSave >= MOST_LOST && worked >= WORK_PER_SAVE * lastSave;
        }
    }
}
