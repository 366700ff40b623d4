package dev.kelvin.recipe;

import dev.kelvin.Words;
import dev.kelvin.recipe.Node.Entry;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Writes a recipe as YAML with every default written out; reading it gives an equal recipe. What fits on a line is on
 * one line.
 */
public final class RecipeWriter {
    private static final int WIDTH = 100;
    private static final Place NOWHERE = new Place("", 0, 0);

    private RecipeWriter() {}

    public static String yaml(Recipe recipe) {
        StringBuilder text = new StringBuilder();
        block((Node.Mapping) settings(recipe), "", text);
        return text.toString();
    }

    private static Node node(Object value) {
        if (value instanceof Record part) {
            Node settings = settings(part);
            String word = Words.kebab(part.getClass().getSimpleName());
            return isCase(part) ? mapping(Map.of(word, settings)) : settings;
        }
        if (value instanceof List<?> list) {
            return new Node.Items(NOWHERE, list.stream().map(RecipeWriter::node).toList());
        }
        if (value instanceof String text) {
            return new Node.Scalar(NOWHERE, text, false);
        }
        if (value instanceof Enum<?> constant) {
            return new Node.Scalar(NOWHERE, Words.kebab(constant.name()), true);
        }
        String text = value instanceof Double number ? ScalarText.format(number) : value.toString();
        return new Node.Scalar(NOWHERE, text, true);
    }

    private static Node settings(Record part) {
        Optional<RecordComponent> onlyWord = Settings.onlyWord(part.getClass());
        if (onlyWord.isPresent()) {
            return node(get(part, onlyWord.get()).orElseThrow());
        }
        Map<String, Node> settings = new LinkedHashMap<>();
        for (RecordComponent component : part.getClass().getRecordComponents()) {
            get(part, component).ifPresent(value -> settings.put(component.getName(), node(value)));
        }
        return mapping(settings);
    }

    private static boolean isCase(Record part) {
        for (Class<?> type : part.getClass().getInterfaces()) {
            if (type.isSealed()) {
                return true;
            }
        }
        return false;
    }

    private static Node.Mapping mapping(Map<String, Node> settings) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        settings.forEach((word, value) -> entries.put(word, new Entry(NOWHERE, value)));
        return new Node.Mapping(NOWHERE, entries);
    }

    /** A setting's value; empty for an optional one that is absent. */
    private static Optional<Object> get(Record part, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            Object value = component.getAccessor().invoke(part);
            if (value instanceof OptionalDouble number) {
                return number.isPresent() ? Optional.of(number.getAsDouble()) : Optional.empty();
            }
            if (value instanceof OptionalInt number) {
                return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
            }
            return value instanceof Optional<?> optional ? optional.map(Object.class::cast) : Optional.of(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void block(Node.Mapping map, String indent, StringBuilder text) {
        map.entries().forEach((word, entry) -> {
            String line = indent + word + ": " + flow(entry.value());
            if (line.length() > WIDTH && entry.value() instanceof Node.Mapping part) {
                text.append(indent).append(word).append(":\n");
                block(part, indent + "  ", text);
            } else {
                text.append(line).append('\n');
            }
        });
    }

    private static String flow(Node node) {
        if (node instanceof Node.Items list) {
            return list.items().stream().map(RecipeWriter::flow).collect(Collectors.joining(", ", "[", "]"));
        }
        if (node instanceof Node.Mapping map) {
            return map.entries().entrySet().stream()
                    .map(each -> each.getKey() + ": " + flow(each.getValue().value()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        Node.Scalar scalar = (Node.Scalar) node;
        boolean bare = scalar.plain() || scalar.text().matches("[A-Za-z0-9_][A-Za-z0-9_-]*");
        return bare && !new Node.Scalar(NOWHERE, scalar.text(), true).isNothing()
                ? scalar.text()
                : quoted(scalar.text());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
            } else if (c < ' ' || (c > '~' && !Character.isLetterOrDigit(c))) {
                quoted.append("\\U%08x".formatted(c));
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }
}
