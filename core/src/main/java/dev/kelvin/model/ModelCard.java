package dev.kelvin.model;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.io.JsonFile;
import dev.kelvin.part.Check;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the samples of a model are, kept as {@value #FILE} in a run's folder, so that whoever loads the model needs neither its
 * recipe nor its data.
 *
 * @param shape of one sample: [d] of points, [channels, height, width] of images
 * @param range the values of black and white that the model was trained on; none where samples are points
 * @param classes the classes' names, in the order of the model's columns; none where it has no classes
 * @param temperature T, where exp(f/T) was learnt
 */
public record ModelCard(List<Long> shape, Optional<PixelRange> range, List<String> classes, double temperature) {
    /** Its name in a run's folder. */
    public static final String FILE = "model.json";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    public ModelCard {
        shape = List.copyOf(shape);
        classes = List.copyOf(classes);
        Check.notEmpty("shape", shape);
        shape.forEach(size -> Check.atLeast("shape", size, 1));
        Check.positive("temperature", temperature);
    }

    /** Of points with so many values, trained at T = 1. */
    public static ModelCard points(int values) {
        return new ModelCard(List.of((long) values), Optional.empty(), List.of(), 1);
    }

    /** How many values a sample has. */
    public int width() {
        return Memory.array(1, shape.stream().mapToLong(Long::longValue).toArray());
    }

    /** What one sample is: "a point of 2 values", "an image of 1x8x8". */
    String words() {
        return range.isPresent()
                ? "an image of " + shape.stream().map(String::valueOf).collect(Collectors.joining("x"))
                : "a point of " + width() + (width() == 1 ? " value" : " values");
    }

    /** What a run's folder says; nothing where a version of Kelvin wrote it that kept no such file. */
    public static Optional<ModelCard> read(Path run) throws IOException {
        Path file = run.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Optional.of(JsonFile.read(
                file,
                "write it again by: " + Words.command("evaluate", run),
                text -> JSON.readValue(text, ModelCard.class)));
    }

    /** Writes it to a run's folder for {@link #read}. */
    public void write(Path run) throws IOException {
        AtomicFile.write(run.resolve(FILE), JSON.writeValueAsString(this));
    }
}
