package dev.kelvin.cli;

import dev.kelvin.cli.terminal.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code kelvin completion}. */
@Command(
        name = "completion",
        description = "Prints a script by which bash and zsh complete Kelvin's verbs, options, recipes and studies.",
        footer = {"", "In the shell or its start-up file: source <(kelvin completion)"})
final class Completion extends Verb {
    @Override
    public Integer call() {
        out().print(AutoComplete.bash("kelvin", spec.root().commandLine()));
        out().flush();
        return ExitCode.OK;
    }
}
