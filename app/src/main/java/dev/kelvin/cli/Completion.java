package dev.kelvin.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kelvin completion}. */
@Command(
        name = "completion",
        description = "Prints a script by which bash and zsh complete Kelvin's verbs, options, recipes and studies.",
        mixinStandardHelpOptions = true,
        footer = {"", "In the shell or its start-up file: source <(kelvin completion)"})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class Completion implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("kelvin", spec.root().commandLine()));
        out.flush();
        return Main.OK;
    }
}
