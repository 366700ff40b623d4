package dev.kelvin.train;

import dev.kelvin.AtomicFile;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.tensor.Safetensors;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A folder of saved states: {@code STEP.safetensors} has the tensors, {@code STEP.json} the rest with the tensors'
 * SHA-256. The JSON is written last: a checkpoint without one, or with a wrong sum, does not count. The last two and the
 * best are kept.
 */
public final class Checkpoints {
    /** How many of the newest are kept. */
    private static final int NEWEST = 2;

    /** A checkpoint's file, or what is left of one that was being written when the machine stopped. */
    private static final Pattern OURS = Pattern.compile("([0-9]+)\\.(?:json|safetensors)(\\.tmp[0-9]+)?");

    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** Where a run stands: steps done, times gone back, and the seed; together they are the next step's key. */
    public record Position(long step, int retries, long seed) {}

    /** What {@code STEP.json} holds. */
    public record Header(
            long step,
            int retries,
            long seed,
            boolean regular,
            Optional<Double> score,
            EnergyModel model,
            Map<String, Long> numbers,
            String sha256) {}

    private final Path folder;

    public Checkpoints(Path folder) {
        this.folder = folder;
    }

    /** Saves the learner and removes checkpoints that are neither among the last two nor the best. */
    public void save(Position at, Learner learner, OptionalDouble score) throws IOException {
        save(at, learner, score, true);
    }

    /** Saves a learner that was interrupted between two regular checkpoints. */
    public void saveInterrupted(Position at, Learner learner) throws IOException {
        save(at, learner, OptionalDouble.empty(), false);
    }

    private void save(Position at, Learner learner, OptionalDouble score, boolean regular) throws IOException {
        Files.createDirectories(folder);
        State state = State.empty();
        learner.save(state);
        Path tensors = tensors(at.step());
        Safetensors.write(tensors, state.tensors(), Map.of("step", Long.toString(at.step())));
        Optional<Double> finite = score.isPresent() && Double.isFinite(score.getAsDouble())
                ? Optional.of(score.getAsDouble())
                : Optional.empty();
        Header header = new Header(
                at.step(), at.retries(), at.seed(), regular, finite, learner.model(), state.numbers(), sha256(tensors));
        AtomicFile.write(header(at.step()), JSON.writeValueAsString(header));
        prune();
    }

    /** Loads the newest whole checkpoint into the learner; a damaged one is passed over with a warning. */
    public Optional<Position> restore(Learner learner) throws IOException {
        return load(newest(), learner);
    }

    /** The same of the newest regular one, so that a run goes back to where it would have without an interruption. */
    public Optional<Position> restoreRegular(Learner learner) throws IOException {
        return load(newest(Header::regular), learner);
    }

    /** The same of the one with the best score. */
    public Optional<Position> restoreBest(Learner learner) throws IOException {
        return load(best(), learner);
    }

    private Optional<Position> load(Optional<Header> found, Learner learner) throws IOException {
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Header header = found.get();
        if (!header.model().equals(learner.model())) {
            throw new IllegalStateException("the saved model is " + header.model() + ", here it is " + learner.model());
        }
        try (Scope scope = Scope.open()) {
            learner.load(State.of(Safetensors.read(tensors(header.step())).tensors(), header.numbers()));
        }
        return Optional.of(new Position(header.step(), header.retries(), header.seed()));
    }

    /** The newest checkpoint whose files are whole. */
    public Optional<Header> newest() throws IOException {
        return newest(header -> true);
    }

    private Optional<Header> newest(Predicate<Header> wanted) throws IOException {
        return headers().stream().filter(wanted).filter(this::whole).findFirst();
    }

    /** The whole checkpoint with the lowest score; the newest where none has one. */
    public Optional<Header> best() throws IOException {
        Optional<Header> best = bestOf(headers().stream().filter(this::whole).toList());
        return best.isPresent() ? best : newest();
    }

    /** The tensors' file of a step. */
    public Path tensors(long step) {
        return folder.resolve(name(step) + ".safetensors");
    }

    private Path header(long step) {
        return folder.resolve(name(step) + ".json");
    }

    private static String name(long step) {
        return String.format(Locale.ROOT, "%09d", step);
    }

    private static Optional<Header> bestOf(List<Header> headers) {
        return headers.stream()
                .filter(header -> header.score().isPresent())
                .min(Comparator.comparing(header -> header.score().orElseThrow()));
    }

    /** The headers that can be read, newest first. */
    private List<Header> headers() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("[0-9]+\\.json"))
                    .flatMap(file -> read(file).stream())
                    .sorted(Comparator.comparingLong(Header::step).reversed())
                    .toList();
        }
    }

    private static Optional<Header> read(Path file) {
        try {
            Optional<Header> header = Optional.ofNullable(JSON.readValue(file.toFile(), Header.class));
            if (header.isEmpty()) {
                LOG.warn("{} is damaged and is passed over: it holds nothing", file);
            }
            return header;
        } catch (JacksonException e) {
            LOG.warn("{} is damaged and is passed over: {}", file, e.getOriginalMessage());
            return Optional.empty();
        }
    }

    private boolean whole(Header header) {
        Path file = tensors(header.step());
        try {
            if (sha256(file).equals(header.sha256())) {
                return true;
            }
            LOG.warn("{} is damaged (its SHA-256 is another) and is passed over", file);
        } catch (NoSuchFileException e) {
            LOG.warn("{} is missing; its checkpoint is passed over", file);
        } catch (IOException e) {
            LOG.warn("{} can't be read and is passed over: {}", file, e.getMessage());
        }
        return false;
    }

    private void prune() throws IOException {
        // a damaged one neither counts nor stays: beside it the last good one would be removed
        List<Header> headers = headers().stream().filter(this::whole).toList();
        Set<String> kept = new HashSet<>();
        headers.stream().limit(NEWEST).forEach(header -> kept.add(name(header.step())));
        headers.stream().filter(Header::regular).findFirst().ifPresent(header -> kept.add(name(header.step())));
        bestOf(headers).ifPresent(header -> kept.add(name(header.step())));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Matcher ours = OURS.matcher(file.getFileName().toString());
                if (ours.matches() && (ours.group(2) != null || !kept.contains(ours.group(1)))) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static String sha256(Path file) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                in.transferTo(java.io.OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
