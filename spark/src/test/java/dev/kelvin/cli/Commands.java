package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Kelvin's command line in the process of a test, for tests of other packages. */
public final class Commands {
    private Commands() {}

    /** Runs a command, which must succeed. */
    public static void run(String... words) {
        StringWriter err = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .execute(words);
        assertThat(exit).as(String.join(" ", words) + ": " + err).isZero();
    }
}
