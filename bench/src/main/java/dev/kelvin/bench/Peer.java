package dev.kelvin.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A Python process that does what a line asks for and answers with a line, such as how long it took. */
final class Peer implements AutoCloseable {
    private final Process process;
    private final PrintWriter out;
    private final BufferedReader in;
    private final String version;

    private Peer(Process process) throws IOException {
        this.process = process;
        out = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        in = process.inputReader(StandardCharsets.UTF_8);
        version = line();
    }

    /** Starts a script of this package; KELVIN_PYTHON names another Python than Debian's. */
    static Peer start(String script, String... arguments) throws IOException {
        return start(1, script, arguments);
    }

    /** With so many threads. */
    static Peer start(int threads, String script, String... arguments) throws IOException {
        Path file = Files.createTempFile("kelvin-peer", ".py");
        file.toFile().deleteOnExit();
        try (InputStream source = Objects.requireNonNull(Peer.class.getResourceAsStream(script), script)) {
            Files.copy(source, file, StandardCopyOption.REPLACE_EXISTING);
        }
        String python = System.getenv().getOrDefault("KELVIN_PYTHON", "/usr/bin/python3");
        List<String> command = new ArrayList<>(List.of(python, file.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("OMP_NUM_THREADS", Integer.toString(threads));
        builder.environment().put("OPENBLAS_NUM_THREADS", Integer.toString(threads));
        return new Peer(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** The seconds that so many iterations took. */
    double run(int iterations) throws IOException {
        return Double.parseDouble(ask(Integer.toString(iterations)));
    }

    /** The answer to a line. */
    String ask(String line) throws IOException {
        out.println(line);
        return line();
    }

    String version() {
        return version;
    }

    private String line() throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new IOException(
                    "the peer stopped; it needs Debian's python3-torch and libopenblas0-pthread (see above)");
        }
        return line;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
