package com.example.kelvin;

import dev.kelvin.cli.Main;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Kelvin's real command line in a process of its own, with these parts on its class path or without them. */
final class CommandLine {
    /** When a process that hangs is given up; on a busy machine a command of seconds takes minutes. */
    static final long DEADLINE_SECONDS = 1800;

    private static final long POLL_MILLIS = 5;

    /** As ./kelvin starts it, but compiled with less effort: these processes live for seconds. */
    private static final List<String> FLAGS = List.of(
            "@" + Path.of("").toAbsolutePath().resolveSibling("jvm.options"),
            "-XX:TieredStopAtLevel=1",
            "-Xlog:disable",
            "-Xmx512m");

    /** How a command ended. */
    record Finished(int exit, String out, String err) {}

    private final Process process;
    private final Path out;
    private final Path err;

    private CommandLine(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts a command in a folder, with the parts of this module. */
    static CommandLine start(Path folder, String... arguments) throws IOException {
        return start(System.getProperty("java.class.path"), folder, arguments);
    }

    /** Runs a command to its end, without them. */
    static Finished runWithoutOwnParts(Path folder, String... arguments) throws Exception {
        Path own = own();
        List<String> others =
                new ArrayList<>(List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)));
        if (!others.removeIf(entry -> Path.of(entry).toAbsolutePath().equals(own))) {
            throw new AssertionError(own + " is not on the class path " + others);
        }
        return start(String.join(File.pathSeparator, others), folder, arguments).await();
    }

    /** Where this module's classes are: a folder, or the jar. */
    private static Path own() throws URISyntaxException {
        return Path.of(Objects.requireNonNull(
                                OwnParts.class.getProtectionDomain().getCodeSource())
                        .getLocation()
                        .toURI())
                .toAbsolutePath();
    }

    private static CommandLine start(String classPath, Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", classPath, Main.class.getName()));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "command", ".out");
        Path err = Files.createTempFile(folder, "command", ".err");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new CommandLine(process, out, err);
    }

    Finished await() throws Exception {
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running after " + DEADLINE_SECONDS + " s: " + kill());
        }
        return new Finished(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** Waits until something is so while the process runs; fails if the process ends first. */
    void until(String what, BooleanSupplier happened) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!happened.getAsBoolean()) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("ended before " + what + ": " + await());
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("no " + what + " within " + DEADLINE_SECONDS + " s: " + kill());
            }
        }
    }

    /** {@code kill -9}; returns when the process is gone. */
    Finished kill() throws Exception {
        process.destroyForcibly().waitFor();
        return await();
    }
}
