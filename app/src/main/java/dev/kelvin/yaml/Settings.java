package dev.kelvin.yaml;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.part.Shorthand;
import dev.kelvin.part.Words;
import dev.kelvin.yaml.Node.Entry;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a Java type means in a recipe: which settings a record has, which cases a choice. */
final class Settings {
    private Settings() {}

    /** The class behind a type: {@code Kernel} of {@code Kernel<?>}, and of a wildcard or a variable its bound's. */
    static Class<?> raw(Type type) {
        if (type instanceof ParameterizedType generic) {
            return (Class<?>) generic.getRawType();
        }
        if (type instanceof WildcardType unknown) {
            return raw(unknown.getUpperBounds()[0]);
        }
        return type instanceof TypeVariable<?> variable ? raw(variable.getBounds()[0]) : (Class<?>) type;
    }

    /** T of {@code Optional<T>} and {@code List<T>}. */
    static Type argument(Type type) {
        return ((ParameterizedType) type).getActualTypeArguments()[0];
    }

    /** A type without the optional around it. */
    static Type value(Type type) {
        if (type == OptionalDouble.class) {
            return double.class;
        }
        if (type == OptionalInt.class) {
            return int.class;
        }
        return raw(type) == Optional.class ? argument(type) : type;
    }

    /** A record's settings: its components but those that something else decides. */
    static List<RecordComponent> of(Class<?> record) {
        return Stream.of(record.getRecordComponents())
                .filter(component -> !component.isAnnotationPresent(Given.class))
                .toList();
    }

    static List<String> names(Class<?> record) {
        return of(record).stream().map(RecordComponent::getName).toList();
    }

    static Optional<RecordComponent> named(Class<?> record, String name) {
        return of(record).stream()
                .filter(setting -> setting.getName().equals(name))
                .findFirst();
    }

    /**
     * The setting whose value alone may stand for the record: the one that {@link Shorthand} names, or the only one if it is a
     * word, so that {@code {toy: rings}} is short for {@code {toy: {set: rings}}}.
     */
    static Optional<RecordComponent> bare(Class<?> record) {
        Shorthand shortened = record.getAnnotation(Shorthand.class);
        if (shortened != null) {
            return named(record, shortened.value());
        }
        List<RecordComponent> settings = of(record);
        return settings.size() == 1 && isWord(settings.get(0).getType())
                ? Optional.of(settings.get(0))
                : Optional.empty();
    }

    private static boolean isWord(Class<?> type) {
        return type.isEnum() || type == String.class || !ready(type).isEmpty();
    }

    /** A node for the record, with the settings that a bare value is short for written out. */
    static Node opened(Class<?> record, Node node) {
        return node instanceof Node.Scalar scalar && !scalar.isNothing()
                ? bare(record)
                        .map(setting -> Map.of(setting.getName(), new Entry(node.place(), node)))
                        .<Node>map(entries -> new Node.Mapping(node.place(), entries))
                        .orElse(node)
                : node;
    }

    /**
     * Whether a value of this type is one of several cases: a sealed interface's, or the registered parts of a kind. An
     * enumeration whose constants have bodies is sealed too, and is still one of words.
     */
    static boolean isChoice(Class<?> type) {
        return (type.isSealed() && !type.isEnum()) || Catalogue.isKind(type);
    }

    /** A choice's cases that have settings, by their words; of a kind's parts those that are documented records. */
    static Map<String, Class<?>> cases(Class<?> choice) {
        Map<String, Class<?>> cases = new LinkedHashMap<>();
        if (!Catalogue.isKind(choice)) {
            Stream.of(choice.getPermittedSubclasses()).forEach(each -> cases.put(Catalogue.name(each), each));
            return cases;
        }
        cases.putAll(Catalogue.of(choice));
        cases.values().removeIf(part -> !part.isRecord() || !part.isAnnotationPresent(Doc.class));
        return cases;
    }

    /** A kind's parts that are used as they are, by their words. */
    static Map<String, Object> ready(Class<?> choice) {
        return Catalogue.isKind(choice) ? new LinkedHashMap<>(Catalogue.ready(choice)) : Map.of();
    }

    /** The words among which a choice is made. */
    static List<String> words(Class<?> choice) {
        Set<String> words = new LinkedHashSet<>(cases(choice).keySet());
        words.addAll(ready(choice).keySet());
        return List.copyOf(words);
    }

    static Map<String, Object> constants(Class<?> enumeration) {
        Map<String, Object> constants = new LinkedHashMap<>();
        for (Object each : enumeration.getEnumConstants()) {
            constants.put(Words.kebab(((Enum<?>) each).name()), each);
        }
        return constants;
    }

    /** The type of what a word names within a type; null if it names nothing. */
    static @Nullable Type child(Type type, String word) {
        Class<?> raw = raw(value(type));
        if (isChoice(raw)) {
            return cases(raw).get(word);
        }
        if (raw == List.class) {
            return argument(value(type));
        }
        return raw.isRecord()
                ? named(raw, word).map(RecordComponent::getGenericType).orElse(null)
                : null;
    }

    /** What values a setting takes, as a phrase. */
    static String takes(Type type) {
        Class<?> raw = raw(value(type));
        ScalarText.Kind kind = ScalarText.KINDS.get(raw);
        if (kind != null) {
            return kind.takes();
        }
        if (raw == String.class) {
            return "a text";
        }
        if (raw == List.class) {
            return "a list";
        }
        if (raw.isRecord()) {
            String settings = names(raw).isEmpty() ? "no settings" : "settings (" + String.join(", ", names(raw)) + ")";
            return raw.isAnnotationPresent(Shorthand.class)
                    ? takes(bare(raw).orElseThrow().getGenericType()) + " or " + settings
                    : settings;
        }
        Collection<String> words = raw.isEnum() ? constants(raw).keySet() : words(raw);
        return words.isEmpty()
                ? "a registered " + Catalogue.word(raw) + ", of which there is none yet"
                : "one of " + String.join(", ", words);
    }
}
