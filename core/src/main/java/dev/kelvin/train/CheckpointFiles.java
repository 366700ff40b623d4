package dev.kelvin.train;

import dev.kelvin.Sha256;
import dev.kelvin.UnreadableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of checkpoints. Whatever finds that a file was removed or replaced since its header was read fails with a
 * {@link NoSuchFileException}: a run beside this one goes on, and there is a newer checkpoint.
 */
final class CheckpointFiles {
    /** A checkpoint's header. */
    private static final Pattern HEADER = Pattern.compile("(([0-9]{9,18})(?:-[0-9]+)?)\\.json");

    /** A checkpoint's file, or what is left of one that was being written when the machine stopped. */
    private static final Pattern OURS = Pattern.compile("([0-9]+(?:-[0-9]+)?)\\.(?:json|safetensors)(\\.tmp[0-9]+)?");

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointFiles.class);

    /** A file as it was when its sum was computed. */
    private record Summed(long size, FileTime modified, String sum) {}

    private final Path folder;
    private final Map<Path, Summed> known = new HashMap<>();

    CheckpointFiles(Path folder) {
        this.folder = folder;
    }

    /** A whole checkpoint: its files' name without their ending, and what its header says. */
    record Whole(String name, Checkpoints.Header header) {}

    Path tensors(String name) {
        return folder.resolve(name + ".safetensors");
    }

    Path header(String name) {
        return folder.resolve(name + ".json");
    }

    /** The name of a regular checkpoint, or of one between two, which may have the step of the one that a run went back to. */
    static String name(Checkpoints.Position at, boolean regular) {
        return regular
                ? String.format(Locale.ROOT, "%09d", at.step())
                : String.format(Locale.ROOT, "%09d-%03d", at.step(), at.retries());
    }

    /** The names that have a header, the newest first: of one step, first those that were saved between. */
    List<String> names() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        Comparator<Matcher> order = Comparator.comparingLong(matcher -> Long.parseLong(matcher.group(2)));
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> HEADER.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .sorted(order.thenComparing(matcher -> matcher.group(1)).reversed())
                    .map(matcher -> matcher.group(1))
                    .toList();
        }
    }

    /** The checkpoint of this name if it is whole; of a damaged one nothing, with a warning. */
    Optional<Whole> whole(String name) throws IOException {
        Optional<Whole> found = read(header(name)).map(header -> new Whole(name, header));
        return found.isPresent() && tensorsAreWhole(found.get()) ? found : Optional.empty();
    }

    private static Optional<Checkpoints.Header> read(Path file) throws IOException {
        try {
            return Optional.of(HeaderFile.read(file));
        } catch (UnreadableFileException e) {
            LOG.warn("{} is damaged and is passed over: {}", file, e.problem());
            return Optional.empty();
        }
    }

    private boolean tensorsAreWhole(Whole found) throws IOException {
        Path file = tensors(found.name);
        String problem;
        try {
            if (sum(file).equals(found.header.tensors())) {
                return true;
            }
            problem = "is damaged: its SHA-256 is another";
        } catch (NoSuchFileException e) {
            problem = "is missing";
        } catch (IOException e) {
            problem = "can't be read: " + e.getMessage();
        }
        requireStill(found);
        LOG.warn("{} {}; its checkpoint is passed over", file, problem);
        return false;
    }

    /** Fails if the header was removed or replaced: the tensors are gone then, or another checkpoint's. */
    void requireStill(Whole found) throws IOException {
        Path file = header(found.name);
        if (!HeaderFile.read(file).equals(found.header)) {
            throw new NoSuchFileException(file + " was replaced while it was read");
        }
    }

    /** The file's SHA-256; of a file that has not changed since it was last computed, it is remembered. */
    String sum(Path file) throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        Summed before = known.get(file);
        if (before != null && before.size == now.size() && before.modified.equals(now.lastModifiedTime())) {
            return before.sum;
        }
        String sum = Sha256.of(file);
        known.put(file, new Summed(now.size(), now.lastModifiedTime(), sum));
        return sum;
    }

    /** Makes room for a checkpoint of this name, unless there is one that is not understood. */
    void makeRoom(String name) throws IOException {
        Files.createDirectories(folder);
        Path file = header(name);
        if (Files.isRegularFile(file)) {
            read(file);
            Files.delete(file);
        }
    }

    /** Removes the checkpoints of all other names, their headers first, and what is left of unfinished ones. */
    void removeAllBut(Set<String> names) throws IOException {
        Comparator<Path> headersFirst =
                Comparator.comparing(file -> !file.getFileName().toString().endsWith(".json"));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted(headersFirst).toList()) {
                Matcher ours = OURS.matcher(file.getFileName().toString());
                if (ours.matches() && (ours.group(2) != null || !names.contains(ours.group(1)))) {
                    Files.deleteIfExists(file);
                    known.remove(file);
                }
            }
        }
    }
}
