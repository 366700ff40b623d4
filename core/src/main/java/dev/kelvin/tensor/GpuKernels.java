package dev.kelvin.tensor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nvrtc;
import org.bytedeco.cuda.nvrtc._nvrtcProgram;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;
import org.bytedeco.pytorch.cuda.CUDAStream;
import org.bytedeco.pytorch.global.torch_cuda;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Our own kernels for a GPU, compiled from {@code fused.cu} for the device by NVRTC when first asked for. Where that is not to be
 * had there are none, a warning says so once, and libtorch's operations do the work.
 */
final class GpuKernels {
    private static final Logger LOG = LoggerFactory.getLogger(GpuKernels.class);

    private static final String SOURCE = "fused.cu";
    /** Threads of a block. */
    static final int THREADS = 256;

    private static final int BLOCKS = 132 * 8; // at most; each thread then takes several elements
    private static final int MOST_ARGUMENTS = 16;

    private static final Map<Integer, Optional<GpuKernels>> BY_DEVICE = new ConcurrentHashMap<>();

    /** A launch's arguments, eight bytes each, and their addresses; the driver copies them when it is asked to launch. */
    private record Arguments(LongPointer values, PointerPointer<?> addresses) {
        static final ThreadLocal<Arguments> OWN = ThreadLocal.withInitial(Arguments::make);

        static Arguments make() {
            LongPointer values = new LongPointer(MOST_ARGUMENTS);
            LongPointer addresses = new LongPointer(MOST_ARGUMENTS);
            for (int i = 0; i < MOST_ARGUMENTS; i++) {
                addresses.put(i, values.address() + (long) i * Long.BYTES);
            }
            return new Arguments(values, new PointerPointer<>(addresses)); // the same memory, as the driver's type
        }
    }

    private final int device;
    private final CUmod_st module;
    private final Map<String, CUfunc_st> functions = new HashMap<>();

    private GpuKernels(int device, CUmod_st module) {
        this.device = device;
        this.module = module;
    }

    /** Those of a device, where there are any. */
    static Optional<GpuKernels> of(Device device) {
        return device.cuda() ? BY_DEVICE.computeIfAbsent(device.index(), GpuKernels::made) : Optional.empty();
    }

    private static Optional<GpuKernels> made(int device) {
        try (BytePointer binary = compiled(device)) {
            CUmod_st module = new CUmod_st();
            check(cudart.cuModuleLoadData(module, binary));
            return Optional.of(new GpuKernels(device, module));
        } catch (TensorException | LinkageError e) {
            LOG.warn("Kelvin's own GPU kernels are not used, because NVRTC cannot compile them: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static BytePointer compiled(int device) {
        check(cudart.cudaSetDevice(device));
        String architecture = "--gpu-architecture=sm_"
                + attribute(cudart.cudaDevAttrComputeCapabilityMajor, device)
                + attribute(cudart.cudaDevAttrComputeCapabilityMinor, device);
        _nvrtcProgram program = new _nvrtcProgram();
        try (BytePointer source = new BytePointer(source(), StandardCharsets.UTF_8);
                BytePointer name = new BytePointer(SOURCE);
                BytePointer option = new BytePointer(architecture);
                PointerPointer<BytePointer> options = new PointerPointer<BytePointer>(1).put(0, option)) {
            checkCompiler(nvrtc.nvrtcCreateProgram(
                    program, source, name, 0, (PointerPointer<?>) null, (PointerPointer<?>) null));
            int result = nvrtc.nvrtcCompileProgram(program, 1, options);
            if (result != 0) {
                throw new TensorException(log(program));
            }
            try (SizeTPointer size = new SizeTPointer(1)) {
                checkCompiler(nvrtc.nvrtcGetCUBINSize(program, size));
                BytePointer binary = new BytePointer(size.get());
                checkCompiler(nvrtc.nvrtcGetCUBIN(program, binary));
                return binary;
            }
        } finally {
            if (!program.isNull()) {
                nvrtc.nvrtcDestroyProgram(program);
            }
        }
    }

    private static int attribute(int what, int device) {
        try (IntPointer value = new IntPointer(1)) {
            check(cudart.cudaDeviceGetAttribute(value, what, device));
            return value.get();
        }
    }

    private static String source() {
        try (InputStream in = Objects.requireNonNull(GpuKernels.class.getResourceAsStream(SOURCE))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String log(_nvrtcProgram program) {
        try (SizeTPointer size = new SizeTPointer(1)) {
            checkCompiler(nvrtc.nvrtcGetProgramLogSize(program, size));
            try (BytePointer text = new BytePointer(size.get())) {
                checkCompiler(nvrtc.nvrtcGetProgramLog(program, text));
                return text.getString();
            }
        }
    }

    private static void checkCompiler(int result) {
        if (result != 0) {
            throw new TensorException(
                    "NVRTC: " + nvrtc.nvrtcGetErrorString(result).getString());
        }
    }

    private static void check(int result) {
        if (result != 0) {
            cudart.cudaGetLastError();
            throw new TensorException("CUDA's driver gave error " + result);
        }
    }

    /**
     * Starts a kernel on the current stream, one thread for each of {@code elements} up to a number.
     *
     * @param arguments tensors, whose memory is meant (null for none), Long and Double
     */
    void launch(String name, long elements, @Nullable Object... arguments) {
        long blocks = Math.max(1, Math.min(BLOCKS, (elements + THREADS - 1) / THREADS));
        launchBlocks(name, (int) blocks, 0, arguments);
    }

    /** Starts a kernel with so many blocks of {@link #THREADS} threads, which share so many bytes. */
    void launchBlocks(String name, int blocks, int shared, @Nullable Object... arguments) {
        Arguments own = Arguments.OWN.get();
        for (int i = 0; i < arguments.length; i++) {
            own.values.put(i, bits(arguments[i]));
        }
        PointerPointer<?> none = null;
        check(cudart.cudaSetDevice(device)); // a thread's current GPU may be another
        try (CUDAStream stream = torch_cuda.getCurrentCUDAStream((byte) device)) {
            check(cudart.cuLaunchKernel(
                    function(name), blocks, 1, 1, THREADS, 1, 1, shared, stream.stream(), own.addresses, none));
        }
    }

    private static long bits(@Nullable Object argument) {
        if (argument == null) {
            return 0;
        }
        if (argument instanceof Tensor tensor) {
            return tensor.raw().data_ptr().address();
        }
        return argument instanceof Double number ? Double.doubleToRawLongBits(number) : (Long) argument;
    }

    private synchronized CUfunc_st function(String name) {
        return functions.computeIfAbsent(name, wanted -> {
            CUfunc_st found = new CUfunc_st();
            check(cudart.cuModuleGetFunction(found, module, wanted));
            return found;
        });
    }
}
