package dev.kelvin.tensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;

/** Loads libtorch once, when it is first needed, and tells it what it must know. */
public final class Backend {
    /** Their order matters: each needs those before it. CPU builds lack two of them. */
    private static final List<String> LIBRARIES = List.of("c10", "torch_cpu", "c10_cuda", "torch_cuda", "torch");

    private Backend() {}

    /** Loads libtorch if that has not been done; afterwards every tensor operation works. */
    public static void load() {
        Loaded.touch();
    }

    /** How many threads one operation may use. Not the number of threads that may call. */
    public static int threads() {
        load();
        return torch.get_num_threads();
    }

    /** Sets {@link #threads()}. */
    public static void threads(int count) {
        load();
        torch.set_num_threads(count);
    }

    /** The version of the bindings, which is libtorch's and JavaCPP's. */
    public static String version() throws IOException {
        return Loader.getVersion("org.bytedeco", "pytorch");
    }

    /** The process's memory as the system counts it. */
    public static long residentBytes() {
        return Pointer.physicalBytes();
    }

    /** How many threads OpenBLAS may start of its own: one. */
    static int blasThreads() {
        load();
        return openblas_nolapack.blas_get_num_threads();
    }

    static int cudaCount() {
        return torch.cuda_is_available() ? torch.cuda_device_count() : 0;
    }

    /** The holder idiom: the JVM runs this initialiser once, on the first touch, for all threads. */
    private static final class Loaded {
        static {
            String folder = System.getenv("KELVIN_LIBTORCH");
            if (folder != null && !folder.isBlank()) {
                loadInstalled(Path.of(folder));
            }
            // OpenBLAS's threads fight libgomp's: a toy training step took 8.1 ms with both, 0.37 ms with one of them.
            openblas_nolapack.blas_set_num_threads(1);
            Integer threads = Integer.getInteger("kelvin.threads");
            if (threads != null) {
                torch.set_num_threads(threads);
            }
        }

        static void touch() {}

        private static void loadInstalled(Path folder) {
            if (!Files.isDirectory(folder)) {
                throw new IllegalStateException("KELVIN_LIBTORCH names " + folder + ", which is not a folder");
            }
            boolean any = false;
            for (String name : LIBRARIES) {
                Path file = folder.resolve(System.mapLibraryName(name)).toAbsolutePath();
                if (Files.exists(file)) {
                    System.load(file.toString());
                    any = true;
                }
            }
            if (!any) {
                throw new IllegalStateException("KELVIN_LIBTORCH names " + folder + ", which has no "
                        + System.mapLibraryName("torch") + " (it should be PyTorch's lib folder)");
            }
            System.setProperty("org.bytedeco.javacpp.pathsFirst", "true");
        }
    }
}
