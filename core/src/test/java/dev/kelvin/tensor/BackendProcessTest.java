package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What only a fresh JVM shows: the first touch of libtorch, and {@code KELVIN_LIBTORCH}. */
final class BackendProcessTest {
    @TempDir
    Path folder;

    /** JUnit would warn about each of JavaCPP's links that leads out of the folder. */
    @AfterEach
    void removeLinks() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path link : files.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    private record Result(int status, String output) {}

    /** Runs {@link BackendProbe} in a JVM of its own. */
    private Result probe(String libtorch) throws IOException, InterruptedException {
        return java(libtorch, "-Xmx128m", BackendProbe.class.getName());
    }

    /** The same with a cache for JavaCPP that the test can look into. */
    private Result probeWithCache(Path libtorch, Path cache) throws IOException, InterruptedException {
        return java(
                libtorch.toString(),
                "-Xmx128m",
                "-Dorg.bytedeco.javacpp.cachedir=" + cache,
                BackendProbe.class.getName());
    }

    private Result java(String libtorch, String... arguments) throws IOException, InterruptedException {
        return java(Map.of("KELVIN_LIBTORCH", libtorch), arguments);
    }

    /** In an environment with these of our variables, where they are not empty, and no other of ours. */
    private Result java(Map<String, String> ours, String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("KELVIN_"));
        builder.environment().put("MALLOC_ARENA_MAX", "1"); // or memory grows with the threads that happen to allocate
        ours.forEach((name, value) -> {
            if (!value.isEmpty()) {
                builder.environment().put(name, value);
            }
        });
        int status = builder.start().waitFor();
        return new Result(status, Files.readString(output, StandardCharsets.UTF_8));
    }

    private static Path unpackedLibtorch() {
        Path jniLibrary = Path.of(Loader.load(torch.class));
        return jniLibrary.resolveSibling(System.mapLibraryName("torch_cpu"));
    }

    private static void assertComputes(Result result) {
        assertThat(result.output)
                .contains("sum 2.0")
                .contains("step 0.99") // a freed Scalar would act as 1: 1 + g = 2
                .contains("blas 1");
        assertThat(result.status).isZero();
    }

    @Test
    void aFirstTouchInsideNestedScopesLeavesNoFreedConstants() throws IOException, InterruptedException {
        assertComputes(probe(""));
    }

    @Test
    void kelvinLibtorchThatIsMissingIsNamed() throws IOException, InterruptedException {
        Path missing = folder.resolve("missing");
        Result result = probe(missing.toString());
        assertThat(result.output)
                .contains("BackendException: KELVIN_LIBTORCH names " + missing + ", which is not a folder");
        assertThat(result.status).isEqualTo(1);
    }

    @Test
    void kelvinLibtorchWithoutLibtorchIsNamed() throws IOException, InterruptedException {
        Result result = probe(folder.toString());
        assertThat(result.output)
                .contains("BackendException: KELVIN_LIBTORCH names " + folder + ", which has no "
                        + System.mapLibraryName("torch_cpu") + " (it should be PyTorch's lib folder)");
        assertThat(result.status).isEqualTo(1);
    }

    @Test
    void kelvinLibtorchWithABrokenLibraryIsNamed() throws IOException, InterruptedException {
        Files.writeString(folder.resolve(System.mapLibraryName("torch_cpu")), "not a library");
        Result result = probe(folder.toString());
        assertThat(result.output).contains("BackendException: KELVIN_LIBTORCH names " + folder + ", but ");
        assertThat(result.status).isEqualTo(1);
    }

    @Test
    void kelvinLibtorchMayBeTheFolderThatJavaCppUnpacked() throws IOException, InterruptedException {
        Path unpacked = unpackedLibtorch();
        assertComputes(probeWithCache(unpacked.resolveSibling(""), folder.resolve("cache")));
        assertThat(unpacked).isRegularFile();
    }

    @Test
    void kelvinOpenblasThatIsMissingIsNamed() throws IOException, InterruptedException {
        Path missing = folder.resolve("libopenblas.so.0");
        Result result = java(Map.of("KELVIN_OPENBLAS", missing.toString()), "-Xmx128m", BackendProbe.class.getName());
        assertThat(result.output)
                .contains("BackendException: KELVIN_OPENBLAS names " + missing + ", which is not a file");
        assertThat(result.status).isEqualTo(1);
    }

    /** A copy of our own, which any machine has, with what it needs beside it. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void kelvinOpenblasIsLoaded() throws IOException, InterruptedException {
        Path other = Files.createDirectory(folder.resolve("blas"));
        Path ours = Path.of(Loader.load(openblas_nolapack.class));
        for (String name : List.of("libopenblas.so.0", "libgfortran.so.5", "libquadmath.so.0", "libgcc_s.so.1")) {
            Files.copy(ours.resolveSibling(name), other.resolve(name));
        }
        Path blas = other.resolve("libopenblas.so.0");
        Result result = java(Map.of("KELVIN_OPENBLAS", blas.toString()), "-Xmx128m", BackendProbe.class.getName());
        assertComputes(result);
        assertThat(result.output).contains("library " + blas);
    }

    /** A libtorch elsewhere must be the only one in the process: two of them abort it. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void kelvinLibtorchElsewhereIsTheOnlyOneLoaded() throws IOException, InterruptedException {
        Path other = Files.createDirectory(folder.resolve("lib"));
        try (Stream<Path> files = Files.list(unpackedLibtorch().resolveSibling(""))) {
            // copies, because the loader sees through links; the JNI library stays where it is
            for (Path file : files.filter(Files::exists).toList()) {
                if (!file.endsWith(System.mapLibraryName("jnitorch"))) {
                    Files.copy(file, other.resolve(String.valueOf(file.getFileName())));
                }
            }
        }
        Path cache = folder.resolve("cache");
        Result result = probeWithCache(other, cache);
        assertComputes(result);
        assertThat(result.output.lines().filter(line -> line.startsWith("library ")))
                .filteredOn(line -> !line.contains("/libopenblas"))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("library " + other));
        // JavaCPP links what it found into its cache; runs without KELVIN_LIBTORCH must not meet those links
        try (Stream<Path> entries = Files.list(cache)) {
            assertThat(entries).singleElement().asString().contains("libtorch-");
        }
    }

    /** A first use unpacks; where the system has a libtorch of its own, none of that may come into the process. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFirstUseLoadsOnlyWhatItUnpacks() throws IOException, InterruptedException {
        Path cache = folder.resolve("empty cache");
        Result result = java("", "-Xmx128m", "-Dorg.bytedeco.javacpp.cachedir=" + cache, BackendProbe.class.getName());
        assertComputes(result);
        assertThat(result.output.lines().filter(line -> line.startsWith("library ")))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("library " + cache));
    }

    // ---- memory

    /**
     * Nothing but native memory can grow in this JVM: its heap is touched in full at the start, one compiler only, and
     * neither garbage collection nor a memory cap frees tensors.
     */
    private long grownKilobytes(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(
                "-Xms32m",
                "-Xmx32m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dkelvin.threads=1",
                "-Dorg.bytedeco.javacpp.nopointergc=true",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                MemoryProbe.class.getName()));
        all.addAll(List.of(arguments));
        Result result = java("", all.toArray(String[]::new));
        assertThat(result.status).as(result.output).isZero();
        return Long.parseLong(result.output
                .lines()
                .filter(line -> line.startsWith("grew "))
                .findFirst()
                .orElseThrow()
                .substring("grew ".length()));
    }

    private static final long MOST_KILOBYTES = 5 * 1024; // the project's bar

    @Test
    @EnabledOnOs(OS.LINUX)
    void memoryIsFlatOverTwentyThousandSteps() throws IOException, InterruptedException {
        assertThat(grownKilobytes("20000")).isLessThan(MOST_KILOBYTES);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void oneForgottenTensorAStepWouldBeSeen() throws IOException, InterruptedException {
        assertThat(grownKilobytes("20000", "leak")).isGreaterThan(MOST_KILOBYTES);
    }
}
