package dev.kelvin.tensor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bytedeco.cuda.cudart.CUgraphExec_st;
import org.bytedeco.cuda.cudart.CUgraph_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.pytorch.cuda.CUDAStream;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch_cuda;
import org.jspecify.annotations.Nullable;

/**
 * Work on a GPU that is recorded once and then started as a whole, a CUDA graph: where a network is small, starting its
 * operations one by one takes several times as long as the operations do.
 *
 * <p>Operations and addresses are recorded: inputs are tensors that stay and are written in place before the work is played
 * again, outputs are those of the first time, written over. It may not look at a number on the host, nor bring one from
 * there. Normal numbers are drawn anew each time, from the same children of another key.
 *
 * <p>Work is recorded on a stream of its own, on which nothing else is ever allocated: the allocator keeps the blocks of a
 * stream apart, so what the recording uses in between stays its own.
 */
public final class Recording implements AutoCloseable {
    private static final int RELAXED = 2; // cudaStreamCaptureModeRelaxed: other threads may go on with what they do

    private static final ThreadLocal<@Nullable Draft> CURRENT = new ThreadLocal<>();
    private static final AtomicInteger DRAFTS =
            new AtomicInteger(); // so that keys look for one only where there is any

    /** Streams whose recordings are closed, for the next one: libtorch has 32, and gives them out in turn. */
    private static final Map<Device, Deque<CUDAStream>> FREE = new ConcurrentHashMap<>();

    private static final Object ONE = new Object(); // recording at a time: waiting for the device would spoil another
    private static int living; // recordings that are not closed
    private static int searching; // who wants the fastest convolutions found

    private final Device device;
    private final CUDAStream stream;
    private final List<Part> parts;
    private final List<Draw> draws;
    private boolean closed;

    /** What is started as a whole, and the tensor that it writes its result to. */
    private record Part(CUgraphExec_st graph, Tensor output) {}

    private Recording(Device device, CUDAStream stream, List<Part> parts, List<Draw> draws) {
        this.device = device;
        this.stream = stream;
        this.parts = parts;
        this.draws = draws;
    }

    /** A part of the work, and the tensor that it makes. */
    @FunctionalInterface
    public interface Work {
        /** Makes the output. */
        Tensor make();
    }

    /**
     * Records work in parts, each of which may use what those before it made. Does all of it twice, to prepare and to record
     * it; work that cannot be recorded is a {@link TensorException}.
     */
    public static Recording inParts(Device device, Key key, Function<Key, List<Work>> work) {
        if (!device.cuda()) {
            throw new IllegalArgumentException("work can be recorded on a GPU, not on " + device);
        }
        Backend.load();
        synchronized (ONE) {
            return recorded(device, key, work);
        }
    }

    private static Recording recorded(Device device, Key key, Function<Key, List<Work>> work) {
        CUDAStream usual = torch_cuda.getCurrentCUDAStream((byte) device.index());
        Deque<CUDAStream> free = FREE.computeIfAbsent(device, any -> new ArrayDeque<>());
        CUDAStream stream;
        synchronized (FREE) {
            stream = free.isEmpty() ? torch_cuda.getStreamFromPool(false, (byte) device.index()) : free.pop();
        }
        lives(1);
        check(cudart.cudaDeviceSynchronize());
        torch_cuda.setCurrentCUDAStream(stream);
        DRAFTS.incrementAndGet();
        Draft draft = new Draft(key);
        CURRENT.set(draft);
        try {
            try (Scope rehearsal = Scope.open()) {
                work.apply(key).forEach(Work::make);
            }
            check(cudart.cudaStreamSynchronize(stream.stream()));
            draft.capturing = true;
            return captured(device, stream, draft, work);
        } catch (RuntimeException e) {
            draft.draws.forEach(draw -> draw.numbers.close());
            lives(-1);
            synchronized (FREE) {
                free.push(stream);
            }
            throw e;
        } finally {
            CURRENT.remove();
            DRAFTS.decrementAndGet();
            torch_cuda.setCurrentCUDAStream(usual);
        }
    }

    private static Recording captured(Device device, CUDAStream stream, Draft draft, Function<Key, List<Work>> work) {
        List<Part> parts = new ArrayList<>();
        try (Scope scope = Scope.open()) {
            for (Work part : work.apply(draft.root)) {
                parts.add(captured(stream, part));
            }
            return new Recording(device, stream, parts, draft.draws);
        } catch (RuntimeException e) {
            parts.forEach(Recording::free);
            throw e;
        }
    }

