package dev.kelvin.cli;

import dev.kelvin.cli.option.DeviceOption;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.dataset.Build;
import dev.kelvin.part.Words;
import dev.kelvin.run.DeviceSelfTest;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.BackendException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kelvin doctor}. */
@Command(name = "doctor", description = "Says what Kelvin finds on this machine, and what is wrong with it.")
final class Doctor extends JsonVerb {
    private static final int MATRIX = 512;
    private static final int PRODUCTS = 50;
    private static final long GIGABYTE = 1_000_000_000;
    private static final long LOW_DISK = GIGABYTE;

    @Mixin
    private DeviceOption deviceOption;

    @Override
    public Integer call() throws IOException {
        Map<String, Object> found = new LinkedHashMap<>(Build.facts());
        found.put("java", System.getProperty("java.version") + " in " + System.getProperty("java.home"));
        found.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        found.put("processors", Runtime.getRuntime().availableProcessors());
        found.put("heap_gb", Runtime.getRuntime().maxMemory() / (double) GIGABYTE);
        long disk = Files.getFileStore(Path.of("").toAbsolutePath()).getUsableSpace();
        found.put("disk_free_gb", disk / (double) GIGABYTE);
        String problem = disk < LOW_DISK ? "less than 1 GB of disk is free here" : "none";
        try (Progress progress = Progress.of(spec)) {
            progress.doing("loading libtorch and comparing networks on this machine");
            long began = System.nanoTime();
            Backend.load();
            double seconds = (System.nanoTime() - began) / 1e9;
            found.put("libtorch", Words.say("%s, loaded in %.1f s", Backend.version(), seconds));
            found.put("libtorch_from", Backend.origin());
            found.put("openblas_from", Backend.blasOrigin());
            found.put("threads", Backend.threads());
            found.put("cuda_devices", Device.cudaCount());
            found.put("gflops", gigaflops());
            List<DeviceSelfTest> differences = DeviceSelfTest.of(deviceOption.device());
            List<String> words = differences.stream().map(String::valueOf).toList();
            found.put("differs_from_cpu_by", words);
            if (!differences.stream().allMatch(DeviceSelfTest::holds)) {
                problem = "networks differ from those in float on the CPU by more than they should";
            }
        } catch (BackendException e) {
            problem = String.valueOf(e.getMessage());
        }
        found.put("problem", problem);
        print(found);
        return problem.equals("none") ? ExitCode.OK : ExitCode.RECIPE;
    }

    private static double gigaflops() {
        try (Scope scope = Scope.open()) {
            Tensor a = Tensors.normal(Key.of(0), DType.FLOAT, Device.CPU, MATRIX, MATRIX);
            a.matmul(a);
            long began = System.nanoTime();
            for (int i = 0; i < PRODUCTS; i++) {
                try (Scope one = Scope.open()) {
                    a.matmul(a);
                }
            }
            return 2.0 * MATRIX * MATRIX * MATRIX * PRODUCTS / (System.nanoTime() - began);
        }
    }
}
