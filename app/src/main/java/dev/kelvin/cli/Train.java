package dev.kelvin.cli;

import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Judge;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.model.TableProfile;
import dev.kelvin.pages.RunReport;
import dev.kelvin.part.SettingException;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.TooLargeException;
import dev.kelvin.train.loop.DivergedException;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.SettingPaths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kelvin train RECIPE} and {@code kelvin train --resume RUN}. */
@Command(
        name = "train",
        description = "Trains a model by a recipe, evaluates it, and writes a report.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "RECIPE is a shipped recipe's name (see 'kelvin recipes') or a file that ends in .yaml.",
            "Ctrl-C once saves and stops; 'kelvin train --resume RUN' continues."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class Train implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "RECIPE",
            description = "what to train",
            completionCandidates = RecipeNames.class)
    private Optional<String> recipe = Optional.empty();

    @Option(names = "--resume", paramLabel = "RUN", description = "continue the run in this folder")
    private Optional<Path> resume = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "a.b=c",
            description = "change a setting of the recipe, such as train.iterations=500; may be repeated")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--seed",
            paramLabel = "N",
            converter = WholeNumber.class,
            description = "the same as --set train.seed=N")
    private @Nullable Long seed;

    @Option(names = "--out", paramLabel = "FOLDER", description = "the run's folder (default: runs/NAME)")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--accept-changes",
            description = "with --resume: continue although the data or the recipe's file have changed")
    private boolean acceptChanges;

    @Option(
            names = "--dry-run",
            description = "do a few steps, ten seconds at most, write nothing, and say what the run would take")
    private boolean dryRun;

    @Option(names = "--json", description = "print one JSON object at the end, and nothing else to stdout")
    private boolean json;

    @Mixin
    private DataOption dataOption;

    @Mixin
    private DeviceOption deviceOption;

    /** For the shell. */
    static final class RecipeNames extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        RecipeNames() {
            super(Recipes.names());
        }
    }

    @Override
    public Integer call() throws Exception {
        if (recipe.isPresent() && resume.isPresent()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "a RECIPE begins a new run and --resume goes on with one: name " + recipe.get() + " or --resume "
                            + resume.get() + ", not both");
        }
        if (recipe.isEmpty() && resume.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "name a RECIPE, such as rings ('kelvin recipes' lists them), or a run with --resume");
        }
        if (resume.isPresent() && out.isPresent()) {
            throw new ParameterException(
                    spec.commandLine(), "--resume continues in the run's own folder; leave out --out");
        }
        if (resume.isEmpty() && acceptChanges) {
            throw new ParameterException(spec.commandLine(), "--accept-changes goes with --resume");
        }
        if (seed != null) {
            overrides.add("train.seed=" + seed);
        }
        Recipe chosen = chosen(TableProfile.UNREAD);
        Threads.choose(chosen.data().images());
        Device device = deviceOption.device();
        try (Progress progress = Progress.of(spec)) {
            progress.doing("opening the data and making the model");
            return dryRun ? tried(chosen, device, progress) : run(chosen, device, progress);
        } catch (TooLargeException e) {
            throw named(e, chosen);
        }
    }

    private int tried(Recipe chosen, Device device, Progress progress) {
        fitting(() -> DryRun.of(
                () -> resume.isPresent()
                        ? made(chosen, device, Experiment.open(chosen, device))
                        : begun(chosen, device, progress),
                new DryRun.Told(spec.commandLine().getOut(), json, progress)));
        return Main.OK;
    }

    private int run(Recipe chosen, Device device, Progress progress) throws Exception {
        if (resume.isPresent()) {
            return resume(RunFolder.open(resume.get()), chosen, device, progress);
        }
        try (Experiment experiment = fitting(() -> begun(chosen, device, progress))) {
            Path path = out.orElseGet(() -> RunFolder.unused(Path.of("runs"), chosen.name()));
            RunFolder folder = RunFolder.create(path, experiment.recipe(), Provenance.of(experiment, device));
            return run(folder, experiment, device, progress);
        }
    }

    /** The recipe that is asked for; what it leaves open is chosen for a table of this profile. */
    private Recipe chosen(TableProfile profile) {
        Recipe named = resume.isPresent()
                ? RunFolder.open(resume.get()).recipe(overrides)
                : Recipes.load(recipe.orElseThrow(), overrides, profile);
        return inItsOwnWords(dataOption.applied(named), overrides).located();
    }

    /** A new run's experiment; what its recipe leaves open is chosen by the size of its table. */
    private Experiment begun(Recipe asked, Device device, Progress progress) {
        Data data = Experiment.open(asked, device);
        if (!asked.data().wantsAdvice() || !(data instanceof TableDataset table)) {
            return made(asked, device, data);
        }
        try {
            TableDataset.Advice advice = TableDataset.Advice.of(table);
            progress.tell(advice.words(Recipes.open(recipe.orElseThrow())));
            return made(chosen(advice.profile()).advised(), device, data);
        } catch (RuntimeException e) {
            data.close();
            throw e;
        }
    }

    private Experiment made(Recipe asked, Device device, Data data) {
        return dryRun ? Experiment.trial(asked, device, data) : new Experiment(asked, device, data);
    }

    /** What opens the data, which may refuse the recipe: then at its line. */
    private <T> T fitting(Supplier<T> work) {
        try {
            return work.get();
        } catch (SettingException e) {
            throw refused(e);
        }
    }

    private RecipeException refused(SettingException e) {
        String file = resume.map(folder -> RunFolder.open(folder).recipeFile().toString())
                .orElseGet(recipe::orElseThrow);
        return Recipes.refused(file, overrides, e);
    }

    /** What does not fit into memory, with the setting that asks for it where one does. */
    private RuntimeException named(TooLargeException e, Recipe chosen) {
        return SettingPaths.asking(chosen, e.sizes()).stream()
                .map(setting -> new SettingException(setting, "is too large: " + e.getMessage()))
                .reduce((first, other) -> {
                    first.addSuppressed(other);
                    return first;
                })
                .<RuntimeException>map(this::refused)
                .orElse(e);
    }

    /** What a recipe says about itself holds for its own settings; training it longer or elsewhere changes none of that. */
    private static Recipe inItsOwnWords(Recipe chosen, List<String> overrides) {
        boolean same = overrides.stream()
                .allMatch(override -> override.strip().matches("(?s)(name|about|takes|train|optimiser)\\b.*"));
        boolean told = overrides.stream().anyMatch(override -> override.strip().matches("(?s)about\\s*=.*"));
        return same || told ? chosen : chosen.withoutWords();
    }

    private int resume(RunFolder folder, Recipe chosen, Device device, Progress progress) throws Exception {
        DataOption.requireThere(folder, chosen);
        try (Experiment experiment = fitting(() -> new Experiment(chosen, device))) {
            return run(folder, experiment, device, progress);
        }
    }

    private int run(RunFolder folder, Experiment experiment, Device device, Progress progress) throws Exception {
        Recipe chosen = experiment.recipe();
        long began = System.nanoTime();
        StopSignal stop = StopSignal.install(spec.commandLine().getErr());
        Optional<CheckpointMetric> score = Judge.of(experiment).score();
        progress.training(
                chosen.train().iterations(),
                score.map(each -> each.figure().title()).orElse("score"));
        try (AutoCloseable lock = folder.lock()) {
            Runner runner = new Runner(folder, device);
            if (resume.isPresent()) {
                runner.resume(experiment, overrides, acceptChanges);
            }
            progress.tell("training " + chosen.name() + " on " + device + " in " + folder.path());
            Judge.of(experiment).warnings().forEach(warning -> progress.line("warning: " + warning));
            if (runner.train(experiment, progress, stop::requested) == Trainer.Outcome.INTERRUPTED) {
                String goOn = DeviceOption.command(device, "train", "--resume", folder.path());
                stopped(progress, folder, chosen, "stopped; resume with: " + goOn);
                return stop.exitCode();
            }
            String unjudged = "stopped before the report; write it with: "
                    + DeviceOption.command(device, "evaluate", folder.path());
            if (!stop.endAtOnce(() -> stopped(progress, folder, chosen, unjudged))) {
                stopped(progress, folder, chosen, unjudged);
                return stop.exitCode();
            }
            judge(folder, experiment, runner, progress, stop, began);
            return Main.OK;
        } catch (DivergedException e) {
            progress.line("kelvin: " + e.getMessage());
            if (json) {
                Map<String, Object> results = Results.ended("diverged", folder, chosen);
                results.put("problem", String.valueOf(e.getMessage()));
                Output.print(spec.commandLine().getOut(), true, results);
            }
            return Main.DIVERGED;
        }
    }

    private void judge(
            RunFolder folder, Experiment experiment, Runner runner, Progress progress, StopSignal stop, long began)
            throws IOException {
        Recipe chosen = experiment.recipe();
        progress.doing("judging the model");
        Runner.Judged judged = runner.judge(experiment, progress, step -> {
            boolean earlier = step < chosen.train().iterations();
            progress.tell("judging the model" + (earlier ? " of the best checkpoint, step " + step + "," : "")
                    + " and writing the report");
        });
        progress.doing("writing the report");
        RunReport.Summary summary = RunReport.write(folder, experiment, judged.judge(), judged.evaluation());
        stop.ignore();
        double seconds = (System.nanoTime() - began) / 1e9;
        progress.tell("done in " + Progress.duration(seconds));
        progress.close();
        if (json) {
            Map<String, Object> results = Results.of(folder, experiment, judged.evaluation(), summary);
            results.put("seconds", seconds);
            results.putAll(Results.ended("finished", folder, chosen));
            Output.print(spec.commandLine().getOut(), true, results);
        } else {
            boolean everything = Progress.Detail.of(spec) == Progress.Detail.VERBOSE;
            Results.print(Paragraph.on(spec.commandLine().getOut()), everything, folder, summary);
        }
    }

    private void stopped(Progress progress, RunFolder folder, Recipe chosen, String words) {
        progress.line(words);
        if (json) {
            Output.print(spec.commandLine().getOut(), true, Results.ended("stopped", folder, chosen));
        }
    }
}
