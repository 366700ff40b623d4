package dev.kelvin.tensor;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/** Loads and configures libtorch once, when it is first needed. */
public final class Backend {
    /** Their order matters: each needs those before it. CPU builds lack two of them. */
    private static final List<String> LIBRARIES = List.of("c10", "torch_cpu", "c10_cuda", "torch_cuda", "torch");

    /** Names a libopenblas to use instead of ours, whose small products take a quarter longer than Debian's. */
    private static final String BLAS = "KELVIN_OPENBLAS";

    private Backend() {}

    /** Loads libtorch if that has not been done; throws a {@link BackendException} if it cannot be, now and later. */
    public static void load() {
        if (Loaded.PROBLEM != null) {
            throw new BackendException(Loaded.PROBLEM);
        }
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

    /** Whether convolutions on a GPU round their factors to 10 bits (TF32); at first not, for accept/reject steps. */
    public static void roundConvolutions(boolean round) {
        load();
        torch.globalContext().setAllowTF32CuDNN(round);
    }

    /**
     * Work whose convolutions are the same numbers in every run: on a GPU nothing is rounded to TF32, and their algorithms do
     * not depend on which was fastest just now.
     */
    public static <T> T repeatably(Supplier<T> work) {
        load();
        if (!torch.cuda_is_available()) {
            return work.get();
        }
        synchronized (Backend.class) { // the switches are the process's, not the thread's
            boolean rounds = torch.globalContext().allowTF32CuDNN();
            boolean searches = torch.globalContext().benchmarkCuDNN();
            boolean repeats = torch.globalContext().deterministicCuDNN();
            try {
                torch.globalContext().setAllowTF32CuDNN(false);
                torch.globalContext().setBenchmarkCuDNN(false);
                torch.globalContext().setDeterministicCuDNN(true);
                return work.get();
            } finally {
                torch.globalContext().setAllowTF32CuDNN(rounds);
                torch.globalContext().setBenchmarkCuDNN(searches);
                torch.globalContext().setDeterministicCuDNN(repeats);
            }
        }
    }

    /** The version of the bindings, which is libtorch's and JavaCPP's. */
    public static String version() throws IOException {
        return Loader.getVersion("org.bytedeco", "pytorch");
    }

    /** Where libtorch comes from: an installed PyTorch's folder, or our jar. */
    public static String origin() {
        return System.getenv().getOrDefault("KELVIN_LIBTORCH", "the jar");
    }

    /** Where the matrix products come from: a library of the system, or our jar. */
    public static String blasOrigin() {
        return System.getenv().getOrDefault(BLAS, "the jar");
    }

    /** The process's memory as the system counts it. */
    public static long residentBytes() {
        return Pointer.physicalBytes();
    }

    /**
     * The holder idiom: the JVM runs this initialiser once, on the first touch, for all threads. It remembers a failure
     * instead of throwing it, because a class whose initialiser throws gives its reason only to the first who asks.
     */
    private static final class Loaded {
        /** Where JavaCPP looks; another libtorch in the system's folders would abort the process. */
        private static final String PATHS = "java.library.path";

        private static final String PATHS_FIRST = "org.bytedeco.javacpp.pathsFirst";

        static final @Nullable String PROBLEM = problemOfLoading();

        private static @Nullable String problemOfLoading() {
            String usual = System.getProperty(PATHS, "");
            String paths = Boolean.getBoolean(PATHS_FIRST) ? usual : "";
            try {
                String blas = System.getenv(BLAS);
                if (blas != null && !blas.isBlank()) {
                    loadBlas(Path.of(blas).toAbsolutePath());
                }
                String folder = System.getenv("KELVIN_LIBTORCH");
                if (folder != null && !folder.isBlank()) {
                    loadInstalled(Path.of(folder).toAbsolutePath());
                    useCacheOf(Path.of(folder).toAbsolutePath());
                    paths = folder + (Boolean.getBoolean(PATHS_FIRST) ? File.pathSeparator + usual : "");
                    System.setProperty(PATHS_FIRST, "true");
                } else {
                    unpack();
                }
                System.setProperty(PATHS, paths);
                // OpenBLAS's threads fight libgomp's: a toy training step took 8.1 ms with both, 0.37 ms with one.
                openblas_nolapack.blas_set_num_threads(1);
                torch.set_num_threads(Integer.getInteger("kelvin.threads", torch.get_num_threads()));
                torch.globalContext().setBenchmarkCuDNN(false); // see Recording.rehearsed
                torch.globalContext().setAllowTF32CuDNN(false);
                return null;
            } catch (IllegalStateException e) {
                return e.getMessage();
            } catch (LinkageError | RuntimeException | IOException e) {
                return "libtorch cannot be loaded: " + e.getMessage();
            } finally {
                System.setProperty(PATHS, usual);
            }
        }

        /** Before all other libraries: the first that has a product is the one whose product libtorch calls. */
        private static void loadBlas(Path file) {
            if (!Files.isRegularFile(file)) {
                throw new IllegalStateException(BLAS + " names " + file + ", which is not a file");
            }
            try {
                Loader.load(Loader.class);
                Loader.loadGlobal(file.toString());
            } catch (UnsatisfiedLinkError e) {
                throw new IllegalStateException(BLAS + " names " + file + ", but " + e.getMessage(), e);
            }
        }

        /**
         * Unpacks all of libtorch before any of it is loaded: what is not yet beside a library the system takes from its own
         * folders, and with another libtorch there the process aborts.
         */
        private static void unpack() throws IOException {
            for (String name : LIBRARIES) {
                URL library = Loader.class.getResource(
                        "/org/bytedeco/pytorch/" + Loader.getPlatform() + "/" + System.mapLibraryName(name));
                if (library != null) {
                    Loader.cacheResource(library);
                }
            }
        }

        private static void loadInstalled(Path folder) {
            if (!Files.isDirectory(folder)) {
                throw new IllegalStateException("KELVIN_LIBTORCH names " + folder + ", which is not a folder");
            }
            String needed = System.mapLibraryName("torch_cpu");
            if (!Files.exists(folder.resolve(needed))) {
                throw new IllegalStateException("KELVIN_LIBTORCH names " + folder + ", which has no " + needed
                        + " (it should be PyTorch's lib folder)");
            }
            for (String name : LIBRARIES) {
                Path file = folder.resolve(System.mapLibraryName(name));
                if (Files.exists(file)) {
                    load(file);
                }
            }
        }

        /**
         * A cache for each folder: JavaCPP replaces its libraries by links to those found elsewhere, so that later runs without
         * KELVIN_LIBTORCH would load a mixture.
         */
        private static void useCacheOf(Path folder) {
            String property = "org.bytedeco.javacpp.cachedir";
            Path usual = Path.of(System.getProperty("user.home"), ".javacpp", "cache");
            Path cache = Path.of(System.getProperty(property, usual.toString()));
            String name = "libtorch-" + Integer.toHexString(folder.normalize().hashCode());
            System.setProperty(property, cache.resolve(name).toString());
        }

        private static void load(Path file) {
            try {
                System.load(file.toString());
            } catch (UnsatisfiedLinkError e) {
                throw new IllegalStateException(
                        "KELVIN_LIBTORCH names " + file.getParent() + ", but " + e.getMessage(), e);
            }
        }
    }
}
