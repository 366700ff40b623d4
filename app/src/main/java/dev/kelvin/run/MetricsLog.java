package dev.kelvin.run;

import dev.kelvin.io.AtomicFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code metrics.jsonl}: a JSON object with its step a line, and no time, so that a resumed run has the same bytes. */
public record MetricsLog(Path file) {
    private static final JsonMapper JSON = new JsonMapper();

    private static final Logger LOG = LoggerFactory.getLogger(MetricsLog.class);

    /** One line: the step and its numbers. */
    public record Line(long step, Map<String, Double> values) {}

    /** Adds a line; it has reached the system when this returns. */
    public void add(long step, Map<String, Double> values) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("step", step);
        line.putAll(values);
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            out.write(JSON.writeValueAsString(line) + "\n");
        }
    }

    /** Drops lines after this step, and one that was cut short when the machine stopped. */
    public void rewind(long step) throws IOException {
        keep(line -> line.step() <= step);
    }

    /** Drops the lines of this step that have this number. */
    public void drop(long step, String name) throws IOException {
        keep(line -> line.step() != step || !line.values().containsKey(name));
    }

    /** Drops the lines in which this number is at least that large. */
    void dropFrom(String name, double least) throws IOException {
        keep(line -> !(line.values().getOrDefault(name, Double.NEGATIVE_INFINITY) >= least));
    }

    private void keep(Predicate<Line> wanted) throws IOException {
        if (Files.exists(file)) {
            StringBuilder kept = new StringBuilder();
            each((line, text) -> kept.append(wanted.test(line) ? text + "\n" : ""));
            AtomicFile.write(file, kept.toString());
        }
    }

    /** Waits until all lines have reached the disk. */
    public void sync() throws IOException {
        if (Files.exists(file)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
    }

    /** All lines. */
    public List<Line> read() throws IOException {
        List<Line> lines = new ArrayList<>();
        if (Files.exists(file)) {
            each((line, text) -> lines.add(line));
        }
        return lines;
    }

    /** Every line and its text; one that cannot be read is left out with a warning, or silently if it is the last. */
    private void each(BiConsumer<Line, String> each) throws IOException {
        // what is not UTF-8 becomes U+FFFD, which no line has
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            Optional<Line> line = parse(lines[i]);
            if (line.isPresent()) {
                each.accept(line.get(), lines[i]);
            } else if (i < lines.length - 1) {
                LOG.warn("{}:{}: the line is damaged and left out", file, i + 1);
            }
        }
    }

    private static Optional<Line> parse(String text) {
        if (text.indexOf('\uFFFD') >= 0) {
            return Optional.empty();
        }
        try {
            JsonNode node = JSON.readTree(text);
            if (!node.isObject() || !node.path("step").isIntegralNumber()) {
                return Optional.empty();
            }
            Map<String, Double> values = new LinkedHashMap<>();
            node.forEachEntry((name, value) -> values.put(name, number(value)));
            values.remove("step");
            return Optional.of(new Line(node.path("step").asLong(), values));
        } catch (JacksonException e) {
            return Optional.empty(); // cut short
        }
    }

    /** What is not finite was written as a word. */
    private static double number(JsonNode value) {
        boolean word = value.isString() && value.asString().matches("NaN|-?Infinity");
        return word ? Double.parseDouble(value.asString()) : value.asDouble();
    }

    /**
     * A time that a run diverged and went back to a checkpoint, as its log remembers it under the checkpoint's step.
     *
     * @param attempt its number, from 1
     */
    public record Rollback(long brokenStep, long toStep, int attempt) {
        static final String ATTEMPT = "retry";
        static final String GAVE_UP = "gave_up";
        private static final String BROKEN_STEP = "broken_step";

        /** All that a log holds. */
        static List<Rollback> of(List<MetricsLog.Line> log) {
            return log.stream()
                    .filter(line -> line.values().containsKey(ATTEMPT))
                    .map(line -> new Rollback(
                            line.values().getOrDefault(BROKEN_STEP, Double.NaN).longValue(),
                            line.step(),
                            line.values().getOrDefault(ATTEMPT, Double.NaN).intValue()))
                    .toList();
        }

        Map<String, Double> values() {
            Map<String, Double> values = new LinkedHashMap<>();
            values.put(ATTEMPT, (double) attempt);
            values.put(BROKEN_STEP, (double) brokenStep);
            return values;
        }

        /** A sentence for each in a log of a run that may go back {@code allowed} times. */
        public static List<String> sentences(List<MetricsLog.Line> log, int allowed) {
            Stream<String> back = of(log).stream()
                    .map(each -> "Training diverged at step " + each.brokenStep
                            + " and went back to the checkpoint of step " + each.toStep + " with new random numbers ("
                            + each.attempt + " of " + allowed + " times allowed).");
            Stream<String> gaveUp = log.stream()
                    .filter(line -> line.values().containsKey(GAVE_UP))
                    .map(line -> "Training diverged again at step " + line.step()
                            + " and was stopped: results are of its last good checkpoint.");
            return Stream.concat(back, gaveUp).toList();
        }
    }
}
