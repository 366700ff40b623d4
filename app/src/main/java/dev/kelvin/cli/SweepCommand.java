package dev.kelvin.cli;

import dev.kelvin.cli.option.DataOption;
import dev.kelvin.cli.option.DeviceOption;
import dev.kelvin.cli.option.Share;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.cli.terminal.StopSignal;
import dev.kelvin.cli.terminal.SweepResults;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.model.Precision;
import dev.kelvin.pages.RunReport;
import dev.kelvin.pages.SweepRanking;
import dev.kelvin.pages.SweepReport;
import dev.kelvin.part.SettingException;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.Jobs;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.run.UnattendedRun;
import dev.kelvin.sweep.Sweep;
import dev.kelvin.sweep.SweepFolder;
import dev.kelvin.sweep.SweepPlan;
import dev.kelvin.sweep.SweepRun;
import dev.kelvin.sweep.SweepRun.State;
import dev.kelvin.sweep.SweepRunner;
import dev.kelvin.sweep.SweepTable;
import dev.kelvin.tensor.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kelvin sweep RECIPE} and {@code kelvin sweep --resume FOLDER}. */
@Command(
        name = "sweep",
        description = "Trains a recipe with many settings and seeds; says which is best and what each setting does.",
        footer = {
            "",
            "A run that diverges stops no other. Ctrl-C saves and stops; the same command",
            "with the same --out, or 'kelvin sweep --resume FOLDER', does what is missing.",
            "Example: kelvin sweep rings --set negatives.steps=1,5,10 --seeds 0..4"
        })
final class SweepCommand extends JsonVerb {
    private static final int LISTED = 20;

    @Parameters(
            arity = "0..1",
            paramLabel = "RECIPE",
            description = "what to train",
            completionCandidates = Train.RecipeNames.class)
    private Optional<String> recipe = Optional.empty();

