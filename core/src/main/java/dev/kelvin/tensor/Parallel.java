package dev.kelvin.tensor;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/**
 * Work in two halves, at once where there are processors. There are always two, so that the result does not depend on the
 * machine, and small batches gain nothing from more.
 */
public final class Parallel {
    private static final ExecutorService OTHER = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "kelvin-half");
        thread.setDaemon(true);
        return thread;
    });

    private Parallel() {}

    /**
     * What {@code work} makes of half 0, here, and of half 1, on another thread. Tensors in the results must have been
     * taken out of their scope by {@link Scope#detach}, and are the caller's to close. If one half fails, the other is
     * waited for first: it reads what the caller may free.
     */
    public static <T> List<T> halves(IntFunction<T> work) {
        Future<T> other = OTHER.submit(() -> work.apply(1));
        T first;
        try {
            first = work.apply(0);
        } catch (RuntimeException | Error e) {
            await(other);
            throw e;
        }
        return List.of(first, result(other));
    }

    private static void await(Future<?> other) {
        try {
            result(other);
        } catch (RuntimeException e) {
            // the first half's failure is the one that is told
        }
    }

    private static <T> T result(Future<T> other) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return other.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof RuntimeException cause) {
                        throw cause;
                    }
                    if (e.getCause() instanceof Error cause) {
                        throw cause;
                    }
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
