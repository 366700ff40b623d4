package dev.kelvin.run;

import dev.kelvin.AtomicFile;
import dev.kelvin.metric.ModelFigures;
import dev.kelvin.recipe.RunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How long steps take, since the run was started or resumed; a median, so that saving and other processes count little. */
final class StepTimes {
    private static final int MOST = 1000; // the newest so many are kept
    private static final String STEPS = "steps";
    private static final JsonMapper JSON = new JsonMapper();

    private final double[] millis = new double[MOST];
    private int count;
    private long last;

    void started() {
        last = System.nanoTime();
    }

    void stepped() {
        long now = System.nanoTime();
        millis[count++ % MOST] = (now - last) / 1e6;
        last = now;
    }

    /** Writes them down, where there are any. */
    void write(Path file) throws IOException {
        if (count > 0) {
            double[] sorted = Arrays.copyOf(millis, Math.min(count, MOST));
            Arrays.sort(sorted);
            Map<String, Object> written = new LinkedHashMap<>();
            written.put(STEPS, sorted.length);
            written.put(ModelFigures.MS_PER_STEP.name(), sorted[sorted.length / 2]);
            AtomicFile.write(file, JSON.writeValueAsString(written));
        }
    }

    /** What a file says; nothing where there is none, as of a run of an older version. */
    static Map<String, Double> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Map.of();
        }
        try {
            JsonNode told = JSON.readTree(Files.readString(file)).path(ModelFigures.MS_PER_STEP.name());
            return told.isNumber() ? Map.of(ModelFigures.MS_PER_STEP.name(), told.asDouble()) : Map.of();
        } catch (JacksonException e) {
            throw new RunException(file + " is damaged: " + e.getOriginalMessage());
        }
    }
}
