package dev.kelvin.sweep;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.UnattendedRun;
import dev.kelvin.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One run of a sweep: a point with a seed.
 *
 * @param folder the sweep's
 */
public record SweepRun(Path folder, SweepPoint point, long seed) {
    static final String RECIPES = "recipes";
    private static final String FAILED = "failed";

    /** How far it is. */
    public enum State {
        /** It has its figures and its report. */
        FINISHED,
        /** Its numbers broke, and going back did not help. */
        DIVERGED,
        /** Something kept it from being trained; it is tried again when the sweep is resumed. */
        FAILED,
        /** It has not begun, or has not ended. */
        UNFINISHED;

        /** In words. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether nothing more comes of it unless it is tried again. */
        public boolean isOver() {
            return this != UNFINISHED;
        }
    }

    /**
     * What a run came to.
     *
     * @param notes what its figures were measured with
     * @param data its data in words with part of their hash
     * @param why it diverged or failed
     */
    public record Result(
            SweepRun run,
            State state,
            Map<String, Double> figures,
            Map<String, String> notes,
            String data,
            String why) {
        private static Result without(SweepRun run, State state, String why) {
            return new Result(run, state, Map.of(), Map.of(), "", why);
        }
    }

    /** The name of its folder. */
    public String name() {
        return (point.count() == 1 ? "" : point.name() + "_") + "seed=" + seed;
    }

    /** Its folder. */
    public Path path() {
        return folder.resolve(name());
    }

    /** Where the recipe of its point lies. */
    static Path recipeFile(Path folder, SweepPoint point) {
        return folder.resolve(RECIPES).resolve(point.name() + ".yaml");
    }

    /** Its recipe, with its seed. */
    public Recipe recipe() {
        String file = recipeFile(folder, point).toString();
        return Recipes.ofRun(file, Yaml.read(file), List.of("train.seed=" + seed));
    }

    /** Where it is written why it failed. */
    Path failure() {
        return folder.resolve(FAILED).resolve(name() + ".txt");
    }

    /** What it came to so far. */
    public Result result() throws IOException {
        Path path = path();
        if (Files.isRegularFile(path.resolve("recipe.yaml"))) {
            Optional<String> diverged = UnattendedRun.divergence(path);
            if (diverged.isPresent()) {
                return Result.without(this, State.DIVERGED, diverged.get());
            }
            RunFolder there = RunFolder.open(path);
            if (Files.exists(there.evaluation()) && Files.exists(there.report())) {
                return finished(there);
            }
        }
        return Files.exists(failure())
                ? Result.without(this, State.FAILED, Files.readString(failure()).strip())
                : Result.without(this, State.UNFINISHED, "");
    }

    private Result finished(RunFolder there) throws IOException {
        try {
            Evaluation evaluation = Evaluation.read(there.evaluation());
            String data = Provenance.read(there.provenance()).data();
            return new Result(this, State.FINISHED, evaluation.figures(), evaluation.notes(), data, "");
        } catch (UnreadableFileException e) {
            return Result.without(this, State.UNFINISHED, String.valueOf(e.getMessage()));
        }
    }
}
