package dev.kelvin.cli;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.run.SavedCard;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code kelvin convert RUN}. */
@Command(
        name = "convert",
        description = {
            "Converts a run of the last version, so that Java loads it as well.",
            "What its folder says of the model in several files becomes model.json. Checkpoints stay as they are. The other",
            "commands convert a run by themselves."
        })
final class Convert extends Verb {
    @Parameters(paramLabel = "RUN", description = "the run's folder, such as runs/rings")
    private Path run;

    @Override
    public Integer call() throws Exception {
        boolean converted = SavedCard.convert(run);
        out().println(run + (converted ? " is converted" : " is a run of this version already"));
        out().flush();
        return ExitCode.OK;
    }
}
