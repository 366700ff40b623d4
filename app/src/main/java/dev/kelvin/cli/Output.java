package dev.kelvin.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** Results for people or, with {@code --json}, one object for programs; nothing else goes to stdout. */
final class Output {
    private static final JsonMapper JSON = new JsonMapper();

    private Output() {}

    static void print(PrintWriter out, boolean json, Map<String, Object> results) {
        if (json) {
            out.println(JSON.writeValueAsString(results));
        } else {
            results.forEach(
                    (name, value) -> out.println(String.format(Locale.ROOT, "%-22s %s", name, forPeople(value))));
        }
        out.flush();
    }

    private static String forPeople(Object value) {
        if (value instanceof Double number) {
            return String.format(Locale.ROOT, "%.4g", number);
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