    private static Part captured(CUDAStream stream, Work work) {
        CUgraph_st recorded = new CUgraph_st();
        Tensor output;
        check(cudart.cudaStreamBeginCapture(stream.stream(), RELAXED));
        try {
            output = Scope.detach(work.make());
        } catch (RuntimeException e) {
            cudart.cudaStreamEndCapture(stream.stream(), recorded);
            cudart.cudaGetLastError(); // so that nobody else is told of it
            throw e;
        }
        check(cudart.cudaStreamEndCapture(stream.stream(), recorded));
        CUgraphExec_st graph = new CUgraphExec_st();
        try {
            check(cudart.cudaGraphInstantiate(graph, recorded, 0));
        } finally {
            cudart.cudaGraphDestroy(recorded);
        }
        return new Part(graph, output);
    }

    /** Plays all of it, or its first part, with the draws of this key; see {@link #play(int)}. */
    public Tensor play(Key key) {
        for (Draw draw : draws) {
            Tensors.redraw(draw.key(key), draw.std, draw.numbers);
        }
        return play(0);
    }

    /** Plays a part, after those before it. The result is the same tensor each time: copy what is to stay. */
    public Tensor play(int part) {
        CUDAStream now = torch_cuda.getCurrentCUDAStream((byte) device.index());
        check(cudart.cudaGraphLaunch(parts.get(part).graph, now.stream()));
        return parts.get(part).output;
    }

    private static void free(Part part) {
        cudart.cudaGraphExecDestroy(part.graph);
        part.output.close();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        cudart.cudaDeviceSynchronize();
        parts.forEach(Recording::free);
        draws.forEach(draw -> draw.numbers.close());
        lives(-1);
        synchronized (FREE) {
            FREE.computeIfAbsent(device, any -> new ArrayDeque<>()).push(stream);
        }
    }

    /**
     * Work whose convolutions come again thousands of times: on a GPU the fastest way of each is searched for, which takes seconds
     * for a network. Elsewhere a way is chosen by its shape, since most shapes come a few times only. While there are recordings
     * nothing is searched for: libtorch hands all cached memory back after it, theirs too.
     */
    public static <T> T rehearsed(Device device, Supplier<T> work) {
        if (!device.cuda()) {
            return work.get();
        }
        Backend.load();
        searches(1);
        try {
            return work.get();
        } finally {
            searches(-1);
        }
    }

    private static void searches(int more) {
        synchronized (FREE) {
            searching += more;
            torch.globalContext().setBenchmarkCuDNN(searching > 0 && living == 0);
        }
    }

    private static void lives(int more) {
        synchronized (FREE) {
            living += more;
            torch.globalContext().setBenchmarkCuDNN(searching > 0 && living == 0);
        }
    }

    private static void check(int result) {
        if (result != 0) {
            cudart.cudaGetLastError();
            throw new TensorException(
                    "CUDA: " + cudart.cudaGetErrorString(result).getString());
        }
    }

    /** Where numbers that were drawn lie, and which child of which child of the key they come from. */
    private record Draw(long @Nullable [] path, Key first, double std, Tensor numbers) {
        /** The key in the place of the first one; that itself where it was not made from the work's key. */
        Key key(Key root) {
            if (path == null) {
                return first;
            }
            Key key = root;
            for (long index : path) {
                key = key.child(index);
            }
            return key;
        }
    }

    /** A recording that is being made. */
    private static final class Draft {
        private final Key root;
        private final Map<Key, long[]> paths = new HashMap<>();
        private final List<Draw> draws = new ArrayList<>();
        private boolean capturing;
        private int drawn;

        Draft(Key root) {
            this.root = root;
            paths.put(root, new long[0]);
        }

        /** In the rehearsal new memory; in the recording the same. */
        Tensor normal(Key key, DType type, Device device, double std, long... shape) {
            if (!capturing) {
                Tensor numbers = Scope.detach(Tensors.empty(type, device, shape));
                Tensors.redraw(key, std, numbers);
                draws.add(new Draw(paths.get(key), key, std, numbers));
                return numbers.detach(); // its own handle, which a scope may free
            }
            Draw draw = draws.get(drawn++);
            if (!draw.first.equals(key) || !Arrays.equals(draw.numbers.shape(), shape)) {
                throw new TensorException("work that draws other numbers the second time cannot be recorded");
            }
            return draw.numbers.detach();
        }
    }

    /** Whether normal numbers drawn on this thread are a recording's. */
    static boolean isOpen() {
        return DRAFTS.get() > 0 && CURRENT.get() != null;
    }

    static Tensor normal(Key key, DType type, Device device, double std, long... shape) {
        return Objects.requireNonNull(CURRENT.get()).normal(key, type, device, std, shape);
    }

    /** Tells a recording how a key was made. */
    static void derived(Key parent, long index, Key child) {
        Draft draft = CURRENT.get();
        long[] path = draft == null ? null : draft.paths.get(parent);
        if (draft != null && path != null) {
            long[] longer = Arrays.copyOf(path, path.length + 1);
            longer[path.length] = index;
            draft.paths.put(child, longer);
        }
    }
}
