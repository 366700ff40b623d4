package dev.kelvin.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The command line in the process of the test, without the seconds that a process takes to start. */
final class InProcess {
    private InProcess() {}

    /** Runs a command to its end; an @ in a word stands for the folder and a slash. */
    static Kelvin.Finished run(Path folder, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(Stream.of(words)
                        .map(word -> word.replace("@", folder + "/"))
                        .toArray(String[]::new));
        return new Kelvin.Finished(exit, out.toString(), err.toString());
    }
}
