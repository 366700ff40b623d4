package dev.kelvin.run;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.train.TrainListener;
import dev.kelvin.train.loop.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Pieces of work of which several are done at once. When a stop is asked for, no further piece begins, and runs that are being
 * trained save first; other work is abandoned, and done again the next time.
 */
public final class Jobs {
    private static final long POLL_MILLIS = 100;

    private final int parallel;
    private final BooleanSupplier stop;
    private final AtomicInteger held = new AtomicInteger();

    /** So many pieces at once, until {@code stop} says so. */
    public Jobs(int parallel, BooleanSupplier stop) {
        this.parallel = parallel;
        this.stop = stop;
    }

    /** A piece of work. */
    @FunctionalInterface
    public interface Piece<T> {
        /** Does it. */
        T done() throws IOException;
    }

    /** Whether a stop was asked for. */
    public boolean stopped() {
        return stop.getAsBoolean();
    }

    /** What came of each piece, in their order; empty of those that were left or abandoned. */
    public <T> List<Optional<T>> all(List<Piece<T>> pieces) throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(parallel);
        try {
            List<CompletableFuture<Optional<T>>> begun = pieces.stream()
                    .map(piece -> CompletableFuture.supplyAsync(() -> done(piece), pool))
                    .toList();
            List<Optional<T>> results = new ArrayList<>();
            for (CompletableFuture<Optional<T>> one : begun) {
                while (!one.isDone() && (!stopped() || held.get() > 0)) {
                    Thread.sleep(POLL_MILLIS);
                }
                results.add(one.isDone() ? Parallel.join(one) : Optional.empty());
            }
            return results;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            pool.shutdownNow();
        }
    }

    private <T> Optional<T> done(Piece<T> piece) {
        try {
            return stopped() ? Optional.empty() : Optional.of(piece.done());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a stop wait, for a run that is being opened, trained or saved, until it is closed. */
    Hold hold() {
        held.incrementAndGet();
        return new Hold();
    }

    /** What a stop waits for. */
    final class Hold implements AutoCloseable {
        private final AtomicBoolean open = new AtomicBoolean(true);

        @Override
        public void close() {
            if (open.getAndSet(false)) {
                held.decrementAndGet();
            }
        }
    }

    /** Trains a run until its end or until a stop is asked for. */
    Trainer.Outcome train(Runner runner, Experiment experiment) throws IOException {
        return runner.train(experiment, new TrainListener() {}, stop);
    }
}
