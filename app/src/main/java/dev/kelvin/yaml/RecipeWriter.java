package dev.kelvin.yaml;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Words;
import dev.kelvin.yaml.Node.Entry;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes a recipe as YAML with every default written out; reading it gives an equal recipe. What fits on a line is on
 * one line.
 */
public final class RecipeWriter {
    private static final int WIDTH = 100;
    private static final Place NOWHERE = new Place("", 0, 0);

    private RecipeWriter() {}

    /** A recipe as YAML, a setting a line where it does not fit on fewer. */
    public static String yaml(Record recipe) {
        StringBuilder text = new StringBuilder();
        block(settings(recipe), "", text);
        return text.toString();
    }

    /** A setting's value as one line of YAML, or a part of a kind: {@code {mala: {stepSize: 0.1}}}. */
    public static String value(Type type, Object value) {
        return flow(node(type, value), RecipeWriter::scalar);
    }

    private static Node node(Type type, Object value) {
        if (Settings.isChoice(Settings.raw(type))) {
            return oneCase(Settings.raw(type), value);
        }
        if (value instanceof Record part) {
            return part(part);
        }
        if (value instanceof List<?> list) {
            Type each = Settings.argument(type);
            return new Node.Items(
                    NOWHERE, list.stream().map(item -> node(each, item)).toList());
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

    /** The case's word, with its settings if it has any. */
    private static Node oneCase(Class<?> choice, Object value) {
        String word = Catalogue.name(value);
        boolean known = Settings.cases(choice).containsValue(value.getClass());
        if (!known && !Settings.ready(choice).containsKey(word)) {
            throw new IllegalArgumentException(value + " can't be written in a recipe: it is not registered as a "
                    + Catalogue.word(choice) + " (see PartProvider)");
        }
        Node settings = known ? part((Record) value) : mapping(Map.of());
        return settings instanceof Node.Mapping map && map.entries().isEmpty()
                ? new Node.Scalar(NOWHERE, word, false)
                : mapping(Map.of(word, settings));
    }

    /** The record's settings, or the one that may stand for them where the others are their defaults. */
    private static Node part(Record part) {
        Node.Mapping settings = settings(part);
        Class<?> type = part.getClass();
        return Settings.bare(type)
                .map(RecordComponent::getName)
                .filter(bare -> Settings.of(type).stream()
                        .allMatch(each -> each.getName().equals(bare) || isDefault(part, each)))
                .map(bare -> settings.entries().get(bare))
                .map(Entry::value)
                .filter(Node.Scalar.class::isInstance)
                .orElse(settings);
    }

    private static boolean isDefault(Record part, RecordComponent setting) {
        return Binder.byDefault(setting).equals(Optional.of(get(part, setting)));
    }

    static Node.Mapping settings(Record part) {
        Map<String, Node> settings = new LinkedHashMap<>();
        for (RecordComponent setting : Settings.of(part.getClass())) {
            Type type = Settings.value(setting.getGenericType());
            present(get(part, setting)).ifPresent(value -> settings.put(setting.getName(), node(type, value)));
        }
        return mapping(settings);
    }

    private static Node.Mapping mapping(Map<String, Node> settings) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        settings.forEach((word, value) -> entries.put(word, new Entry(NOWHERE, value)));
        return new Node.Mapping(NOWHERE, entries);
    }

    private static Object get(Record part, RecordComponent setting) {
        try {
            setting.getAccessor().setAccessible(true);
            return setting.getAccessor().invoke(part);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A setting's value; empty for an optional one that is absent. */
    private static Optional<?> present(Object value) {
        if (value instanceof OptionalDouble number) {
            return number.isPresent() ? Optional.of(number.getAsDouble()) : Optional.empty();
        }
        if (value instanceof OptionalInt number) {
            return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
        }
        return value instanceof Optional<?> optional ? optional : Optional.of(value);
    }

    private static void block(Node.Mapping map, String indent, StringBuilder text) {
        map.entries().forEach((word, entry) -> {
            String line = indent + word + ": " + flow(entry.value(), RecipeWriter::scalar);
            if (line.length() > WIDTH && entry.value() instanceof Node.Mapping part) {
                text.append(indent).append(word).append(":\n");
                block(part, indent + "  ", text);
            } else {
                text.append(line).append('\n');
            }
        });
    }

    /** A node on one line. */
    static String flow(Node node, Function<Node.Scalar, String> scalars) {
        if (node instanceof Node.Items list) {
            return list.items().stream().map(item -> flow(item, scalars)).collect(Collectors.joining(", ", "[", "]"));
        }
        if (node instanceof Node.Mapping map) {
            return map.entries().entrySet().stream()
                    .map(each -> each.getKey() + ": " + flow(each.getValue().value(), scalars))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return scalars.apply((Node.Scalar) node);
    }

    private static String scalar(Node.Scalar scalar) {
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
