package dev.kelvin.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The real command line in a process of its own, to be waited for, interrupted or killed. */
final class Kelvin {
    private static final long DEADLINE_SECONDS = 120;
    private static final long POLL_MILLIS = 5;

    /** As ./kelvin starts it, but compiled with less effort: these processes live for seconds. */
    private static final List<String> FLAGS = List.of(
            "@" + Path.of("").toAbsolutePath().resolveSibling("jvm.options"),
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Xmx512m");

    /** Java writes to stderr if it finds one of these. */
    private static final List<String> NOISY = List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    /** How a command ended. */
    record Finished(int exit, String out, String err) {
        /** Its complaint, where it is one line and nothing came before it. */
        String complaint() {
            if (!out.isEmpty() || err.strip().lines().count() != 1) {
                throw new AssertionError("expected one line on stderr and nothing on stdout, found " + this);
            }
            return err.strip();
        }
    }

    private final Process process;
    private final Path out;
    private final Path err;

    private Kelvin(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Runs a command in a folder to its end. */
    static Finished run(Path folder, String... arguments) {
        return start(folder, arguments).await();
    }

    /** Starts a command in a folder. */
    static Kelvin start(Path folder, String... arguments) {
        List<String> command = new ArrayList<>();
        if (interruptsAreIgnored()) {
            command.addAll(List.of("env", "--default-signal=INT"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(arguments));
        Map<String, String> environment = new HashMap<>(System.getenv());
        NOISY.forEach(environment::remove);
        return start(folder, environment, command);
    }

    /** Starts any command with exactly this environment. */
    static Kelvin start(Path folder, Map<String, String> environment, List<String> command) {
        try {
            Path out = Files.createTempFile("kelvin-test", ".out");
            Path err = Files.createTempFile("kelvin-test", ".err");
            out.toFile().deleteOnExit();
            err.toFile().deleteOnExit();
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            return new Kelvin(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A shell starts what it puts in the background with SIGINT ignored, and children inherit that. */
    private static boolean interruptsAreIgnored() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("SigIgn:"))
                    .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16)
                                    & 1L << (2 - 1)) // SIGINT is signal 2
                            != 0);
        } catch (IOException e) {
            return false; // no Linux
        }
    }

    Finished await() {
        return await(TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS))
                .orElseThrow(() -> new AssertionError("still running after " + DEADLINE_SECONDS + " s: " + kill()));
    }

    /** Waits for so long at most. */
    Optional<Finished> await(long millis) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS)
                    ? Optional.of(new Finished(process.exitValue(), Files.readString(out), err()))
                    : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until something is so while the process runs; fails if the process ends first. */
    void until(String what, BooleanSupplier happened) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!happened.getAsBoolean()) {
            Optional<Finished> finished = await(POLL_MILLIS);
            if (finished.isPresent()) {
                throw new AssertionError("ended before " + what + ": " + finished.get());
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("no " + what + " within " + DEADLINE_SECONDS + " s: " + kill());
            }
        }
    }

    /** What it has written to stderr so far. */
    String err() {
        try {
            return Files.readString(err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ctrl-C. */
    void interrupt() {
        try {
            int code = new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill -INT failed; had it ended? " + await());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** {@code kill -9}; returns when the process is gone. */
    Finished kill() {
        process.destroyForcibly();
        return await();
    }
}
