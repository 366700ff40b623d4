package dev.kelvin.sweep;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.yaml.RecipeText;
import dev.kelvin.yaml.RecipeWriter;
import dev.kelvin.yaml.SettingPaths;
import dev.kelvin.yaml.UserException;
import dev.kelvin.yaml.Yaml;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A sweep's folder: {@code sweep.yaml}, {@code recipes/POINT.yaml} with every setting written out, a run's folder for each point and
 * seed, {@code failed/RUN.txt} for those that could not be trained, and in the end {@code sweep.csv} and {@code report.html}.
 */
public record SweepFolder(Path path, Sweep sweep, List<SweepPoint> points) {
    private static final String SWEEP = "sweep.yaml";

    /** What a recipe says about itself. */
    private static final Set<String> WORDS = Set.of("about", "takes");

    public SweepFolder {
        points = List.copyOf(points);
    }

    /** Makes the folder, all of it at once; or, where the same sweep is there already, is that. */
    public static SweepFolder of(Path path, SweepPlan plan) throws IOException {
        if (Files.exists(path.resolve(SWEEP)) || !made(path, plan)) {
            SweepFolder there = open(path);
            there.requireSame(plan);
            return there;
        }
        return new SweepFolder(path, plan.sweep(), plan.points());
    }

    /** The folder as {@link #of} would make it, or the same sweep that is there; nothing is written. */
    public static SweepFolder planned(Path path, SweepPlan plan) throws IOException {
        return Files.exists(path.resolve(SWEEP)) ? of(path, plan) : new SweepFolder(path, plan.sweep(), plan.points());
    }

    /** Whether it was made now; it was not if another process was faster. */
    private static boolean made(Path path, SweepPlan plan) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null) {
            throw new UserException(path + " can't be a sweep's folder");
        }
        Files.createDirectories(parent);
        Path hidden = Files.createDirectory(parent.resolve(
                "." + path.getFileName() + "." + ProcessHandle.current().pid() + "-" + System.nanoTime()));
        try {
            Files.createDirectory(hidden.resolve(SweepRun.RECIPES));
            for (int i = 0; i < plan.points().size(); i++) {
                Path file = SweepRun.recipeFile(hidden, plan.points().get(i));
                AtomicFile.write(file, RecipeWriter.yaml(plan.recipes().get(i)));
            }
            AtomicFile.write(hidden.resolve(SWEEP), RecipeWriter.yaml(plan.sweep()));
            Files.move(hidden, path, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (FileSystemException e) { // which one, is the system's choice
            if (!Files.exists(path)) {
                throw e;
            }
            return false;
        } finally {
            delete(hidden);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** A sweep that is there. */
    public static SweepFolder open(Path path) {
        if (!Files.exists(path)) {
            throw new UserException("there is no sweep at " + path);
        }
        Path file = path.resolve(SWEEP);
        if (!Files.isRegularFile(file)) {
            throw new UserException(path + " is not a sweep: it has no " + SWEEP
                    + (Files.exists(path.resolve("recipe.yaml"))
                            ? "; a run is resumed by: " + Words.command("train", "--resume", path)
                            : "; name another folder with --out"));
        }
        Sweep sweep = RecipeText.of(Sweep.class, "the sweep", file.toString(), Yaml.read(file.toString()))
                .bind(List.of());
        SweepFolder there = new SweepFolder(path, sweep, sweep.points());
        there.points.stream()
                .map(point -> SweepRun.recipeFile(path, point))
                .filter(recipe -> !Files.isRegularFile(recipe))
                .findFirst()
                .ifPresent(missing -> {
                    throw new UserException(missing + " is not there: " + file
                            + " was changed, or written by another version; begin a new sweep in another folder");
                });
        return there;
    }

    /** Refuses to go on with another sweep than the one that is here, with what differs. */
    private void requireSame(SweepPlan plan) {
        difference(plan).ifPresent(what -> {
            throw new UserException(path + " holds another sweep: " + what
                    + "; name another folder with --out, or go on with that one by: "
                    + Words.command("sweep", "--resume", path));
        });
    }

    private Optional<String> difference(SweepPlan plan) {
        return difference(asked(sweep), asked(plan.sweep())).or(() -> {
            for (int i = 0; i < points.size(); i++) {
                String file = SweepRun.recipeFile(path, points.get(i)).toString();
                Recipe written = Recipes.ofRun(file, Yaml.read(file), List.of());
                String of = points.size() == 1 ? "" : " of " + points.get(i).name();
                Optional<String> what = difference(
                        of,
                        SettingPaths.of(written),
                        SettingPaths.of(plan.recipes().get(i)));
                if (what.isPresent()) {
                    return what;
                }
            }
            return Optional.empty();
        });
    }

    /** What a sweep was asked for with, as on the command line. */
    private static List<String> asked(Sweep sweep) {
        List<String> words = new ArrayList<>(List.of(sweep.recipe()));
        Stream.of(sweep.fixed(), sweep.set()).flatMap(List::stream).forEach(set -> words.add("--set " + set));
        words.add("--seeds " + sweep.seeds().stream().map(String::valueOf).collect(Collectors.joining(",")));
        sweep.random().ifPresent(count -> words.add("--random " + count));
        return words;
    }

    /** What one has and the other has not, in words. */
    private static Optional<String> difference(List<String> there, List<String> here) {
        String has = there.stream().filter(word -> !here.contains(word)).collect(Collectors.joining(" "));
        String lacks = here.stream().filter(word -> !there.contains(word)).collect(Collectors.joining(" "));
        return has.isEmpty() && lacks.isEmpty()
                ? Optional.empty()
                : Optional.of("it has " + (has.isEmpty() ? "nothing" : has) + " where this one has "
                        + (lacks.isEmpty() ? "nothing" : lacks));
    }

    /** The settings that are not the same, in words. */
    private static Optional<String> difference(String of, Map<String, String> here, Map<String, String> asked) {
        Map<String, String> both = new LinkedHashMap<>(here);
        both.putAll(asked);
        String what = both.keySet().stream()
                .filter(name -> !WORDS.contains(name) && !Objects.equals(here.get(name), asked.get(name)))
                .map(name -> name + of + " is " + here.getOrDefault(name, "nothing") + " there and "
                        + asked.getOrDefault(name, "nothing") + " here")
                .collect(Collectors.joining(", "));
        return what.isEmpty() ? Optional.empty() : Optional.of(what);
    }

    /** All runs: every point with the first seed, then with the next. */
    public List<SweepRun> runs() {
        List<SweepRun> runs = new ArrayList<>();
        for (long seed : sweep.seeds()) {
            points.forEach(point -> runs.add(new SweepRun(path, point, seed)));
        }
        return runs;
    }

    /** What all runs came to so far. */
    public List<SweepRun.Result> results() throws IOException {
        List<SweepRun.Result> results = new ArrayList<>();
        for (SweepRun run : runs()) {
            results.add(run.result());
        }
        return results;
    }

    /** The table of all runs with their figures. */
    public Path table() {
        return path.resolve("sweep.csv");
    }

    /** The page for people. */
    public Path report() {
        return path.resolve("report.html");
    }
}
