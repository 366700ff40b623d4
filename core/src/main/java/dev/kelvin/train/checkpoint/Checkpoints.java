package dev.kelvin.train.checkpoint;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.CheckpointMismatchException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.Learner;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of saved states: {@code STEP.safetensors} or its parts have the tensors, {@code STEP.json} the rest with the tensors'
 * SHA-256 and its own. The JSON is written last: a checkpoint without one, or with a wrong sum, is damaged and does not
 * count. Where all are, whoever wants one is stopped by an {@link UnreadableFileException}, and they stay. One that is whole
 * and not understood (see {@link NotUnderstoodException}) stops whoever wants to read it, and stays too. The last two and the
 * best are kept.
 *
 * <p>Those are the regular ones, at steps that follow from the settings. Beside them there is at most one between, {@code
 * STEP-RETRIES}, from when a minute had passed or the run was stopped. A run that is resumed goes on from it, and one that
 * breaks does not go back to it: what a run computes must not depend on the clock.
 *
 * <p>Another process may read while one saves: a file is removed or replaced only after its JSON, and a reader whose JSON
 * is gone looks again.
 */
public final class Checkpoints implements SavedStates {
    /** How many of the newest are kept. */
    private static final int NEWEST = 2;

    /** How often a reader looks again: to lose so often, it would have to be slower each time than two saves. */
    private static final int LOOKS = 20;

    /** Where a run stands: steps done, times gone back, and the seed; together they are the next step's key. */
    public record Position(long step, int retries, long seed) {}

    /**
     * What {@code STEP.json} holds.
     *
     * @param format the format of the file that it was read from
     * @param settings the settings of the run, as text, where they were given
     * @param tensors the SHA-256 of the tensors' file
     */
    public record Header(
            int format,
            long step,
            int retries,
            long seed,
            boolean regular,
            Optional<Double> score,
            Optional<String> settings,
            EnergyModel model,
            Map<String, Long> numbers,
            String tensors) {}

    /** A checkpoint that was read. The tensors belong to the scope in which it was. */
    public record Saved(Header header, Map<String, Tensor> tensors) {}

    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

    private final CheckpointFiles files;
    private final Optional<String> settings;
    private final OptionalLong largest;
    private final Set<String> warned = new HashSet<>();

    /** In a folder, which need not be there yet; the run's folder around it must. */
    public Checkpoints(Path folder) {
        this(folder, Optional.empty());
    }

    /** The settings are saved with each checkpoint, so that a changed recipe is noticed. */
    public Checkpoints(Path folder, Optional<String> settings) {
        this(folder, settings, OptionalLong.empty());
    }

    /** Tensors that would take more bytes than {@code largest} are saved in parts of that size; read are both, always. */
    public Checkpoints(Path folder, Optional<String> settings, OptionalLong largest) {
        largest.ifPresent(bytes -> Check.atLeast("largest", bytes, 1));
        this.largest = largest;
        this.files = new CheckpointFiles(folder);
        this.settings = settings;
    }

    // ---- saving

    /** Saves the learner and removes those that are to be kept no longer. */
    @Override
    public void save(Position at, Learner learner, OptionalDouble score, boolean regular) throws IOException {
        HeaderFile.requireReadable(learner.model());
        String name = CheckpointFiles.name(at, regular);
        files.makeRoom(name);
        State state = State.empty();
        learner.save(state);
        files.write(name, state.tensors(), Map.of("step", Long.toString(at.step())), largest);
        Optional<Double> finite =
                score.stream().filter(Double::isFinite).boxed().findFirst();
        Header header = new Header(
                HeaderFile.FORMAT,
                at.step(),
                at.retries(),
                at.seed(),
                regular,
                finite,
                settings,
                learner.model(),
                state.numbers(),
                files.sum(name));
        AtomicFile.write(files.header(name), HeaderFile.text(header));
        prune(Optional.of(name));
    }

    /** Removes what a run that was killed left behind: unfinished files, and those that it was about to remove. */
    @Override
    public void tidy() throws IOException {
        if (!files.names().isEmpty()) {
            prune(Optional.empty());
        }
    }

    /** Removes what was saved between regular ones, so that a diverged run leaves only deterministic checkpoints. */
    @Override
    public void dropBetween() throws IOException {
        prune(Optional.of(""));
    }

    /** Of those between regular ones only this one stays; without a name, the newest of all if it is one of them. */
    private void prune(Optional<String> between) throws IOException {
        // a damaged one neither counts nor stays: beside it the last good one would be removed
        List<CheckpointFiles.Whole> whole = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        Set<String> kept = new HashSet<>();
        for (String name : files.names()) {
            try {
                files.whole(name, damaged).ifPresent(whole::add);
            } catch (NotUnderstoodException e) {
                kept.add(name);
            } catch (NoSuchFileException e) {
                LOG.debug("{} is gone", e.getFile());
            }
        }
        warn(damaged);
        between.or(() -> whole.stream().map(CheckpointFiles.Whole::name).findFirst())
                .ifPresent(kept::add);
        whole.removeIf(each -> !each.header().regular());
        whole.stream().limit(NEWEST).forEach(each -> kept.add(each.name()));
        bestOf(whole).ifPresent(each -> kept.add(each.name()));
        files.removeAllBut(kept);
    }

