package dev.kelvin.cli.terminal;

import dev.kelvin.part.Words;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** Results for people or, with {@code --json}, one object for programs; nothing else goes to stdout. */
public final class Output {
    private static final JsonMapper JSON = new JsonMapper();

    private Output() {}

    /**
     * Prints results.
     *
     * @param json whether as one JSON object, for programs, or a line each, for people
     */
    public static void print(PrintWriter out, boolean json, Map<String, Object> results) {
        if (json) {
            out.println(JSON.writeValueAsString(finite(JSON.valueToTree(results))));
        } else {
            results.forEach((name, value) -> out.println(Words.say("%-22s %s", name, forPeople(value))));
        }
        out.flush();
    }

    /** JSON has no NaN and no infinity, and a string in the place of a number breaks its readers: they become null. */
    private static JsonNode finite(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.propertyNames().stream().toList().forEach(name -> object.set(name, finite(object.get(name))));
        } else if (node instanceof ArrayNode array) {
            IntStream.range(0, array.size()).forEach(i -> array.set(i, finite(array.get(i))));
        }
        return node.isFloatingPointNumber() && !Double.isFinite(node.doubleValue()) ? NullNode.instance : node;
    }

    private static String forPeople(Object value) {
        if (value instanceof Double number) {
            return Words.say("%.4g", number);
        }
        if (value instanceof double[] numbers) {
            return Arrays.stream(numbers).mapToObj(Output::forPeople).collect(Collectors.joining(" "));
        }
        if (value instanceof List<?> sentences) {
            String indented = System.lineSeparator() + " ".repeat(23);
            return sentences.isEmpty()
                    ? "none"
                    : sentences.stream().map(String::valueOf).collect(Collectors.joining(indented));
        }
        return String.valueOf(value);
    }
}
