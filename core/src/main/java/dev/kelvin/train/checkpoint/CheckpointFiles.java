package dev.kelvin.train.checkpoint;

import dev.kelvin.io.Sha256;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of checkpoints. Whatever finds that a file was removed or replaced since its header was read fails with a
 * {@link NoSuchFileException}: a run beside this one goes on, and there is a newer checkpoint.
 */
final class CheckpointFiles {
    private static final String HEADER = "json";
    private static final String TENSORS = "safetensors";

    /** A checkpoint's file. */
    private static final Pattern FILE =
            Pattern.compile("(([0-9]{9,18})(?:-[0-9]+)?)\\.(json|safetensors(?:" + TensorParts.ENDING + ")?)");

    /** The name of the checkpoint that a run begins with. */
    private static final String BEGINNING = "0+";

    /** A checkpoint's file, or what is left of one that was being written when the machine stopped. */
    private static final Pattern OURS = Pattern.compile(
            "([0-9]+(?:-[0-9]+)?)\\.(?:json|safetensors(?:" + TensorParts.ENDING + ")?)(\\.tmp[0-9]+(?:-[0-9]+)?)?");

    /** A file as it is at a time. */
    private record Stamp(Path file, long size, FileTime modified) {}

    /** Files as they were when their sum was computed. */
    private record Summed(List<Stamp> files, String sum) {}

    private final Path folder;
    private final Map<String, Summed> known = new HashMap<>();

    CheckpointFiles(Path folder) {
        this.folder = folder;
    }

    /** A whole checkpoint: its files' name without their ending, and what its header says. */
    record Whole(String name, Checkpoints.Header header) {}

    Path tensors(String name) {
        return folder.resolve(name + "." + TENSORS);
    }

    private TensorParts parts(String name) {
        return new TensorParts(tensors(name));
    }

    Path header(String name) {
        return folder.resolve(name + "." + HEADER);
    }

    /** The name of a regular checkpoint, or of one between two, which may have the step of the one that a run went back to. */
    static String name(Checkpoints.Position at, boolean regular) {
        return regular
                ? String.format(Locale.ROOT, "%09d", at.step())
                : String.format(Locale.ROOT, "%09d-%03d", at.step(), at.retries());
    }

    /** The names that have a header, the newest first: of one step, first those that were saved between. */
    List<String> names() throws IOException {
        return names(HEADER);
    }

    private List<String> names(String ending) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        Comparator<Matcher> order = Comparator.comparingLong(matcher -> Long.parseLong(matcher.group(2)));
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> FILE.matcher(file.getFileName().toString()))
                    .filter(matcher -> matcher.matches() && matcher.group(3).startsWith(ending))
                    .sorted(order.thenComparing(matcher -> matcher.group(1)).reversed())
                    .map(matcher -> matcher.group(1))
                    .distinct()
                    .toList();
        }
    }

    /** The checkpoint of this name if it is whole; of a damaged one nothing, and the file and the reason are added to the list. */
    Optional<Whole> whole(String name, List<String> damaged) throws IOException {
        Whole found;
        try {
            found = new Whole(name, HeaderFile.read(header(name)));
        } catch (UnreadableFileException e) {
            damaged.add(header(name) + " is damaged: " + e.problem());
            return Optional.empty();
        }
        Optional<String> problem = problem(found);
        problem.ifPresent(damaged::add);
        return problem.isPresent() ? Optional.empty() : Optional.of(found);
    }

    /** Which file of a header's tensors is wrong, and how, if any is. */
    private Optional<String> problem(Whole found) throws IOException {
        Path file = tensors(found.name);
        String problem;
        try {
            if (sum(found.name).equals(found.header.tensors())) {
                return Optional.empty();
            }
            problem = file + " is damaged: its SHA-256 is another";
        } catch (NoSuchFileException e) {
            problem = e.getFile() + " is missing";
        } catch (IOException e) {
            problem = file + " can't be read: " + e.getMessage();
        }
        requireStill(found);
        return Optional.of(problem);
    }

    /**
     * Fails, where no checkpoint is whole and these files are damaged: taken for a run that has none yet, it would begin
     * again, over what can still be mended. A lost header counts too; only that of step 0, the first to be saved,
     * may not have been written yet.
     */
    void requireUndamaged(List<String> damaged) throws IOException {
        List<String> problems = new ArrayList<>(damaged);
        for (String name : names(TENSORS)) {
            if (!name.matches(BEGINNING) && !Files.exists(header(name))) {
                problems.add(header(name) + " is missing");
            }
        }
        if (!problems.isEmpty()) {
            throw new UnreadableFileException(
                    folder,
                    "no checkpoint is whole: " + String.join("; ", problems)
                            + ". All are left as they are. Put back the files of one, STEP.json and"
                            + " STEP.safetensors or all of its parts, from a copy; or move this folder away, and the run begins again at"
                            + " step 0");
        }
    }

    /** Fails if the header was removed or replaced: the tensors are gone then, or another checkpoint's. */
    void requireStill(Whole found) throws IOException {
        Path file = header(found.name);
        if (!HeaderFile.read(file).equals(found.header)) {
            throw new NoSuchFileException(file + " was replaced while it was read");
        }
    }

    /** The SHA-256 of a checkpoint's tensors; of files that have not changed since it was last computed, it is remembered. */
    String sum(String name) throws IOException {
        List<Stamp> now = new ArrayList<>();
        for (Path file : parts(name).files()) {
            BasicFileAttributes of = Files.readAttributes(file, BasicFileAttributes.class);
            now.add(new Stamp(file, of.size(), of.lastModifiedTime()));
        }
        Summed before = known.get(name);
        if (before != null && before.files.equals(now)) {
            return before.sum;
        }
        String sum = Sha256.of(now.stream().map(Stamp::file).toList());
        known.put(name, new Summed(now, sum));
        return sum;
    }

    /** Writes a checkpoint's tensors, in parts where one file would be larger than {@code largest}. */
    void write(String name, Map<String, Tensor> tensors, Map<String, String> metadata, OptionalLong largest)
            throws IOException {
        parts(name).write(tensors, metadata, largest);
    }

    /** A checkpoint's tensors whose names are wanted. */
    Map<String, Tensor> read(String name, Predicate<String> wanted) throws IOException {
        return parts(name).read(wanted);
    }

    /**
     * Makes room for a checkpoint of this name, unless there is one that is not understood. Makes the folder too, but not
     * the run's around it: one that was removed must not come back with nothing but this checkpoint.
     */
    void makeRoom(String name) throws IOException {
        Path run = folder.toAbsolutePath().getParent();
        if (run != null && !Files.isDirectory(run)) {
            throw new IOException("there is no folder " + run + " to save a checkpoint in; if it was removed or moved"
                    + " while it was trained, its last checkpoint went with it");
        }
        if (!Files.isDirectory(folder)) {
            Files.createDirectory(folder);
        }
        Path file = header(name);
        if (Files.isRegularFile(file)) {
            try {
                HeaderFile.read(file);
            } catch (UnreadableFileException e) {
                // damaged, and about to be replaced
            }
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
                    known.remove(ours.group(1));
                }
            }
        }
    }
}
