package dev.kelvin.run;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.metric.figure.ModelFigures;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Medians of the time of steps since the start or resumption: by the clock, and of the thread's processor. */
final class StepTimes {
    private static final int MOST = 1000; // the newest that are kept
    private static final String STEPS = "steps";
    private static final JsonMapper JSON = new JsonMapper();

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final double[] millis = new double[MOST];
    private final double[] processor = new double[MOST];
    private int count;
    private long last;
    private long lastProcessor;

    void started() {
        last = System.nanoTime();
        lastProcessor = processorNanos();
    }

    private static long processorNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
    }

    void stepped() {
        long now = System.nanoTime();
        long worked = processorNanos();
        millis[count % MOST] = (now - last) / 1e6;
        processor[count++ % MOST] = (worked - lastProcessor) / 1e6;
        last = now;
        lastProcessor = worked;
    }

    /** Writes them down; without any, what is on record stays, or else it is written that no step was timed. */
    void write(Path file) throws IOException {
        if (count == 0 && Files.exists(file)) {
            return;
        }
        Map<String, Object> written = new LinkedHashMap<>();
        written.put(STEPS, Math.min(count, MOST));
        if (count > 0) {
            written.put(ModelFigures.MS_PER_STEP.name(), median(millis));
            written.put(ModelFigures.CPU_MS_PER_STEP.name(), median(processor));
        }
        AtomicFile.write(file, JSON.writeValueAsString(written));
    }

    private double median(double[] times) {
        double[] sorted = Arrays.copyOf(times, Math.min(count, MOST));
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** What a file says; nothing where there is none, as of a run of an older version. */
    static Map<String, Double> read(Path file) throws IOException {
        Map<String, Double> times = new LinkedHashMap<>();
        if (Files.exists(file)) {
            String remedy = "delete it: nothing but the times of steps is lost";
            JsonNode read = JsonFile.read(file, remedy, JSON::readTree);
            Stream.of(ModelFigures.MS_PER_STEP.name(), ModelFigures.CPU_MS_PER_STEP.name())
                    .filter(name -> read.path(name).isNumber())
                    .forEach(name -> times.put(name, read.path(name).asDouble()));
        }
        return times;
    }
}
