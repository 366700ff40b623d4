package dev.kelvin.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The real command line in a process of its own, to be waited for, interrupted or killed. */
final class Kelvin {
    /** What a command uses of a processor at most: not by the clock, because other processes may use the machine too. */
    private static final Duration WORK = Duration.ofMinutes(5);

    /** When a command that waits for something is given up. */
    private static final Duration DEADLINE = Duration.ofMinutes(30);

    private static final long POLL_MILLIS = 5;

    /** As ./kelvin starts it, but compiled with less effort: these processes live for seconds. */
    private static final List<String> FLAGS = List.of(
            "@" + Path.of("").toAbsolutePath().resolveSibling("jvm.options"),
            "-XX:TieredStopAtLevel=1",
            "-Xlog:disable",
            "-Xmx512m");

    /** Java writes to stderr if it finds one of these. */
    private static final List<String> NOISY = List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    /** A line of progress that breaks the silence, see {@link Progress}. */
    private static final String TICK = ".* \\(\\d+ s\\)|kelvin: still .* s";

    private static final Path TARGET = Path.of("").toAbsolutePath().resolve("target");

    /** The product's jars, as ./kelvin starts them. */
    private static final String CLASS_PATH = classPath();

    /** The same with a part that only these tests have; it comes last, as users' own do. */
    private static final String GATED = String.join(
            File.pathSeparator,
            CLASS_PATH,
            TARGET.resolve("test-classes").toString(),
            Path.of("src/test/gated").toAbsolutePath().toString());

    /** The classes of a first run, which the JVM keeps: the many starts take a second less each. */
    private static final Path ARCHIVE = archive();

    /** How a command ended. */
    record Finished(int exit, String out, String err) {
        /** The lines of stderr, but for those that say what takes long on a busy machine. */
        Stream<String> messages() {
            return err.strip().lines().filter(line -> !line.matches(TICK));
        }

        /** Its complaint, where it is one line and nothing came before it. */
        String complaint() {
            List<String> lines = messages().toList();
            if (!out.isEmpty() || lines.size() != 1) {
                throw new AssertionError("expected one line on stderr and nothing on stdout, found " + this);
            }
            return lines.get(0);
        }
    }

    private final Process process;
    private final long began = System.nanoTime();
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
        return start(CLASS_PATH, folder, arguments);
    }

    /** Starts a command that knows the term {@link Gate}. */
    static Kelvin startGated(Path folder, String... arguments) {
        return start(GATED, folder, arguments);
    }

    private static Kelvin start(String classPath, Path folder, String... arguments) {
        List<String> command = new ArrayList<>();
        for (Map.Entry<String, Integer> signal : Map.of("HUP", 1, "INT", 2).entrySet()) {
            if (ignored(signal.getValue())) {
                command.addAll(List.of("env", "--default-signal=" + signal.getKey()));
            }
        }
        command.addAll(java(classPath, "-XX:SharedArchiveFile=" + ARCHIVE, arguments));
        return start(folder, environment(), command);
    }

    private static List<String> java(String classPath, String archive, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.add(archive);
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", classPath, Main.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        NOISY.forEach(environment::remove);
        return environment;
    }

    private static String classPath() {
        try {
            return TARGET.resolve("kelvin-app.jar")
                    + File.pathSeparator
                    + TARGET.resolve("../../core/target/kelvin-core.jar").normalize()
                    + File.pathSeparator
                    + Files.readString(TARGET.resolve("classpath")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path archive() {
        try {
            Path archive = TARGET.resolve("test-classes.jsa");
            Files.deleteIfExists(archive);
            Path folder = Files.createTempDirectory(TARGET, "first-run");
            String[] arguments = {
                "train", "rings", "--set", "train.iterations=2", "--set", "negatives.steps=1", "--out", "run"
            };
            start(folder, environment(), java(CLASS_PATH, "-XX:ArchiveClassesAtExit=" + archive, arguments))
                    .await();
            return archive;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    /** A shell starts what it puts in the background with SIGINT ignored, nohup with SIGHUP, and children inherit that. */
    private static boolean ignored(int signal) {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("SigIgn:"))
                    .anyMatch(
                            line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1L << (signal - 1)) != 0);
        } catch (IOException e) {
            return false; // no Linux
        }
    }

    Finished await() {
        Optional<Finished> finished = Optional.empty();
        while (finished.isEmpty()) {
            failIfItHangs("the end");
            finished = await(100);
        }
        return finished.get();
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
        while (!happened.getAsBoolean()) {
            Optional<Finished> finished = await(POLL_MILLIS);
            if (finished.isPresent()) {
                throw new AssertionError("ended before " + what + ": " + finished.get());
            }
            failIfItHangs(what);
        }
    }

    private void failIfItHangs(String waitedFor) {
        Duration worked = process.info().totalCpuDuration().orElse(Duration.ZERO);
        Duration waited = Duration.ofNanos(System.nanoTime() - began);
        if (worked.compareTo(WORK) > 0 || waited.compareTo(DEADLINE) > 0) {
            process.destroyForcibly();
            throw new AssertionError("no " + waitedFor + " after " + worked.toSeconds() + " s of work in "
                    + waited.toSeconds() + " s; so far it said: " + err());
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
        signal("INT");
    }

    /** Sends a signal by its name. */
    void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill -" + name + " failed; had it ended? " + await());
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