    // ---- reading

    /** Loads the newest whole checkpoint into the learner; a damaged one is passed over with a warning. */
    @Override
    public Optional<Position> restore(Learner learner, boolean regular) throws IOException {
        return load(() -> newest(header -> header.regular() || !regular), learner);
    }

    /** Loads the chosen one; nothing where there is none. */
    public Optional<Position> restore(CheckpointChoice which, Learner learner) throws IOException {
        return load(() -> chosen(which), learner);
    }

    /** The steps of the whole checkpoints that are kept, the newest first. */
    public List<Long> steps() throws IOException {
        return untilItStays(() -> wholeUpTo(header -> false)).stream()
                .map(whole -> whole.header().step())
                .toList();
    }

    private Optional<Position> load(Look<Optional<CheckpointFiles.Whole>> which, Learner learner) throws IOException {
        try (Scope scope = Scope.open()) {
            Optional<Saved> found = read(which, name -> true);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Header header = found.get().header();
            if (!header.model().equals(learner.model())) {
                throw new CheckpointMismatchException(
                        "its model is another: " + HeaderFile.difference(header.model(), learner.model()));
            }
            learner.load(State.of(found.get().tensors(), header.numbers()));
            return Optional.of(new Position(header.step(), header.retries(), header.seed()));
        }
    }

    /** The chosen whole checkpoint with those of its tensors whose names are wanted; nothing where there is none. */
    public Optional<Saved> read(CheckpointChoice which, Predicate<String> wanted) throws IOException {
        return read(() -> chosen(which), wanted);
    }

    private Optional<CheckpointFiles.Whole> chosen(CheckpointChoice which) throws IOException {
        return which.best()
                ? lowest()
                : newest(header ->
                        which.step().isEmpty() || header.step() == which.step().getAsLong());
    }

    /** The newest checkpoint whose files are whole. */
    public Optional<Header> newest() throws IOException {
        return untilItStays(() -> newest(header -> true)).map(CheckpointFiles.Whole::header);
    }

    /** A look at the folder, which fails with a {@link NoSuchFileException} where a file was removed meanwhile. */
    @FunctionalInterface
    private interface Look<T> {
        T now() throws IOException;
    }

    private static <T> T untilItStays(Look<T> look) throws IOException {
        for (int again = LOOKS; ; again--) {
            try {
                return look.now();
            } catch (NoSuchFileException e) {
                if (again == 0) {
                    throw e;
                }
            }
        }
    }

    private Optional<Saved> read(Look<Optional<CheckpointFiles.Whole>> which, Predicate<String> wanted)
            throws IOException {
        return untilItStays(() -> {
            Optional<CheckpointFiles.Whole> found = which.now();
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Map<String, Tensor> tensors = files.read(found.get().name(), wanted);
            files.requireStill(found.get());
            return Optional.of(new Saved(found.get().header(), tensors));
        });
    }

    /** The whole checkpoints, the newest first, up to one that is wanted; fails where there are some and all are damaged. */
    private List<CheckpointFiles.Whole> wholeUpTo(Predicate<Header> wanted) throws IOException {
        List<CheckpointFiles.Whole> whole = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        for (String name : files.names()) {
            Optional<CheckpointFiles.Whole> found = files.whole(name, damaged);
            found.ifPresent(whole::add);
            if (found.isPresent() && wanted.test(found.get().header())) {
                break;
            }
        }
        if (whole.isEmpty()) {
            files.requireUndamaged(damaged);
        }
        warn(damaged);
        return whole;
    }

    /** Once about each, however often it is looked at. */
    private void warn(List<String> damaged) {
        damaged.stream().filter(warned::add).forEach(problem -> LOG.warn("{}; its checkpoint is passed over", problem));
    }

    private Optional<CheckpointFiles.Whole> newest(Predicate<Header> wanted) throws IOException {
        return wholeUpTo(wanted).stream()
                .filter(whole -> wanted.test(whole.header()))
                .findFirst();
    }

    private Optional<CheckpointFiles.Whole> lowest() throws IOException {
        List<CheckpointFiles.Whole> whole = wholeUpTo(header -> false);
        return bestOf(whole).or(() -> whole.stream().findFirst());
    }

    private static Optional<CheckpointFiles.Whole> bestOf(List<CheckpointFiles.Whole> found) {
        return found.stream()
                .filter(whole -> whole.header().score().isPresent())
                .min(Comparator.comparing(whole -> whole.header().score().orElseThrow()));
    }
}
