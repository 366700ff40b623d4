package dev.kelvin.judge;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.Reliability;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.Verdict;
import dev.kelvin.part.Words;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * How good a model came out: figures, and in words what they were measured with.
 *
 * @param reliability the bins of a classifier's reliability diagram; none where no classifier was judged
 */
public record Evaluation(Map<String, Double> figures, Map<String, String> notes, List<Reliability.Bin> reliability) {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final Pattern IN_A_TABLE = Pattern.compile("auroc_(maxp|gradient)_.*|(aupr|fpr95)_.*");

    private static final String RELIABILITY = "reliability";

    /** The note that says whose accuracy and calibration were measured. */
    static final String ACCURACY_OF = "accuracy_of";

    static final String FEATURES_CLASSIFIER = "the feature classifier, on the held-out images";

    public Evaluation {
        reliability = List.copyOf(reliability);
    }

    /** The figures but those that the report has in a table of their own: by several scores, against many sets, of
     * other images than samples. */
    public static Map<String, Double> main(Map<String, Double> figures) {
        Map<String, Double> main = new LinkedHashMap<>(figures);
        main.keySet().removeIf(name -> IN_A_TABLE.matcher(name).matches());
        main.keySet().removeAll(ImageKind.namesInTable());
        return main;
    }

    /** Whether notes say that accuracy and calibration are those of the feature classifier. */
    public static boolean isOfFeatures(Map<String, String> notes) {
        return FEATURES_CLASSIFIER.equals(notes.get(ACCURACY_OF));
    }

    /** Figures of the feature classifier where the model has no classes of its own: they say nothing of the model. */
    public Map<String, Double> ofFeatures() {
        Map<String, Double> found = new LinkedHashMap<>();
        if (isOfFeatures(notes)) {
            for (Figure figure : Calibration.OF_CLASSIFIERS) {
                figure(figure.name()).ifPresent(value -> found.put(figure.name(), value));
            }
        }
        return found;
    }

    /** Figures and notes together, for programs. */
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

    /** A figure, where it was measured. */
    public OptionalDouble figure(Figure figure) {
        return figure(figure.name());
    }

    /** A figure; NaN where it was not measured. */
    public double value(Figure figure) {
        return figure.value(figures);
    }

    /** Whether the classifier is too sure or not sure enough, in a sentence; empty if none was judged. */
    public Optional<String> leaning() {
        double all = reliability.stream().mapToLong(Reliability.Bin::count).sum();
        if (all == 0) {
            return Optional.empty();
        }
        double right = mean(bin -> bin.accuracy() * bin.count() / all);
        double sure = mean(bin -> bin.confidence() * bin.count() / all);
        double error = value(Calibration.ECE);
        String whole = Calibration.ECE.verdict(error) == Verdict.GOOD
                ? "It is well calibrated"
                : Math.abs(sure - right) < error / 2
                        ? "It is over-confident of some images and under-confident of others"
                        : sure > right ? "It is over-confident" : "It is under-confident";
        return Optional.of(Words.say(
                "%s: it is right in %.1f %% of the cases, and %.1f %% sure in the mean.",
                whole, 100 * right, 100 * sure));
    }

    private double mean(ToDoubleFunction<Reliability.Bin> share) {
        return reliability.stream()
                .filter(bin -> bin.count() > 0)
                .mapToDouble(share)
                .sum();
    }

    /** What a figure of some kind of samples is called by, at the end of its name. */
    static String word(String kind) {
        return kind.replaceAll("[^\\p{L}\\p{N}_]+", "_");
    }

    /**
     * What was written.
     *
     * @throws UnreadableFileException if the file is damaged, with the command that makes it again
     */
    public static Evaluation read(Path file) throws IOException {
        Path run = Objects.requireNonNullElse(file.getParent(), Path.of("."));
        return read(file, "make it again by: " + Words.command("evaluate", run));
    }

    /** What was written of figures that another command makes. */
    public static Evaluation read(Path file, String remedy) throws IOException {
        return JsonFile.read(file, remedy, text -> of(JSON.readTree(text)));
    }

    private static Evaluation of(JsonNode tree) {
        if (!tree.isObject()) {
            throw new IllegalArgumentException("it holds no figures");
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        Map<String, String> notes = new LinkedHashMap<>();
        List<Reliability.Bin> reliability = new ArrayList<>();
        tree.properties().forEach(entry -> {
            JsonNode value = entry.getValue();
            if (entry.getKey().equals(RELIABILITY)) {
                value.forEach(bin -> reliability.add(JSON.treeToValue(bin, Reliability.Bin.class)));
            } else if (value.isNumber()) {
                figures.put(entry.getKey(), value.asDouble());
            } else if (value.isString() && value.asString().matches("NaN|-?Infinity")) {
                figures.put(entry.getKey(), Double.parseDouble(value.asString()));
            } else {
                notes.put(entry.getKey(), value.asString());
            }
        });
        return new Evaluation(figures, notes, reliability);
    }

    /** Writes it for {@link #read}. */
    public void write(Path file) throws IOException {
        Map<String, Object> written = all();
        if (!reliability.isEmpty()) {
            written.put(RELIABILITY, reliability);
        }
        AtomicFile.write(file, JSON.writeValueAsString(written));
    }
}
