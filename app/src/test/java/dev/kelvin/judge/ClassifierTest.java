package dev.kelvin.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ClassifierTest {
    private static final int THREADS = 8;
    private static final int IMAGES = 64;
    private static final int SIDE = 8;

    @TempDir
    private Path folder;

    /** As the runs of {@code kelvin reproduce --jobs 8} do: the others wait, and read the file of the first. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void runsInOneProcessTrainAMissingClassifierOnce() throws Exception {
        AtomicInteger trainings = new AtomicInteger();
        WorkListener listener = (what, done, all) -> trainings.addAndGet(done == 0 ? 1 : 0);
        CyclicBarrier start = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        Set<String> names = new HashSet<>();
        try (ImageSet set = brightOrDark()) {
            Callable<String> run = () -> {
                start.await();
                try (Classifier classifier = Classifier.of(folder, set, set, Device.CPU, listener)) {
                    return classifier.name();
                }
            };
            for (Future<String> name : threads.invokeAll(Collections.nCopies(THREADS, run))) {
                names.add(name.get());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(trainings).hasValue(1);
        assertThat(names).singleElement().asString().contains("a classifier of halves");
    }

    private static ImageSet brightOrDark() {
        try (Scope scope = Scope.open()) {
            byte[] values = new byte[IMAGES * SIDE * SIDE];
            for (int i = 0; i < values.length; i++) {
                values[i] = (byte) (i / (SIDE * SIDE) % 2 * 100);
            }
            Tensor pixels = Tensors.bytes(IMAGES, 1, SIDE, SIDE);
            pixels.memory(0, values.length).put(values);
            int[] labels = IntStream.range(0, IMAGES).map(i -> i % 2).toArray();
            return new ImageSet("halves", scope.keep(pixels), labels, List.of("dark", "bright"), 255);
        }
    }
}
