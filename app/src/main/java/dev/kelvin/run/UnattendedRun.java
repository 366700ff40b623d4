package dev.kelvin.run;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.tensor.Device;
import dev.kelvin.train.loop.DivergedException;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.yaml.SettingPaths;
import dev.kelvin.yaml.UserException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One of many runs, which nobody watches: it is trained and evaluated in its folder, or what it still lacks of that is done. Of
 * one that diverged, {@code diverged.json} says when and why.
 *
 * @param notes hears of damaged files, in sentences
 */
public record UnattendedRun(
        Path path, Recipe recipe, Device device, Jobs jobs, Consumer<String> notes, Finishing finishing) {
    private static final String STEP = "step";
    private static final String WHY = "why";
    private static final JsonMapper JSON = new JsonMapper();

    /** What is made of a run beside its figures. */
    public interface Finishing {
        /** Nothing more. */
        Finishing NONE = new Finishing() {
            @Override
            public boolean isDone(RunFolder folder) {
                return true;
            }

            @Override
            public void finish(RunFolder folder, Experiment experiment, Runner.Judged judged) {}
        };

        /** Whether that is there already. */
        boolean isDone(RunFolder folder);

        /** Makes it of a run that was just judged. */
        void finish(RunFolder folder, Experiment experiment, Runner.Judged judged) throws IOException;
    }

    /** What came of it. */
    public sealed interface Outcome {
        /** It has its figures; {@code work} is what was done for that now, in words, and empty where all was there. */
        record Finished(RunFolder folder, Evaluation evaluation, String work) implements Outcome {}

        /** Its numbers broke at a step; {@code work} is as of a finished run. */
        record Diverged(RunFolder folder, OptionalLong step, String why, String work) implements Outcome {}

        /** It was saved before its end, because a stop was asked for. */
        record Stopped() implements Outcome {}

        /** Another process trains it. */
        record Elsewhere() implements Outcome {}

        /** It was judged once, but the figures are damaged and can't be measured again. */
        record Unjudged(String why) implements Outcome {}
    }

    /** What is known of a run that is there: how it came out, or that its figures are damaged. */
    private record Known(boolean damaged, Optional<Outcome> outcome) {}

    /** Does what is lacking. */
    public Outcome outcome() throws IOException {
        try (Jobs.Hold hold = jobs.hold()) {
            return outcome(hold);
        }
    }

    private Outcome outcome(Jobs.Hold hold) throws IOException {
        boolean begun = Files.exists(path);
        Known known = begun ? known(RunFolder.open(path)) : new Known(false, Optional.empty());
        if (known.outcome().isPresent()) {
            return known.outcome().get();
        }
        long began = System.nanoTime();
        try (Experiment experiment = new Experiment(recipe, device)) {
            RunFolder there = begun ? RunFolder.open(path) : made(experiment);
            Optional<Closeable> lock = there.tryLock();
            if (lock.isEmpty()) {
                return new Outcome.Elsewhere();
            }
            try (Closeable held = lock.get()) {
                Optional<Outcome> meanwhile =
                        known.damaged() ? Optional.empty() : known(there).outcome();
                if (meanwhile.isPresent()) {
                    return meanwhile.get();
                }
                if (begun && !known.damaged()) {
                    new Runner(there, device).resume(experiment, List.of(), false);
                }
                return worked(there, experiment, known.damaged(), began, hold);
            }
        } catch (IOException | UserException e) {
            if (!known.damaged()) {
                throw e;
            }
            return new Outcome.Unjudged(String.valueOf(e.getMessage()));
        }
    }

    /** The run's folder, which another process may just have made. */
    private RunFolder made(Experiment experiment) throws IOException {
        try {
            return RunFolder.create(path, recipe, Provenance.of(experiment, device));
        } catch (UserException e) {
            if (!Files.exists(path)) {
                throw e;
            }
            return RunFolder.open(path);
        }
    }

    private Outcome worked(RunFolder there, Experiment experiment, boolean damaged, long began, Jobs.Hold hold)
            throws IOException {
        Runner runner = new Runner(there, device);
        try {
            if (!damaged && jobs.train(runner, experiment) == Trainer.Outcome.INTERRUPTED) {
                return new Outcome.Stopped();
            }
            hold.close(); // what follows is done again if it is abandoned
            Runner.Judged judged = runner.judge(experiment, WorkListener.SILENT, step -> {});
            finishing.finish(there, experiment, judged);
            return new Outcome.Finished(
                    there, judged.evaluation(), work(damaged ? "evaluated again" : "trained and evaluated", began));
        } catch (DivergedException e) {
            String why = String.valueOf(e.getMessage());
            AtomicFile.write(broken(), JSON.writeValueAsString(Map.of(WHY, why, STEP, e.step())));
            return new Outcome.Diverged(
                    there, OptionalLong.of(e.step()), why, work("diverged at step " + e.step(), began));
        }
    }

    private static String work(String what, long began) {
        return Words.say("%s in %.0f s", what, (System.nanoTime() - began) / 1e9);
    }

    private Path broken() {
        return broken(path);
    }

    private static Path broken(Path run) {
        return run.resolve("diverged.json");
    }

    /** Why a run diverged, if it did; empty words of one that an earlier version trained. */
    public static Optional<String> divergence(Path run) throws IOException {
        return Files.exists(broken(run))
                ? Optional.of(read(broken(run)).path(WHY).asString(""))
                : Optional.empty();
    }

    private static JsonNode read(Path broken) throws IOException {
        return JsonFile.read(broken, "delete it, and the same command trains the run again", JSON::readTree);
    }

    /** What is known of a run that is there, if it is over. */
    private Known known(RunFolder there) throws IOException {
        if (!settings(there.recipe(List.of())).equals(settings(recipe))) {
            throw new UserException(
                    path + " was made by another recipe; move it away, or name another folder with --out");
        }
        if (Files.exists(broken())) {
            return new Known(false, Optional.of(diverged(there)));
        }
        if (!Files.exists(there.evaluation())) {
            return new Known(false, Optional.empty());
        }
        try {
            Evaluation before = Evaluation.read(there.evaluation());
            boolean whole = new Runner(there, device).isComplete() && finishing.isDone(there);
            return new Known(false, whole ? Optional.of(new Outcome.Finished(there, before, "")) : Optional.empty());
        } catch (UnreadableFileException e) {
            notes.accept(e.getMessage() + ". It is evaluated again now");
            return new Known(true, Optional.empty());
        }
    }

    private Outcome diverged(RunFolder there) throws IOException {
        JsonNode told = read(broken());
        JsonNode step = told.path(STEP);
        return new Outcome.Diverged(
                there,
                step.isNumber() ? OptionalLong.of(step.asLong()) : OptionalLong.empty(),
                told.path(WHY).asString(""),
                "");
    }

    /** What training and judging depend on: not what the recipe says about itself. */
    private static Map<String, String> settings(Recipe recipe) {
        Map<String, String> settings = new LinkedHashMap<>(SettingPaths.of(recipe));
        settings.keySet().removeAll(Set.of("about", "takes"));
        return settings;
    }
}
