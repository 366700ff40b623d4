package dev.kelvin.train.checkpoint;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.io.Sha256;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.MissingSettings;
import dev.kelvin.part.Words;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code STEP.json}, a checkpoint's header. Its last line is the SHA-256 of the file itself with an empty sum in that
 * place, so that a header that was changed differs from one that is not understood:
 *
 * <pre>sed 's/"sha256" : "[0-9a-f]*"/"sha256" : ""/' 000001000.json | sha256sum</pre>
 */
public final class HeaderFile {
    /** The format that is written, and the highest that is read. */
    static final int FORMAT = 1;

    private static final String SUM = "sha256";
    private static final String SUM_BEGINS = "\"sha256\" : \"";
    private static final String SUM_ENDS = "\"";

    private static final JsonMapper JSON = MissingSettings.in(JsonMapper.builder())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private HeaderFile() {}

    // ---- writing

    static String text(Checkpoints.Header header) {
        ObjectNode tree = JSON.valueToTree(header);
        String unsigned = JSON.writeValueAsString(tree.put(SUM, "")) + "\n";
        int at = unsigned.lastIndexOf(SUM_BEGINS) + SUM_BEGINS.length();
        String sum = Sha256.of(unsigned.getBytes(StandardCharsets.UTF_8));
        return unsigned.substring(0, at) + sum + unsigned.substring(at);
    }

    /** Refuses a model that could be written but not read again: better before the first step than after the last. */
    public static void requireReadable(EnergyModel model) {
        String problem;
        try {
            EnergyModel again = JSON.readerFor(EnergyModel.class)
                    .readValue(JSON.writerFor(EnergyModel.class).writeValueAsString(model));
            if (again.equals(model)) {
                return;
            }
            problem = "it is read as " + again + "; make each of its parts a record";
        } catch (JacksonException e) {
            problem = problem(e);
        }
        throw new InvalidInputException("the model can't be saved: " + problem + " (" + model + ")");
    }

    /** What of a saved model is another here: "network.inner.inputs was 2 and is 3". */
    static String difference(EnergyModel saved, EnergyModel here) {
        Map<String, String> before = new LinkedHashMap<>();
        Map<String, String> now = new LinkedHashMap<>();
        settings("", JSON.valueToTree(saved), before);
        settings("", JSON.valueToTree(here), now);
        Set<String> all = new LinkedHashSet<>(before.keySet());
        all.addAll(now.keySet());
        return all.stream()
                .filter(name -> !Objects.equals(before.get(name), now.get(name)))
                .map(name -> name + " was " + before.getOrDefault(name, "absent") + " and is "
                        + now.getOrDefault(name, "absent"))
                .collect(Collectors.joining("; "));
    }

    private static void settings(String path, JsonNode node, Map<String, String> into) {
        if (node instanceof ObjectNode tree) {
            tree.properties()
                    .forEach(each -> settings(
                            path.isEmpty() ? each.getKey() : path + "." + each.getKey(), each.getValue(), into));
        } else {
            into.put(path, node.toString());
        }
    }

    // ---- reading

    /**
     * @throws UnreadableFileException if the file is damaged
     * @throws NotUnderstoodException if it is whole and not understood
     * @throws NoSuchFileException if there is none
     */
    static Checkpoints.Header read(Path file) throws IOException {
        byte[] bytes = bytes(file);
        ObjectNode tree = tree(file, bytes);
        JsonNode format = tree.path("format");
        if (format.isInt() && format.intValue() > FORMAT) {
            throw new NotUnderstoodException(
                    file,
                    "it is of format " + format.intValue() + ", and this Kelvin reads formats up to " + FORMAT,
                    "Use the newer Kelvin that wrote it");
        }
        requireSum(file, bytes);
        tree.remove(SUM);
        if (!format.isInt() || format.intValue() != FORMAT) {
            throw new NotUnderstoodException(
                    file, "its format is " + format, "Formats are whole numbers from 1 to " + FORMAT);
        }
        return bound(file, tree);
    }

    private static byte[] bytes(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw new UnreadableFileException(file, "can't be read: " + e.getMessage());
        }
    }

    private static ObjectNode tree(Path file, byte[] bytes) throws UnreadableFileException {
        try {
            if (JSON.readTree(bytes) instanceof ObjectNode tree && tree.has("format")) {
                return tree;
            }
            throw new UnreadableFileException(file, "it holds no checkpoint");
        } catch (JacksonException e) {
            throw new UnreadableFileException(file, Words.oneLine(e.getOriginalMessage()));
        }
    }

    private static void requireSum(Path file, byte[] bytes) throws UnreadableFileException {
        String text = new String(bytes, StandardCharsets.ISO_8859_1); // a char for each byte, whatever they are
        int begin = text.lastIndexOf(SUM_BEGINS) + SUM_BEGINS.length();
        int end = text.indexOf(SUM_ENDS, begin);
        if (begin < SUM_BEGINS.length() || end < 0) {
            throw new UnreadableFileException(file, "it has no SHA-256 of itself");
        }
        String unsigned = text.substring(0, begin) + text.substring(end);
        if (!Sha256.of(unsigned.getBytes(StandardCharsets.ISO_8859_1)).equals(text.substring(begin, end))) {
            throw new UnreadableFileException(file, "its SHA-256 is another");
        }
    }

    private static Checkpoints.Header bound(Path file, ObjectNode tree) throws NotUnderstoodException {
        for (RecordComponent field : Checkpoints.Header.class.getRecordComponents()) {
            if (!tree.has(field.getName())) { // of a part's settings those that have no default are looked for
                throw new NotUnderstoodException(
                        file, "it has no field '" + field.getName() + "'", "Use the version of Kelvin that wrote it");
            }
        }
        try {
            return JSON.treeToValue(tree, Checkpoints.Header.class);
        } catch (JacksonException e) {
            throw new NotUnderstoodException(
                    file,
                    problem(e),
                    "Use the version of Kelvin that wrote it, with the same parts of your own on the class path");
        }
    }

    private static String problem(JacksonException e) {
        String where = e.getPath().stream()
                .map(JacksonException.Reference::getPropertyName)
                .filter(name -> name != null)
                .collect(Collectors.joining("."));
        if (e instanceof UnrecognizedPropertyException) {
            return "there is no field '" + where + "'";
        }
        if (e instanceof InvalidTypeIdException unknown && unknown.getTypeId() != null) {
            return where + " is '" + unknown.getTypeId() + "', which is not known here";
        }
        String what = Words.oneLine(e.getOriginalMessage().lines().findFirst().orElse(""));
        return where.isEmpty() ? what : where + ": " + what;
    }
}
