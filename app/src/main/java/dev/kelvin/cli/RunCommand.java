package dev.kelvin.cli;

import dev.kelvin.cli.option.DataOption;
import dev.kelvin.cli.option.DeviceOption;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.run.RunFolder;
import dev.kelvin.train.checkpoint.CheckpointChoice;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A verb that works on a run that is there. */
abstract class RunCommand extends JsonVerb {
    @Parameters(arity = "0..1", paramLabel = "RUN", description = "the run's folder, such as runs/rings")
    Optional<Path> run = Optional.empty();

    @Option(
            names = "--checkpoint",
            paramLabel = "WHICH",
            description = "newest, best, or the step of one that is kept (default: by the recipe's train.evaluate)")
    private Optional<String> which = Optional.empty();

    @Option(names = "--accept-changes", description = "continue although data or recipe differ from those of the run")
    boolean acceptChanges;

    @Mixin
    DataOption dataOption;

    @Mixin
    DeviceOption deviceOption;

    /** What the process ends with after its work. */
    int exitCode = ExitCode.OK;

    @Override
    public final Integer call() throws Exception {
        if (run.isEmpty()) {
            workWithoutRun();
            return ExitCode.OK;
        }
        RunFolder folder = RunFolder.open(run.get());
        try (Progress progress = Progress.of(spec)) {
            progress.doing("opening " + folder.path());
            work(folder, progress);
        }
        return exitCode;
    }

    /** The checkpoint that is asked for; nothing where the one is meant that the recipe has judged. */
    final Optional<CheckpointChoice> checkpoint() {
        return which.map(given -> {
            String word = given.toLowerCase(Locale.ROOT);
            return switch (word) {
                case "newest" -> CheckpointChoice.NEWEST;
                case "best" -> CheckpointChoice.BEST;
                default -> {
                    if (!word.matches("[0-9]{1,15}")) {
                        throw usage("--checkpoint takes newest, best or a step, found '" + word + "'");
                    }
                    yield CheckpointChoice.at(Long.parseLong(word));
                }
            };
        });
    }

    /** Does the verb's work where no run is named; most verbs need one. */
    void workWithoutRun() throws Exception {
        throw usage("name a RUN: the folder of a run, such as runs/rings");
    }

    /** Does the verb's work on a run; closes the progress before it prints results. */
    abstract void work(RunFolder folder, Progress progress) throws Exception;
}
