package dev.kelvin.cli;

import dev.kelvin.cli.option.DataOption;
import dev.kelvin.cli.option.DeviceOption;
import dev.kelvin.cli.option.RanksOption;
import dev.kelvin.cli.option.Share;
import dev.kelvin.cli.option.WholeNumber;
import dev.kelvin.cli.ranks.RankTeam;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.OwnStdout;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.cli.terminal.Results;
import dev.kelvin.cli.terminal.StopSignal;
import dev.kelvin.dataset.Data;
import dev.kelvin.distributed.LostRankException;
import dev.kelvin.distributed.Ranks;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.RecipeChoice;
import dev.kelvin.judge.Judge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.pages.RunReport;
import dev.kelvin.part.SettingException;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.sweep.Sweep;
import dev.kelvin.sweep.SweepFolder;
import dev.kelvin.sweep.SweepPlan;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.TooLargeException;
import dev.kelvin.train.loop.DivergedException;
import dev.kelvin.train.loop.Trainer;
import dev.kelvin.yaml.RecipeException;
import dev.kelvin.yaml.SettingPaths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kelvin train RECIPE} and {@code kelvin train --resume RUN}. */
@Command(
        name = "train",
        description = "Trains a model by a recipe, evaluates it, and writes a report.",
        footer = {
            "",
            "RECIPE is a shipped recipe's name (see 'kelvin recipes') or a file that ends in .yaml.",
            "Ctrl-C once saves and stops; 'kelvin train --resume RUN' continues."
        })
final class Train extends JsonVerb {
    private static final String OPENING = "opening the data and making the model";

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

    @Option(names = "--seed", paramLabel = "N", converter = WholeNumber.class, description = "as --set train.seed=N")
    private @Nullable Long seed;

    @Option(
            names = "--seeds",
            paramLabel = "SEEDS",
            description =
                    "train once with each of these, such as 0..4, in folders beside each other (see 'kelvin sweep')")
    private Optional<String> seeds = Optional.empty();

    @Option(names = "--out", paramLabel = "FOLDER", description = "the run's folder (default: runs/NAME)")
    private Optional<Path> out = Optional.empty();

    @Option(names = "--accept-changes", description = "with --resume: continue although data or recipe have changed")
    private boolean acceptChanges;

    @Option(names = "--dry-run", description = "try steps for ten seconds, write nothing, say what the run would take")
    private boolean dryRun;

    @Mixin
    private DataOption dataOption;

    @Mixin
    private DeviceOption deviceOption;

    @Mixin
    private RanksOption ranksOption;

