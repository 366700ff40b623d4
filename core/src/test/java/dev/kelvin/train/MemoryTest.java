package dev.kelvin.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.sample.KernelCases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memory does not grow with the number of steps: after the first tenth by less than 5 MB, under a heap of 128 MB.
 *
 * <p>In the JVM that is measured nothing but native memory can grow: its heap is touched in full at the start, one
 * compiler only, and neither the garbage collector nor a memory cap frees tensors that the code forgot.
 */
class MemoryTest {
    private static final long MOST = 5_000_000;

    @TempDir
    Path folder;

    /** The growth that the probe printed, in bytes, one for each of its loops. */
    private List<Long> grown(String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Xms128m",
                "-Xmx128m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dkelvin.threads=1",
                "-Dorg.bytedeco.javacpp.nopointergc=true",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                MemoryProbe.class.getName()));
        command.addAll(List.of(arguments));
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

    @Test
    void aHundredThousandLangevinSteps() throws IOException, InterruptedException {
        assertThat(grown("langevin", "100000")).hasSize(1).allMatch(bytes -> bytes < MOST);
    }

    @Test
    void twentyThousandTrainingSteps() throws IOException, InterruptedException {
        assertThat(grown("training", "20000")).hasSize(1).allMatch(bytes -> bytes < MOST);
    }

    @Test
    void everyKernel() throws IOException, InterruptedException {
        assertThat(grown("kernels", "5000")).hasSize(KernelCases.KERNELS.size()).allMatch(bytes -> bytes < MOST);
    }

    /** The power twin, on a fifth of the steps: one tensor of 32 numbers a step is forgotten. */
    @Test
    void oneForgottenTensorAStepIsSeen() throws IOException, InterruptedException {
        assertThat(grown("langevin", "20000", "leak")).hasSize(1).allMatch(bytes -> bytes > MOST);
        assertThat(grown("training", "20000", "leak")).hasSize(1).allMatch(bytes -> bytes > MOST);
    }
}
