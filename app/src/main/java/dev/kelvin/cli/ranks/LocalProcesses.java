package dev.kelvin.cli.ranks;

import dev.kelvin.distributed.ProcessRanks;
import dev.kelvin.distributed.Ranks;
import dev.kelvin.distributed.Rendezvous;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The ranks of a run beside the first as processes of this machine, started with this process's own words. */
final class LocalProcesses implements AutoCloseable {
    private static final String HERE = "127.0.0.1";

    /** Words that are for the first rank alone. */
    private static final Set<String> FIRST = Set.of("--processes", "--json");

    private static final long MILLIS_BETWEEN_LOOKS = 100;

    /** How long those that were told to end may take until they are killed. */
    private static final long SECONDS_TO_END = 20;

    private final Path folder;
    private final List<Process> processes = new ArrayList<>();
    private final Ranks first;

    /** Starts them, with this class to begin with, and waits until all have come. */
    LocalProcesses(Class<?> main, List<String> words, int count, Duration timeout) throws IOException {
        folder = Files.createTempDirectory("kelvin-ranks"); // which nobody else can read
        Rendezvous store = new Rendezvous(folder.resolve("store").toUri(), timeout, Optional.of(HERE));
        try {
            for (int rank = 1; rank < count; rank++) {
                processes.add(new ProcessBuilder(command(main, words, rank, store))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
            }
            first = joined(store, count);
        } catch (IOException | RuntimeException e) {
            processes.forEach(Process::destroy);
            delete();
            throw e;
        }
    }

    /** The first rank when all have met, unless one has ended before: then nobody would come until the time-out. */
    private Ranks joined(Rendezvous store, int count) {
        CompletableFuture<Ranks> met = new CompletableFuture<>();
        Thread meeting = new Thread(() -> meet(met, store, count), "kelvin-rendezvous");
        meeting.setDaemon(true); // it may wait in native code for long
        meeting.start();
        while (true) {
            try {
                return met.get(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                requireAlive();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UserException("interrupted while the ranks were starting");
            }
        }
    }

    private static void meet(CompletableFuture<Ranks> met, Rendezvous store, int count) {
        try {
            met.complete(ProcessRanks.join(store, 0, count));
        } catch (RuntimeException | Error e) {
            met.completeExceptionally(e);
        }
    }

    private void requireAlive() {
        for (int i = 0; i < processes.size(); i++) {
            if (!processes.get(i).isAlive()) {
                throw new UserException("rank " + (i + 1) + " ended with exit code "
                        + processes.get(i).exitValue() + " before it met the others");
            }
        }
    }

    private static List<String> command(Class<?> main, List<String> words, int rank, Rendezvous store) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        words.stream().filter(word -> !FIRST.contains(word)).forEach(command::add);
        command.addAll(List.of(
                "--rank", Integer.toString(rank), "--store", store.store().toString(), "--address", HERE));
        return command;
    }

    /** The first, which is this process's. */
    Ranks first() {
        return first;
    }

    /** Waits for them: they end when the first has left or says so. */
    @Override
    public void close() {
        first.close();
        boolean interrupted = false;
        for (Process each : processes) {
            try {
                if (interrupted || !each.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                    each.destroyForcibly();
                }
            } catch (InterruptedException e) {
                interrupted = true;
                each.destroyForcibly();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        delete();
    }

    private void delete() {
        try {
            Files.deleteIfExists(folder.resolve("store"));
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            folder.toFile().deleteOnExit(); // the system's temporary files are cleaned some day
        }
    }
}