    static final class RecipeNames extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        RecipeNames() {
            super(Recipes.names());
        }
    }

    @Override
    public Integer call() throws Exception {
        refuseUnfit();
        if (seeds.isPresent()) {
            return severalSeeds(seeds.get());
        }
        if (seed != null) {
            overrides.add("train.seed=" + seed);
        }
        Recipe chosen = chosen();
        requireShards(chosen.train().shardCount());
        chooseThreads(chosen.data().images(), chosen.train().shardCount());
        List<Device> devices = ranksOption.devices(deviceOption);
        Device device = devices.get(0);
        try (Progress progress = ranksOption.follows() ? Progress.silent(spec) : Progress.of(spec)) {
            if (dryRun) {
                progress.doing(OPENING);
                DryRun.print(() -> open(chosen, device, progress, Ranks.ALONE), progress, out(), json);
                return ExitCode.OK;
            }
            if (ranksOption.processes()) {
                progress.doing("waiting for the other ranks");
                OwnStdout.take(spec.root().commandLine());
            }
            try (RankTeam team = RankTeam.of(ranksOption, Main.class, words())) {
                progress.doing(OPENING);
                try (Experiment experiment = open(chosen, device, progress, team.own())) {
                    return ranksOption.follows()
                            ? RankTeam.follow(experiment)
                            : run(folder(experiment, device), experiment, team, devices, progress);
                }
            }
        } catch (TooLargeException e) {
            throw located(e, chosen);
        }
    }

    /** What this command was started with. */
    private List<String> words() {
        return spec.root().commandLine().getParseResult().originalArgs();
    }

    private void requireShards(int shards) {
        int ranks = ranksOption.count();
        if (shards % ranks != 0) {
            throw usage(ranks + " ranks cannot share out the recipe's shards, of which there "
                    + (shards == 1 ? "is 1" : "are " + shards) + ": "
                    + (resume.isPresent()
                            ? "a run keeps its train.shards, and --ranks must divide it"
                            : "let --ranks divide it, or add --set train.shards="
                                    + Integer.highestOneBit(2 * ranks - 1)));
        }
    }

    private void refuseUnfit() {
        ranksOption.problem(dryRun).ifPresent(problem -> {
            throw usage(problem);
        });
        if (recipe.isPresent() && resume.isPresent()) {
            throw usage("a RECIPE begins a new run and --resume goes on with one: name " + recipe.get()
                    + " or --resume " + resume.get() + ", not both");
        }
        if (recipe.isEmpty() && resume.isEmpty()) {
            throw usage("name a RECIPE, such as rings ('kelvin recipes' lists them), or a run with --resume");
        }
        if (resume.isPresent() && out.isPresent()) {
            throw usage("--resume continues in the run's own folder; leave out --out");
        }
        if (resume.isEmpty() && acceptChanges) {
            throw usage("--accept-changes goes with --resume");
        }
        if (seeds.isPresent() && (resume.isPresent() || seed != null || dryRun)) {
            throw usage("--seeds begins several runs: leave out --resume, --seed and --dry-run; to go on with them:"
                    + " kelvin sweep --resume FOLDER");
        }
        if (seeds.isPresent() && ranksOption.count() > 1) {
            throw usage("each of several seeds is trained by one rank: leave out --seeds or the ranks");
        }
    }

    /** A sweep without settings. */
    private int severalSeeds(String all) throws IOException {
        Sweep sweep = SweepCommand.asked(
                this,
                () -> new Sweep(recipe.orElseThrow(), overrides, List.of(), Sweep.seeds(all), OptionalInt.empty()));
        Device device = deviceOption.device();
        try (Progress progress = Progress.of(spec)) {
            SweepPlan plan = SweepCommand.plan(this, sweep, dataOption::applied, device, progress);
            Path path = out.orElseGet(() -> SweepCommand.unused(plan, "-seeds"));
            return new SweepCommand.Work(this, device, Optional.empty(), Share.ALL)
                    .train(SweepFolder.of(path, plan), progress);
        }
    }

    // ---- what is trained

    /** The recipe that is asked for, before its data are opened. */
    private Recipe chosen() {
        if (resume.isEmpty()) {
            return choice().recipe();
        }
        Recipe before = RunFolder.open(resume.get()).recipe(overrides);
        return RecipeChoice.described(dataOption.applied(before), overrides).located();
    }

    private RecipeChoice choice() {
        return new RecipeChoice(recipe.orElseThrow(), overrides, dataOption::applied);
    }

    /** The experiment; what a new run's recipe leaves open is chosen by the size of its table. */
    private Experiment open(Recipe asked, Device device, Progress progress, Ranks ranks) {
        resume.ifPresent(run -> RunFolder.open(run).requireData(asked));
        try {
            Data data = Experiment.open(asked, device);
            Recipe chosen = resume.isPresent() ? asked : advised(asked, data, progress);
            return dryRun ? Experiment.trial(chosen, device, data) : new Experiment(chosen, device, data, ranks);
        } catch (SettingException e) {
            throw located(e);
        }
    }

    private Recipe advised(Recipe asked, Data data, Progress progress) {
        try {
            return choice().advised(asked, data, progress::tell);
        } catch (RuntimeException e) {
            data.close();
            throw e;
        }
    }

    /** The refusal of a setting, at its line of the recipe. */
    private RecipeException located(SettingException e) {
        return resume.map(folder -> RunFolder.open(folder).recipeFile().toString())
                .map(file -> Recipes.refused(file, overrides, e))
                .orElseGet(() -> choice().refused(e));
    }

    /** The refusal of what does not fit into memory, at the setting that asks for it where one does. */
    private RuntimeException located(TooLargeException e, Recipe chosen) {
        List<SettingException> refusals = SettingPaths.asking(chosen, e.sizes()).stream()
                .map(setting -> new SettingException(setting, "is too large: " + e.getMessage()))
                .toList();
        refusals.stream().skip(1).forEach(other -> refusals.get(0).addSuppressed(other));
        return refusals.isEmpty() ? e : located(refusals.get(0));
    }

    /** The run's folder, which a new run makes. */
    private RunFolder folder(Experiment experiment, Device device) throws IOException {
        if (resume.isPresent()) {
            return RunFolder.open(resume.get());
        }
        Recipe chosen = experiment.recipe();
        Path path = out.orElseGet(() -> RunFolder.unused(Path.of("runs"), chosen.name()));
        return RunFolder.create(path, chosen, Provenance.of(experiment, device));
    }

    // ---- training

    private int run(RunFolder folder, Experiment experiment, RankTeam team, List<Device> devices, Progress progress)
            throws Exception {
        Recipe chosen = experiment.recipe();
        Device device = devices.get(0);
        String goOn = DeviceOption.command(device, "train", "--resume", folder.path());
        long began = System.nanoTime();
        StopSignal stop = StopSignal.install(err(), "saving and stopping");
        Optional<CheckpointMetric> score = Judge.of(experiment).score();
        progress.training(
                chosen.train().iterations(),
                score.map(each -> each.figure().title()).orElse("score"));
        try (AutoCloseable lock = folder.lock()) {
            Runner runner = new Runner(folder, device);
            if (resume.isPresent()) {
                runner.resume(experiment, overrides, acceptChanges);
            }
            team.start(experiment, devices);
            progress.tell("training " + chosen.name() + " on " + device
                    + (team.own().size() > 1 ? " by " + team.own().size() + " ranks" : "") + " in " + folder.path());
            Judge.of(experiment).warnings().forEach(warning -> progress.line("warning: " + warning));
            Trainer.Outcome outcome = runner.train(experiment, progress, stop::requested);
            team.close();
            if (outcome == Trainer.Outcome.INTERRUPTED) {
                stopped(progress, folder, chosen, "stopped; resume with: " + goOn);
                return stop.requested() ? stop.exitCode() : ExitCode.INTERRUPTED; // another rank's signal
            }
            String unjudged = "stopped before the report; write it with: "
                    + DeviceOption.command(device, "evaluate", folder.path());
            Runnable told = () -> stopped(progress, folder, chosen, unjudged);
            if (!stop.endAtOnce(told)) {
                told.run();
                return stop.exitCode();
            }
            judge(folder, experiment, runner, progress, stop, began);
            return ExitCode.OK;
        } catch (LostRankException e) {
            throw team.told(e, goOn);
        } catch (DivergedException e) {
            progress.line("kelvin: " + e.getMessage());
            ended("diverged", folder, chosen, Map.of("problem", String.valueOf(e.getMessage())));
            return ExitCode.DIVERGED;
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
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("seconds", seconds);
        more.put("ended", "finished");
        print(new Results(folder, experiment, judged.evaluation(), summary), more);
    }

    private void stopped(Progress progress, RunFolder folder, Recipe chosen, String words) {
        progress.line(words);
        ended("stopped", folder, chosen, Map.of());
    }

    /** Tells a program how a run without figures ended. */
    private void ended(String how, RunFolder folder, Recipe chosen, Map<String, Object> more) {
        if (json) {
            Map<String, Object> results = new LinkedHashMap<>();
            results.put("ended", how);
            results.put("recipe", chosen.name());
            results.put("seed", chosen.train().seed());
            results.put("run", folder.path().toString());
            results.putAll(more);
            print(results);
        }
    }
}
