package dev.kelvin.tensor;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
        CompletableFuture<T> other = CompletableFuture.supplyAsync(() -> work.apply(1), OTHER);
        T first;
        try {
            first = work.apply(0);
        } catch (RuntimeException | Error e) {
            other.exceptionally(failure -> null).join(); // the first half's failure is the one that is thrown
            throw e;
        }
        return List.of(first, join(other));
    }

    /** The result of another thread's work, or its failure; waits even if this thread is interrupted. */
    public static <T> T join(CompletableFuture<T> work) {
        try {
            return work.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }
}
