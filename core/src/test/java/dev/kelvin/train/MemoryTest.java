package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.sample.KernelCases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory does not grow with the number of steps: after the first tenth by less than 0.5 MB.
 *
 * <p>Only native memory can grow there, the heap being touched in full at the start and one compiler at work: what Java's second
 * compiler takes while it works, 2 to 5 MB in all with the options of {@code ./kelvin}, would hide a small leak. Neither garbage
 * collection nor a memory cap frees tensors that the code forgot. What grows once is not counted ({@link dev.kelvin.tensor.Growth}).
 */
class MemoryTest {
    /** 2250 steps, the fewest below, that forget a tensor each grow by 1.3 MB: a tensor takes some 580 bytes, however small. */
    private static final long MOST = 500_000;

    private static final List<String> NATIVE_ONLY = List.of(
            "-Xms128m",
            "-Xmx128m",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.bytedeco.javacpp.nopointergc=true",
            "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0");

    private static final String LANGEVIN = "langevin 8000";
    private static final String TRAINING = "training 8000";
    private static final String KERNELS = "kernels 2500";
    private static final String LEAKING_LANGEVIN = "langevin 8000 leak";
    private static final String LEAKING_TRAINING = "training 8000 leak";

    private static final Map<String, List<Long>> GROWN = new ConcurrentHashMap<>();

    /** Two at a time: each runs on one thread. */
    @BeforeAll
    static void measure(@TempDir Path folder) throws InterruptedException, ExecutionException {
        List<Callable<List<Long>>> probes = new ArrayList<>();
        for (String probe : List.of(TRAINING, LANGEVIN, KERNELS, LEAKING_TRAINING, LEAKING_LANGEVIN)) {
            probes.add(() -> GROWN.put(probe, grown(folder.resolve(probe), List.of(probe.split(" ", -1)))));
        }
        ExecutorService two = Executors.newFixedThreadPool(2);
        try {
            for (Future<List<Long>> done : two.invokeAll(probes)) {
                done.get();
            }
        } finally {
            two.shutdown();
        }
    }

    /** The growth that the probe printed, in bytes, one for each of its loops. */
    private static List<Long> grown(Path output, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dkelvin.threads=1"));
        command.addAll(NATIVE_ONLY);
        command.add(MemoryProbe.class.getName());
        command.addAll(arguments);
        int status = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(status).as(text).isZero();
        return text.lines()
                .filter(line -> line.startsWith("grew "))
                .map(line -> Long.parseLong(line.substring("grew ".length())))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {LANGEVIN, TRAINING})
    void staysFlat(String probe) {
        assertThat(GROWN.get(probe)).hasSize(1).allMatch(bytes -> bytes < MOST);
    }

    @Test
    void staysFlatWithEveryKernel() {
        assertThat(GROWN.get(KERNELS)).hasSize(KernelCases.KERNELS.size()).allMatch(bytes -> bytes < MOST);
    }

    /** The power twins: the same loops, but one tensor of 32 numbers is forgotten at each step. */
    @ParameterizedTest
    @ValueSource(strings = {LEAKING_LANGEVIN, LEAKING_TRAINING})
    void oneForgottenTensorAStepIsSeen(String probe) {
        assertThat(GROWN.get(probe)).hasSize(1).allMatch(bytes -> bytes > MOST);
    }
}
