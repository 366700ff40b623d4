package dev.kelvin.data.image;

import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives batches of a set's images: shuffled anew in every epoch, all of one size, going on across the end of an epoch.
 * What {@link #batch} gives depends only on the key, the step and the size, never on what was asked before or on the
 * thread that made it; so a resumed run sees what an uninterrupted one would. The set must live as long as the loader.
 */
public final class Loader implements AutoCloseable {
    /** The child of the loader's key from which augmentations draw; epochs take those from 0 on. */
    private static final long AUGMENTATIONS = -1;

    private final Key augmentationKey;
    private final ImageSet set;
    private final Options options;
    private final Shuffle shuffle;
    private final @Nullable Tensor resident;
    private final boolean borrowed; // another loader's, which frees it
    private final @Nullable ExecutorService thread;
    private @Nullable Ahead ahead;
    private boolean closed;

    /**
     * How batches are made.
     *
     * @param range the values of black and white in a batch
     * @param augmentation changes of the images, in [0, 1], before they are brought to the range
     * @param device where batches live
     * @param prefetch whether the next step's batch is made meanwhile on another thread
     * @param resident whether the whole set is kept on the device: on a GPU as bytes, which saves copying, on the CPU as
     *     floats, four bytes a value, which saves converting
     */
    public record Options(
            PixelRange range, Optional<Augmentation> augmentation, Device device, boolean prefetch, boolean resident) {}

    private record Request(long step, int size) {}

    /** A batch that another thread makes, and belongs to no scope. */
    private record Ahead(Request request, CompletableFuture<Tensor> batch) {}

    /** Loads batches of a set, whose order follows from the key; the set stays the caller's. */
    public Loader(Key key, ImageSet set, Options options) {
        this(key, set, options, Optional.empty());
    }

    /** Loads batches of another loader's set from what that one keeps of it on the device; it must live as long. */
    public Loader(Key key, Loader other, Options options) {
        this(key, other.set, options, Optional.of(other));
    }

    private Loader(Key key, ImageSet set, Options options, Optional<Loader> other) {
        this.augmentationKey = key.child(AUGMENTATIONS);
        this.set = set;
        this.options = options;
        this.shuffle = new Shuffle(key, set.count());
        this.thread = options.prefetch ? Executors.newSingleThreadExecutor(Loader::daemon) : null;
        Optional<Loader> shared = other.filter(
                each -> options.resident && each.options.resident && each.options.device.equals(options.device));
        this.borrowed = shared.isPresent();
        if (shared.isPresent()) {
            this.resident = shared.get().resident;
        } else {
            try (Scope scope = Scope.open()) {
                this.resident = options.resident ? Scope.detach(kept(set, options.device)) : null;
            }
        }
    }

    private static Tensor kept(ImageSet set, Device device) {
        return device.cuda() ? set.pixels().to(device) : ImageSet.unit(set.pixels(), set.maximum());
    }

    /** The images of a step, [size, channels, height, width], for the current scope or the caller to free. */
    public synchronized Tensor batch(long step, int size) {
        Check.atLeast("step", step, 0);
        Check.atLeast("size", size, 1);
        if (closed) {
            throw new IllegalStateException("this loader was closed");
        }
        Request request = new Request(step, size);
        Tensor batch = prefetched(request).orElseGet(() -> make(request));
        if (thread != null) {
            ahead = start(thread, new Request(step + 1, size));
        }
        return Scope.adopt(batch);
    }

    /** Which of the set's images a step shows. */
    public long[] indices(long step, int size) {
        return shuffle.indices(Check.atLeast("step", step, 0), size);
    }

    /** The classes of a step's images. */
    public long[] labels(long step, int size) {
        return LongStream.of(indices(step, size)).map(set::label).toArray();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "kelvin-loader");
        thread.setDaemon(true);
        return thread;
    }

    private Tensor make(Request request) {
        try (Scope scope = Scope.open()) {
            long[] indices = shuffle.indices(request.step, request.size);
            Tensor source = resident != null ? resident : set.pixels();
            Tensor rows = source.rows(indices);
            Tensor drawn = (options.device.cuda() && resident == null ? rows.pinned() : rows).to(options.device);
            Tensor images = drawn.dtype() == DType.BYTE ? ImageSet.unit(drawn, set.maximum()) : drawn;
            if (options.augmentation.isPresent()) {
                images = options.augmentation.get().apply(augmentationKey.child(request.step), images);
            }
            return Scope.detach(options.range.fromUnit(images));
        }
    }

    private Ahead start(ExecutorService thread, Request request) {
        return new Ahead(request, CompletableFuture.supplyAsync(() -> make(request), thread));
    }

    /** The batch that was made ahead, if it is the one; another is freed. */
    private Optional<Tensor> prefetched(Request request) {
        Ahead made = ahead;
        ahead = null;
        if (made != null && made.request.equals(request)) {
            return Optional.of(Parallel.join(made.batch));
        }
        drop(made);
        return Optional.empty();
    }

    private static void drop(@Nullable Ahead made) {
        if (made != null) { // a later request will fail as this one, which was not asked for
            made.batch.thenAccept(Tensor::close).exceptionally(failure -> null).join();
        }
    }

    /** Ends the thread and frees what the loader keeps; batches that were given live on. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        drop(ahead);
        ahead = null;
        if (thread != null) {
            thread.shutdown();
        }
        if (resident != null && !borrowed) {
            resident.close();
        }
    }

    /**
     * The order in which images are shown: epoch after epoch, each in an order of its own, and batches of one size that go on
     * across the end of an epoch. What a step shows depends on nothing but the key and the step. For any thread.
     */
    private static final class Shuffle {
        private final Key key;
        private final int count;
        private long cachedEpoch = -1;
        private long[] cached = {};

        Shuffle(Key key, int count) {
            this.key = key;
            this.count = count;
        }

        /** The images of a step: places step·size to step·size + size − 1 of all epochs put one after the other. */
        synchronized long[] indices(long step, int size) {
            long first = Math.multiplyExact(step, size);
            long[] indices = new long[size];
            for (int i = 0; i < size; i++) {
                long place = first + i;
                indices[i] = epoch(place / count)[(int) (place % count)];
            }
            return indices;
        }

        private long[] epoch(long epoch) {
            if (epoch != cachedEpoch) {
                cached = key.child(epoch).permutation(count);
                cachedEpoch = epoch;
            }
            return cached;
        }
    }
}
