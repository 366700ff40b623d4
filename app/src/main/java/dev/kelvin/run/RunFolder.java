package dev.kelvin.run;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.model.Model;
import dev.kelvin.model.ModelCard;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.yaml.RecipeWriter;
import dev.kelvin.yaml.UserException;
import dev.kelvin.yaml.Yaml;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A run's folder: {@code recipe.yaml} with every default written out, {@code provenance.json}, {@code metrics.jsonl},
 * {@code timing.json}, {@code checkpoints/}, {@code samples/}, {@code evaluation.json}, {@code report.html}.
 *
 * <p>It appears at once, with recipe and provenance in it, so that whatever is there can be resumed. Nothing but {@link
 * #create} makes it: one that is removed while it is worked in must not come back without them.
 *
 * @param identity the file system's key of it, whatever its name
 */
public record RunFolder(Path path, Optional<Object> identity) {
    static final String RECIPE = "recipe.yaml";
    static final String PROVENANCE = "provenance.json";
    private static final String METRICS = "metrics.jsonl";
    private static final String CHECKPOINTS = "checkpoints";
    private static final String EVALUATION = "evaluation.json";
    private static final String TIMING = "timing.json";
    private static final String REPORT = "report.html";
    private static final String LOCK = ".lock";
    private static final String EVENTS = "events.out.tfevents.";

    private static final Set<String> OWN =
            Set.of(RECIPE, PROVENANCE, METRICS, EVALUATION, TIMING, REPORT, LOCK, ModelCard.FILE);

    /** The file system's key of this folder, which another one of its name would not have; empty if it has no keys. */
    private static Optional<Object> identity(Path path) {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Makes {@code path}; it must not exist, or be empty. */
    public static RunFolder create(Path path, Recipe recipe, Provenance provenance) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null) {
            throw new UserException(path + " can't be a run's folder");
        }
        Files.createDirectories(parent);
        // not a temporary directory of Java's, which nobody else could read
        Path hidden = Files.createDirectory(parent.resolve(
                "." + path.getFileName() + "." + ProcessHandle.current().pid() + "-" + System.nanoTime()));
        try {
            AtomicFile.write(hidden.resolve(RECIPE), RecipeWriter.yaml(recipe));
            provenance.write(hidden.resolve(PROVENANCE));
            Files.move(hidden, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) { // which one, is the system's choice
            if (!Files.exists(path)) {
                throw e;
            }
            throw new UserException(path + " exists already; name another folder with --out, or resume it with: "
                    + Words.command("train", "--resume", path));
        } finally {
            if (Files.exists(hidden)) {
                delete(hidden);
            }
        }
        return new RunFolder(path, identity(path));
    }

    /** A run that is there. */
    public static RunFolder open(Path path) {
        if (!Files.isDirectory(path)) {
            throw new UserException("there is no run at " + path);
        }
        if (!Files.isRegularFile(path.resolve(RECIPE))) {
            throw new UserException(path + " is not a run: it has no " + RECIPE
                    + (Files.isRegularFile(path.resolve("sweep.yaml"))
                            ? "; a sweep is resumed by: " + Words.command("sweep", "--resume", path)
                            : ""));
        }
        return new RunFolder(path, identity(path));
    }

    /** The run whose file this is, there or not, which nothing else may be written to; samples are not among them. */
    public static Optional<Path> owner(Path file) {
        Path place = file.toAbsolutePath().normalize();
        Path parent = place.getParent();
        if (parent == null || parent.getParent() == null) {
            return Optional.empty();
        }
        String name = String.valueOf(place.getFileName());
        boolean checkpoint = String.valueOf(parent.getFileName()).equals(CHECKPOINTS);
        Path run = checkpoint ? parent.getParent() : parent;
        boolean own = checkpoint || OWN.contains(name) || SavedCard.OLD.contains(name) || name.startsWith(EVENTS);
        return own && Files.isRegularFile(run.resolve(RECIPE)) ? Optional.of(run) : Optional.empty();
    }

    /** Refuses a recipe of this run whose data are gone, with what to do. */
    public void requireData(Recipe recipe) {
        recipe.data().place().filter(place -> !Files.exists(place)).ifPresent(place -> {
            throw new UserException("the data of " + path + " are not at " + place
                    + "; if they were moved, say where they are with --data PATH");
        });
    }

    /** What the run's model is; of a run of the last version, which is converted, made from what that kept of it. */
    public ModelCard card() throws IOException {
        return ModelCard.isCurrent(path) ? ModelCard.read(path) : SavedCard.of(path);
    }

    /** Refuses a recipe's file that was changed since the checkpoint of a model, or accepts it, and writes that down. */
    public void requireSettings(Model model, boolean accept) throws IOException {
        requireStill();
        String written = Files.readString(path.resolve(RECIPE));
        if (!written.equals(model.settings().orElse(written))) {
            new Runner(this, model.device()).requireSettings(accept);
        }
    }

    /** The first of NAME, NAME-2, NAME-3 ... that is not taken. */
    public static Path unused(Path parent, String name) {
        Path path = parent.resolve(name);
        for (int number = 2; Files.exists(path); number++) {
            path = parent.resolve(name + "-" + number);
        }
        return path;
    }

    /** The recipe as it was run, with changes. */
    public Recipe recipe(List<String> overrides) {
        String file = recipeFile().toString();
        return Recipes.ofRun(file, Yaml.read(file), overrides);
    }

    /** Where its recipe lies. */
    public Path recipeFile() {
        return path.resolve(RECIPE);
    }

    /** Writes a changed recipe. */
    public void write(Recipe recipe) throws IOException {
        AtomicFile.write(path.resolve(RECIPE), RecipeWriter.yaml(recipe));
    }

    /** Writes a changed provenance. */
    public void write(Provenance provenance) throws IOException {
        provenance.write(provenance());
    }

    /** What was logged in training: a {@link MetricsLog}. */
    public Path metrics() {
        return path.resolve(METRICS);
    }

    /** The checkpoints' folder. */
    public Path checkpoints() {
        return path.resolve(CHECKPOINTS);
    }

    /** The figures; a run that has them is finished. */
    public Path evaluation() {
        return path.resolve(EVALUATION);
    }

    /** How long steps took: beside the metrics, in which nothing depends on the clock. */
    public Path timing() {
        return path.resolve(TIMING);
    }

    /** How long a step took, where that is on record. */
    public Map<String, Double> times() throws IOException {
        return StepTimes.read(timing());
    }

    /** Where the run comes from: a {@link Provenance}. */
    public Path provenance() {
        return path.resolve(PROVENANCE);
    }

    /** The page for people. */
    public Path report() {
        return path.resolve(REPORT);
    }

    /** The folder that this one lies in, where runs keep what they share. */
    public Path runs() {
        Path absolute = path.toAbsolutePath().normalize();
        return Objects.requireNonNullElse(absolute.getParent(), absolute);
    }

    /** The samples' folder, made if it is not there. */
    public Path samples() throws IOException {
        requireStill();
        Path samples = path.resolve("samples");
        return Files.isDirectory(samples) ? samples : Files.createDirectory(samples);
    }

    /** Refuses to go on in a folder that was removed or moved since it was opened, or has given its name to another. */
    void requireStill() {
        if (!Files.isRegularFile(recipeFile()) || !identity(path).equals(identity)) {
            throw new UserException(
                    path + " was removed or moved while it was in use: it is not the run that it was, and"
                            + " nothing more is written there. If it was moved, continue where it is now");
        }
    }

    /** Keeps other processes from training in this folder until it is closed. */
    public Closeable lock() throws IOException {
        return tryLock().orElseThrow(this::inUse);
    }

    /** As {@link #lock}; empty where another process trains here. */
    Optional<Closeable> tryLock() throws IOException {
        FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return Optional.of(channel);
            }
        } catch (OverlappingFileLockException e) {
            // this very process holds it: the same answer
        }
        channel.close();
        return Optional.empty();
    }

    /** The refusal of one that another process trains. */
    UserException inUse() {
        return new UserException(path + " is being trained by another process");
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
