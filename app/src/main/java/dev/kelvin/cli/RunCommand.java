package dev.kelvin.cli;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A verb that works on a run that is there. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
abstract class RunCommand implements Callable<Integer> {
    private static final String NEWEST = "newest";
    private static final String BEST = "best";

    @Spec
    protected CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "RUN", description = "the run's folder, such as runs/rings")
    private Optional<Path> run = Optional.empty();

    @Option(names = "--json", description = "print one JSON object at the end, and nothing else to stdout")
    protected boolean json;

    @Option(
            names = "--checkpoint",
            paramLabel = "WHICH",
            description =
                    "newest, best by its score, or the step of one that is kept (default: the one that the recipe has judged,"
                            + " train.evaluate)")
    private Optional<String> which = Optional.empty();

    @Option(
            names = "--accept-changes",
            description = "continue although the data or the recipe's file differ from what the run was trained with")
    private boolean acceptChanges;

    @Mixin
    private DataOption dataOption;

    @Mixin
    private DeviceOption deviceOption;

    @Override
    public final Integer call() throws Exception {
        if (run.isEmpty()) {
            workWithoutRun();
            return Main.OK;
        }
        RunFolder folder = RunFolder.open(run.get());
        Recipe recipe = dataOption.applied(folder.recipe(List.of()));
        Threads.choose(recipe);
        Device device = deviceOption.device();
        try (Progress progress = Progress.of(spec)) {
            progress.doing("opening " + folder.path());
            return work(folder, recipe, device, progress);
        }
    }

    private int work(RunFolder folder, Recipe recipe, Device device, Progress progress) throws Exception {
        try (Experiment experiment = open(folder, recipe, device)) {
            Runner runner = new Runner(folder, device);
            if (acceptChanges) {
                runner.accept(experiment);
            }
            long step = restore(runner, experiment);
            if (dataOption.given() && experiment.data().opened()) { // and so they are known to be the same
                folder.write(recipe);
            }
            work(folder, experiment, runner, progress, step);
            return exitCode();
        }
    }

    /** Loads the checkpoint that is asked for; tells its step. */
    private long restore(Runner runner, Experiment experiment) throws IOException {
        if (which.isEmpty()) {
            return runner.restoreJudged(experiment);
        }
        String word = which.get().toLowerCase(Locale.ROOT);
        if (word.equals(NEWEST) || word.equals(BEST)) {
            return runner.restore(experiment, word.equals(BEST));
        }
        if (!word.matches("[0-9]{1,15}")) {
            throw new ParameterException(
                    spec.commandLine(), "--checkpoint takes newest, best or a step, found '" + word + "'");
        }
        long step = Long.parseLong(word);
        runner.restoreAt(experiment, step);
        return step;
    }

    /** The run's folder, where one is named. */
    Optional<Path> run() {
        return run;
    }

    /** The run's experiment, with its data. */
    Experiment open(RunFolder folder, Recipe recipe, Device device) {
        DataOption.requireThere(folder, recipe);
        return new Experiment(recipe, device);
    }

    /** Does the verb's work where no run is named; most verbs need one. */
    void workWithoutRun() throws Exception {
        throw new ParameterException(spec.commandLine(), "name a RUN: the folder of a run, such as runs/rings");
    }

    /** What the process ends with after its work. */
    int exitCode() {
        return Main.OK;
    }

    /** Does the verb's work on the run's checkpoint; closes the progress before it prints results. */
    abstract void work(RunFolder folder, Experiment experiment, Runner runner, Progress progress, long step)
            throws Exception;
}