    @Option(names = "--resume", paramLabel = "FOLDER", description = "do what is missing of the sweep in this folder")
    private Optional<Path> resume = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "a.b=x,y",
            description =
                    "a setting with its values, such as negatives.steps=1,5,10; may be repeated: all combinations are"
                            + " trained. With --random a range too, such as negatives.kernel.mala.stepSize=1e-3..1e-1")
    private List<String> settings = new ArrayList<>();

    @Option(names = "--seeds", paramLabel = "SEEDS", description = "such as 0..4 or 1,2,5 (default: ${DEFAULT-VALUE})")
    private String seeds = "0";

    @Option(names = "--random", paramLabel = "N", description = "draw N points rather than train all combinations")
    private Optional<Integer> random = Optional.empty();

    @Option(names = "--out", paramLabel = "FOLDER", description = "the sweep's folder (default: runs/NAME-sweep)")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "the number of runs in parallel (default: one per core, on a GPU one)")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--task",
            paramLabel = "I/N",
            converter = Share.Converter.class,
            description = "train share I of N only, for arrays of jobs that work in one folder")
    private Share task = Share.ALL;

    @Option(names = "--dry-run", description = "check every point, list the runs, train and write nothing")
    private boolean dryRun;

    @Mixin
    private DataOption dataOption;

    @Mixin
    private DeviceOption deviceOption;

    @Override
    public Integer call() throws Exception {
        refuseUnfit();
        Device device = deviceOption.device();
        try (Progress progress = Progress.of(spec)) {
            if (resume.isPresent()) {
                SweepFolder folder = SweepFolder.open(resume.get());
                return dryRun ? list(folder, progress) : work(device).train(folder, progress);
            }
            Sweep sweep = asked(
                    this,
                    () -> new Sweep(
                            recipe.orElseThrow(),
                            List.of(),
                            settings,
                            Sweep.seeds(seeds),
                            random.map(OptionalInt::of).orElse(OptionalInt.empty())));
            SweepPlan plan = plan(this, sweep, dataOption::applied, device, progress);
            Path path = out.orElseGet(() -> unused(plan, "-sweep"));
            return dryRun
                    ? list(SweepFolder.planned(path, plan), progress)
                    : work(device).train(SweepFolder.of(path, plan), progress);
        }
    }

    private void refuseUnfit() {
        boolean begins = !settings.isEmpty() || random.isPresent() || out.isPresent() || dataOption.given();
        if (recipe.isPresent() == resume.isPresent()) {
            throw usage("name a RECIPE, such as rings, with --set and --seeds, or a sweep that is there with --resume");
        }
        if (resume.isPresent() && (begins || spec.commandLine().getParseResult().hasMatchedOption("--seeds"))) {
            throw usage("--resume goes on with a sweep as it is; leave out --set, --seeds, --random, --out and --data");
        }
        if (task.of() > 1 && resume.isEmpty() && out.isEmpty()) {
            throw usage("with --task name the folder that all tasks share with --out");
        }
        if (jobs.isPresent() && jobs.get() < 1) {
            throw usage("--jobs must be at least 1, found " + jobs.get());
        }
    }

    private Work work(Device device) {
        return new Work(this, device, jobs, task);
    }

    // ---- what train --seeds does too

    /** The folder of a new sweep: NAME and some words, and a number if that is taken. */
    static Path unused(SweepPlan plan, String words) {
        return RunFolder.unused(Path.of("runs"), plan.recipes().get(0).name() + words);
    }

    /** A sweep that options ask for; what it refuses is told by their names. */
    static <T> T asked(Verb verb, Supplier<T> made) {
        try {
            return made.get();
        } catch (SettingException e) {
            throw verb.usage("--" + e.setting() + " " + e.problem());
        }
    }

    /** The plan of a sweep, for which all its recipes are read and its data opened. */
    static SweepPlan plan(Verb verb, Sweep sweep, UnaryOperator<Recipe> moved, Device device, Progress progress) {
        progress.doing("reading the recipes and opening the data");
        return asked(verb, () -> SweepPlan.of(sweep, moved, device));
    }

    private int list(SweepFolder folder, Progress progress) throws IOException {
        List<SweepRun> share = task.of(folder.runs());
        List<Map<String, Object>> runs = new ArrayList<>();
        for (SweepRun run : share) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("run", run.name());
            facts.put("state", run.result().state().toString());
            facts.put("seed", run.seed());
            facts.put("settings", run.point().values());
            runs.add(facts);
        }
        progress.close();
        if (json) {
            print(Map.of("sweep", folder.path().toString(), "runs", runs));
            return ExitCode.OK;
        }
        out().println(counted(share.size(), "run") + " in " + folder.path() + ": "
                + counted(folder.points().size(), "point") + " with "
                + counted(folder.sweep().seeds().size(), "seed") + (task.of() > 1 ? ", share " + task : ""));
        runs.stream().limit(LISTED).forEach(run -> out().println("  " + run.get("run") + "  " + run.get("state")));
        if (runs.size() > LISTED) {
            out().println("  ... and " + (runs.size() - LISTED) + " more");
        }
        out().flush();
        return ExitCode.OK;
    }

    private static String counted(int number, String one) {
        return number + " " + one + (number == 1 ? "" : "s");
    }

    /** Trains a share of a sweep's runs, some at once; whoever ends when all runs are over writes table and report. */
    record Work(JsonVerb verb, Device device, Optional<Integer> jobs, Share share) {
        private static final UnattendedRun.Finishing REPORT = new UnattendedRun.Finishing() {
            @Override
            public boolean isDone(RunFolder folder) {
                return Files.exists(folder.report());
            }

            /** One at a time: its pictures lie in the heap, and are drawn by all cores. */
            @Override
            public synchronized void finish(RunFolder folder, Experiment experiment, Runner.Judged judged)
                    throws IOException {
                RunReport.write(folder, experiment, judged.judge(), judged.evaluation());
            }
        };

        int train(SweepFolder folder, Progress progress) throws IOException {
            List<SweepRun> runs = share.of(folder.runs());
            int parallel = jobs.orElse(device.cuda() ? 1 : Runtime.getRuntime().availableProcessors());
            parallel = Math.max(1, Math.min(parallel, runs.size()));
            refuseMixedRounding(folder, parallel);
            oneThreadEach();
            StopSignal stop = StopSignal.install(verb.err(), "saving and stopping");
            progress.tell("training " + runs.size() + " of " + folder.runs().size() + " runs, " + parallel
                    + " at once, in " + folder.path());
            AtomicInteger done = new AtomicInteger();
            Runnable counted = () -> progress.doing("runs: " + done.getAndIncrement() + " done now");
            counted.run();
            new SweepRunner(device, new Jobs(parallel, stop::requested), REPORT, line -> {
                        progress.tell("  " + line);
                        counted.run();
                    })
                    .train(runs);
            if (stop.requested()) {
                progress.line("stopped; continue with: " + resume(folder));
                verb.printStopped();
                return stop.exitCode();
            }
            SweepRanking ranking = SweepRanking.of(folder);
            if (ranking.isComplete()) {
                progress.doing("writing the report");
                SweepTable.write(folder, ranking.results());
                SweepReport.of(ranking).write(folder.report());
            }
            progress.close();
            SweepResults results =
                    new SweepResults(ranking, DeviceOption.command(device, "sweep", "--resume", folder.path()));
            if (verb.json) {
                verb.print(results.forPrograms());
            } else {
                results.print(verb.out());
            }
            return exitCode(runs, ranking);
        }

        /** Whether a GPU's convolutions are rounded is the process's to say, not the run's. */
        private void refuseMixedRounding(SweepFolder folder, int parallel) {
            boolean mixed = device.cuda()
                    && parallel > 1
                    && folder.runs().stream()
                                    .map(run -> run.recipe().train().precision() == Precision.TF32)
                                    .distinct()
                                    .count()
                            > 1;
            if (mixed) {
                throw verb.usage(
                        "runs with train.precision=tf32 and others can't share a GPU at once; leave out --jobs");
            }
        }

        private String resume(SweepFolder folder) {
            List<Object> words = new ArrayList<>(List.of("sweep", "--resume", folder.path()));
            if (share.of() > 1) {
                words.addAll(List.of("--task", share));
            }
            return DeviceOption.command(device, words.toArray());
        }

        /** Of the runs of this share: whether one could not be trained, or all diverged. */
        private static int exitCode(List<SweepRun> runs, SweepRanking ranking) {
            Set<SweepRun> own = Set.copyOf(runs);
            List<State> states = ranking.results().stream()
                    .filter(result -> own.contains(result.run()))
                    .map(SweepRun.Result::state)
                    .toList();
            if (states.contains(State.FAILED)) {
                return ExitCode.RECIPE;
            }
            boolean allDiverged = states.stream().allMatch(State.DIVERGED::equals);
            return allDiverged && !states.isEmpty() ? ExitCode.DIVERGED : ExitCode.OK;
        }
    }
}
