package dev.kelvin.recipe;

import dev.kelvin.Words;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a Java type means in a recipe: which settings a record has, which cases a choice. */
final class Settings {
    private Settings() {}

    static Class<?> raw(Type type) {
        return type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : (Class<?>) type;
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

    static List<String> names(Class<?> record) {
        return Stream.of(record.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    /** The only setting of a record, if it is a word: {@code {toy: rings}} is short for {@code {toy: {set: rings}}}. */
    static Optional<RecordComponent> onlyWord(Class<?> record) {
        RecordComponent[] components = record.getRecordComponents();
        boolean word =
                components.length == 1 && (components[0].getType().isEnum() || components[0].getType() == String.class);
        return word ? Optional.of(components[0]) : Optional.empty();
    }

    /** A choice's cases by their words. */
    static Map<String, Class<?>> cases(Class<?> choice) {
        Map<String, Class<?>> cases = new LinkedHashMap<>();
        for (Class<?> each : choice.getPermittedSubclasses()) {
            cases.put(Words.kebab(each.getSimpleName()), each);
        }
        return cases;
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
        if (raw.isSealed()) {
            return cases(raw).get(word);
        }
        if (raw == List.class) {
            return argument(value(type));
        }
        return !raw.isRecord()
                ? null
                : Stream.of(raw.getRecordComponents())
                        .filter(component -> component.getName().equals(word))
                        .map(RecordComponent::getGenericType)
                        .findFirst()
                        .orElse(null);
    }

    /** What values a setting takes, as a phrase. */
    static String takes(Type type) {
        Class<?> raw = raw(value(type));
        if (raw == double.class || raw == Double.class) {
            return "a number";
        }
        if (raw == int.class || raw == Integer.class || raw == long.class || raw == Long.class) {
            return "a whole number";
        }
        if (raw == boolean.class) {
            return "true or false";
        }
        if (raw == String.class) {
            return "a text";
        }
        if (raw == List.class) {
            return "a list";
        }
        if (raw.isRecord()) {
            return "settings (" + String.join(", ", names(raw)) + ")";
        }
        return "one of " + String.join(", ", (raw.isEnum() ? constants(raw) : cases(raw)).keySet());
    }
}
