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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of checkpoints. Whatever finds that a file was removed or replaced since its header was read fails with a
 * {@link NoSuchFileException}: a run beside this one goes on, and there is a newer checkpoint.
 */
final class CheckpointFiles {
    /** A checkpoint's header. */
    private static final Pattern HEADER = Pattern.compile("([0-9]{9,18})\\.json");

    /** A checkpoint's file, or what is left of one that was being written when the machine stopped. */
    private static final Pattern OURS = Pattern.compile("([0-9]+)\\.(?:json|safetensors)(\\.tmp[0-9]+)?");

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointFiles.class);

    /** A file as it was when its sum was computed. */
    private record Summed(long size, FileTime modified, String sum) {}

    private final Path folder;
    private final Map<Path, Summed> known = new HashMap<>();

    CheckpointFiles(Path folder) {
        this.folder = folder;
    }

    Path tensors(long step) {
        return folder.resolve(name(step) + ".safetensors");
    }

    Path header(long step) {
        return folder.resolve(name(step) + ".json");
    }

    private static String name(long step) {
        return String.format(Locale.ROOT, "%09d", step);
    }

    /** The steps that have a header, the newest first. */
    List<Long> steps() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> HEADER.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(matcher -> Long.valueOf(matcher.group(1)))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    /** The header of a whole checkpoint; of a damaged one nothing, with a warning. */
    Optional<Checkpoints.Header> whole(long step) throws IOException {
        Optional<Checkpoints.Header> header = read(header(step));
        return header.isPresent() && tensorsAreWhole(header.get()) ? header : Optional.empty();
    }

    private static Optional<Checkpoints.Header> read(Path file) throws IOException {
        try {
            return Optional.of(HeaderFile.read(file));
        } catch (UnreadableFileException e) {
            LOG.warn("{} is damaged and is passed over: {}", file, e.problem());
            return Optional.empty();
        }
    }

    private boolean tensorsAreWhole(Checkpoints.Header header) throws IOException {
        Path file = tensors(header.step());
        String problem;
        try {
            if (sum(file).equals(header.tensors())) {
                return true;
            }
            problem = "is damaged: its SHA-256 is another";
        } catch (NoSuchFileException e) {
            problem = "is missing";
        } catch (IOException e) {
            problem = "can't be read: " + e.getMessage();
        }
        requireStill(header);
        LOG.warn("{} {}; its checkpoint is passed over", file, problem);
        return false;
    }

    /** Fails if the header was removed or replaced: the tensors are gone then, or another checkpoint's. */
    void requireStill(Checkpoints.Header header) throws IOException {
        Path file = header(header.step());
        if (!HeaderFile.read(file).equals(header)) {
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

    /** Makes room for a checkpoint of a step, unless there is one that is not understood. */
    void makeRoom(long step) throws IOException {
        Files.createDirectories(folder);
        Path file = header(step);
        if (Files.isRegularFile(file)) {
            read(file);
            Files.delete(file);
        }
    }

    /** Removes the checkpoints of all other steps, their headers first, and what is left of unfinished ones. */
    void removeAllBut(Set<Long> steps) throws IOException {
        Set<String> names = steps.stream().map(CheckpointFiles::name).collect(Collectors.toSet());
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
