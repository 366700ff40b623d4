package dev.kelvin.train;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/** Where the parts of a pass, each on its own thread, tell each other their numbers. */
final class Exchange {
    /** f at the positives and at the negatives, and −log p(k|x) at the labelled rows, of one part. */
    record Told(double[] positives, double[] negatives, double[] crossEntropy) {}

    private final List<CompletableFuture<Told>> parts;

    Exchange(int parts) {
        this.parts = Stream.generate(CompletableFuture<Told>::new).limit(parts).toList();
    }

    List<Told> tell(int part, Told told) {
        parts.get(part).complete(told);
        try {
            return parts.stream().map(CompletableFuture::join).toList();
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

    /** Whether there is another part. */
    boolean isShared() {
        return parts.size() > 1;
    }

    /** So that the other half, which waits, fails too. */
    void fail(Throwable cause) {
        parts.forEach(part -> part.completeExceptionally(cause));
    }

    static double[] joined(List<double[]> parts) {
        return parts.stream().flatMapToDouble(Arrays::stream).toArray();
    }
}
