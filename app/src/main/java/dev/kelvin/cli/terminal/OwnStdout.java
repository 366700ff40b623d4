package dev.kelvin.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;

/** Standard output for a command's results alone, although native libraries print there. */
public final class OwnStdout {
    private static final String HERE = "/dev/fd/1";

    private OwnStdout() {}

    /**
     * Opens standard output once more, for the command, and closes the first: Java puts {@code /dev/null} in its place, which takes
     * all that native code prints from now on. Where it cannot be opened, as a socket cannot, all stays as it is.
     */
    public static void take(CommandLine command) {
        command.getOut().flush();
        try {
            OutputStream again = new FileOutputStream(HERE, true); // at the end, where it is a file
            command.setOut(new PrintWriter(new OutputStreamWriter(again, charset()), true));
            new FileOutputStream(FileDescriptor.out).close();
        } catch (IOException e) {
            command.getErr().println("kelvin: what libtorch prints may be among the results: " + e.getMessage());
        }
    }

    private static Charset charset() {
        String name = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding", ""));
        return name.isEmpty() ? Charset.defaultCharset() : Charset.forName(name);
    }
}
