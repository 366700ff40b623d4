package dev.kelvin.train;

import dev.kelvin.AtomicFile;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.tensor.Safetensors;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
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
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of saved states: {@code STEP.safetensors} has the tensors, {@code STEP.json} the rest with the tensors'
 * SHA-256 and its own. The JSON is written last: a checkpoint without one, or with a wrong sum, is damaged and does not
 * count. One that is whole and not understood (see {@link NotUnderstoodException}) stops whoever wants to read it, and
 * stays. The last two and the best are kept.
 *
 * <p>Another process may read while one saves: a file is removed or replaced only after its JSON, and a reader whose JSON
 * is gone looks again.
 */
public final class Checkpoints {
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
     * @param settings the settings of the run, as text, where whoever saved it gave them
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

    public Checkpoints(Path folder) {
        this(folder, Optional.empty());
    }

    /** The settings are saved with each checkpoint, so that a changed recipe is noticed. */
    public Checkpoints(Path folder, Optional<String> settings) {
        this.files = new CheckpointFiles(folder);
        this.settings = settings;
    }

    // ---- saving

    /** Saves the learner and removes checkpoints that are neither among the last two nor the best. */
    public void save(Position at, Learner learner, OptionalDouble score) throws IOException {
        save(at, learner, score, true);
    }

    /** Saves a learner that was interrupted between two regular checkpoints. */
    public void saveInterrupted(Position at, Learner learner) throws IOException {
        save(at, learner, OptionalDouble.empty(), false);
    }

    private void save(Position at, Learner learner, OptionalDouble score, boolean regular) throws IOException {
        HeaderFile.requireReadable(learner.model());
        files.makeRoom(at.step());
        State state = State.empty();
        learner.save(state);
        Path tensors = tensors(at.step());
        Safetensors.write(tensors, state.tensors(), Map.of("step", Long.toString(at.step())));
        Optional<Double> finite = score.isPresent() && Double.isFinite(score.getAsDouble())
                ? Optional.of(score.getAsDouble())
                : Optional.empty();
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
                files.sum(tensors));
        AtomicFile.write(files.header(at.step()), HeaderFile.text(header));
        prune();
    }

    /** Removes what a run that was killed left behind: unfinished files, and those that it was about to remove. */
    void tidy() throws IOException {
        if (!files.steps().isEmpty()) {
            prune();
        }
    }

    private void prune() throws IOException {
        // a damaged one neither counts nor stays: beside it the last good one would be removed
        List<Header> whole = new ArrayList<>();
        Set<Long> kept = new HashSet<>();
        for (long step : files.steps()) {
            try {
                files.whole(step).ifPresent(whole::add);
            } catch (NotUnderstoodException e) {
                kept.add(step);
            } catch (NoSuchFileException e) {
                LOG.debug("{} is gone", e.getFile());
            }
        }
        whole.stream().limit(NEWEST).forEach(header -> kept.add(header.step()));
        whole.stream().filter(Header::regular).findFirst().ifPresent(header -> kept.add(header.step()));
        bestOf(whole).ifPresent(header -> kept.add(header.step()));
        files.removeAllBut(kept);
    }

    // ---- reading

    /** Loads the newest whole checkpoint into the learner; a damaged one is passed over with a warning. */
    public Optional<Position> restore(Learner learner) throws IOException {
        return load(() -> newest(header -> true), learner);
    }

    /** The same of the newest regular one, so that a run goes back to where it would have without an interruption. */
    public Optional<Position> restoreRegular(Learner learner) throws IOException {
        return load(() -> newest(Header::regular), learner);
    }

    /** The same of the one with the best score. */
    public Optional<Position> restoreBest(Learner learner) throws IOException {
        return load(this::lowest, learner);
    }

    private Optional<Position> load(Look<Optional<Header>> which, Learner learner) throws IOException {
        try (Scope scope = Scope.open()) {
            Optional<Saved> found = read(which);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Header header = found.get().header();
            if (!HeaderFile.same(header, learner.model())) {
                throw new IllegalStateException(
                        "the saved model is " + header.model() + ", here it is " + learner.model());
            }
            learner.load(State.of(found.get().tensors(), header.numbers()));
            return Optional.of(new Position(header.step(), header.retries(), header.seed()));
        }
    }

    /** The newest whole checkpoint, with its tensors. */
    public Optional<Saved> read() throws IOException {
        return read(() -> newest(header -> true));
    }

    /** The newest checkpoint whose files are whole. */
    public Optional<Header> newest() throws IOException {
        return untilItStays(() -> newest(header -> true));
    }

    /** The whole checkpoint with the lowest score; the newest where none has one. */
    public Optional<Header> best() throws IOException {
        return untilItStays(this::lowest);
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

    private Optional<Saved> read(Look<Optional<Header>> which) throws IOException {
        return untilItStays(() -> {
            Optional<Header> found = which.now();
            return found.isEmpty() ? Optional.empty() : Optional.of(read(found.get()));
        });
    }

    private Saved read(Header header) throws IOException {
        Map<String, Tensor> tensors = Safetensors.read(tensors(header.step())).tensors();
        files.requireStill(header);
        return new Saved(header, header.format() == 0 ? OldFormats.upgraded(tensors) : tensors);
    }

    private Optional<Header> newest(Predicate<Header> wanted) throws IOException {
        for (long step : files.steps()) {
            Optional<Header> found = files.whole(step).filter(wanted);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Header> lowest() throws IOException {
        List<Header> whole = new ArrayList<>();
        for (long step : files.steps()) {
            files.whole(step).ifPresent(whole::add);
        }
        return bestOf(whole).or(() -> whole.stream().findFirst());
    }

    private static Optional<Header> bestOf(List<Header> headers) {
        return headers.stream()
                .filter(header -> header.score().isPresent())
                .min(Comparator.comparing(header -> header.score().orElseThrow()));
    }

    /** The tensors' file of a step. */
    public Path tensors(long step) {
        return files.tensors(step);
    }
}
