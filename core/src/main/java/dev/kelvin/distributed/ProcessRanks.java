package dev.kelvin.distributed;

import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.BroadcastOptions;
import org.bytedeco.pytorch.FileStore;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;

/**
 * Ranks that are processes, of one machine or of several, by libtorch's Gloo over TCP. What lives on a GPU goes by way of the
 * CPU. Gloo prints to the process's standard output when it has met the others.
 */
public final class ProcessRanks implements Ranks {
    private final int rank;
    private final int size;
    private final Duration timeout;
    private final Store store; // for this group alone: handed to native code twice, it ends the JVM
    private final ProcessGroupGloo group;

    private ProcessRanks(int rank, int size, Duration timeout, Store store, ProcessGroupGloo group) {
        this.rank = rank;
        this.size = size;
        this.timeout = timeout;
        this.store = store;
        this.group = group;
    }

    /** Waits until all of {@code size} have come, each with another rank. */
    public static ProcessRanks join(Rendezvous at, int rank, int size) {
        Backend.load();
        try {
            Milliseconds wait = new Milliseconds(at.timeout().toMillis());
            Store store = store(at, rank, size, wait);
            store.setTimeout(wait);
            ProcessGroupGloo.Options options = ProcessGroupGloo.Options.create(wait);
            options.devices(new GlooDeviceVector(at.address()
                    .map(ProcessGroupGloo::createDeviceForHostname)
                    .orElseGet(ProcessGroupGloo::createDefaultDevice)));
            ProcessGroupGloo group = new ProcessGroupGloo(store, rank, size, options);
            return new ProcessRanks(rank, size, at.timeout(), store, group);
        } catch (RuntimeException e) {
            throw new LostRankException(
                    String.format(
                            Locale.ROOT,
                            "rank %d has not found all %d ranks at %s within %s: start each once, with the same --ranks and"
                                    + " --store, the file of which no earlier start has used (%s)",
                            rank,
                            size,
                            at.store(),
                            words(at.timeout()),
                            firstLine(e)),
                    e);
        }
    }

    private static Store store(Rendezvous at, int rank, int size, Milliseconds wait) {
        if (at.file().isPresent()) {
            return new FileStore(at.file().get().toString(), size);
        }
        TCPStoreOptions options = new TCPStoreOptions()
                .port((short) at.store().getPort())
                .isServer(rank == 0)
                .numWorkers(new SizeTPointer(1).put(size))
                .timeout(wait);
        return new TCPStore(at.store().getHost(), options);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Tensor gather(Tensor own) {
        try (Scope scope = Scope.open()) {
            Tensor row = own.to(Device.CPU).contiguous().reshape(1, -1); // [1, n], which Gloo wants into [size, n]
            Tensor rows = Tensors.empty(own.dtype(), Device.CPU, size, own.count());
            if (own.count() > 0) {
                await(() -> group._allgather_base(rows.raw(), row.raw()));
            }
            return scope.keep(rows.to(own.device()));
        }
    }

    @Override
    public void broadcast(int from, Tensor tensor) {
        if (tensor.count() == 0) {
            return;
        }
        try (Scope scope = Scope.open();
                BroadcastOptions root = new BroadcastOptions()) {
            Tensor here = tensor.to(Device.CPU).contiguous();
            root.rootRank(from);
            try (TensorVector tensors = new TensorVector(here.raw())) {
                await(() -> group.broadcast(tensors, root));
            }
            if (rank != from) {
                tensor.copyInPlace(here);
            }
        }
    }

    private void await(Supplier<Work> started) {
        try (Work work = started.get()) {
            work._wait();
        } catch (RuntimeException e) {
            boolean silent = firstLine(e).toLowerCase(Locale.ROOT).contains("timed out");
            throw new LostRankException(
                    silent
                            ? "another rank has said nothing for " + words(timeout)
                            : "another rank has ended, or cannot be reached any more",
                    e);
        }
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static String words(Duration time) {
        return time.toSeconds() + " s";
    }

    @Override
    public void close() {
        group.close();
        store.close();
    }
}
