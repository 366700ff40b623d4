package dev.kelvin.run;

import dev.kelvin.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** How good a model came out: figures, and in words what they were measured with. */
public record Evaluation(Map<String, Double> figures, Map<String, String> notes) {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** Both together, as people and programs are told. */
    public Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>(figures);
        all.putAll(notes);
        return all;
    }

    /** A figure, where it was measured. */
    public OptionalDouble figure(String name) {
        Double value = figures.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** The figures that were written. */
    public static Evaluation read(Path file) throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>();
        Map<String, String> notes = new LinkedHashMap<>();
        JSON.readTree(Files.readString(file)).properties().forEach(entry -> {
            JsonNode value = entry.getValue();
            if (value.isNumber()) {
                figures.put(entry.getKey(), value.asDouble());
            } else if (value.isString() && value.asString().matches("NaN|-?Infinity")) {
                figures.put(entry.getKey(), Double.parseDouble(value.asString()));
            } else {
                notes.put(entry.getKey(), value.asString());
            }
        });
        return new Evaluation(figures, notes);
    }

    void write(Path file) throws IOException {
        AtomicFile.write(file, JSON.writeValueAsString(all()));
    }
}
