package dev.kelvin.cite;

import dev.kelvin.objective.Term;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Citing;
import dev.kelvin.part.Given;
import dev.kelvin.part.Words;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the parts of a recipe cite: {@link Cites} on the classes of its records, on settings that are on and on constants
 * that are chosen, and what is {@link Citing}.
 */
public final class Citations {
    /**
     * That a part cites a work.
     *
     * @param part its place in the recipe, as {@code --set} names it, and its name: {@code negatives.kernel: mala}
     */
    public record Citation(String part, String key) {}

    private static final Set<Object> ABSENT =
            Set.of(false, List.of(), Optional.empty(), OptionalDouble.empty(), OptionalInt.empty());

    private final List<Citation> found = new ArrayList<>();

    private Citations() {}

    /** The citations of a recipe, or of any other record of settings, in its order. */
    public static List<Citation> of(Record recipe) {
        Citations citations = new Citations();
        citations.settings("", recipe);
        return List.copyOf(citations.found);
    }

    private void settings(String place, Record record) {
        for (RecordComponent setting : record.getClass().getRecordComponents()) {
            if (!setting.isAnnotationPresent(Given.class)) {
                Object value = value(record, setting);
                String at = place.isEmpty() ? setting.getName() : place + "." + setting.getName();
                if (isOn(value)) {
                    cite(at, setting);
                }
                part(at, value);
            }
        }
    }

    private void part(String place, @Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(inner -> part(place, inner));
        } else if (value instanceof Collection<?> several) {
            int number = 0;
            for (Object each : several) {
                part(place + "." + number++, each);
            }
        } else if (value instanceof Term term && term.off()) {
            return;
        } else if (value instanceof Enum<?> constant) {
            cite(place + ": " + Words.kebab(constant.name()), field(constant));
        } else if (value != null) {
            boolean chosen = Stream.of(value.getClass().getInterfaces()).anyMatch(Citations::isKind);
            String name = chosen ? Catalogue.name(value) : "";
            String label = chosen ? place + ": " + name : place;
            cite(label, value.getClass());
            if (value instanceof Citing citing) {
                citing.cites().forEach(key -> found.add(new Citation(label, key)));
            }
            if (value instanceof Record record) {
                settings(chosen ? place + "." + name : place, record);
            }
        }
    }

    /** Whether an interface, or one that it extends, is a kind of part. */
    private static boolean isKind(Class<?> type) {
        return Catalogue.isKind(type) || Stream.of(type.getInterfaces()).anyMatch(Citations::isKind);
    }

    private void cite(String part, AnnotatedElement element) {
        Cites cites = element.getAnnotation(Cites.class);
        if (cites != null) {
            Stream.of(cites.value()).forEach(key -> found.add(new Citation(part, key)));
        }
    }

    /** Whether a setting does something: true, there, not empty, not 0. */
    private static boolean isOn(@Nullable Object value) {
        if (value instanceof Number number) {
            return number.doubleValue() != 0;
        }
        return value != null && !ABSENT.contains(value);
    }

    private static @Nullable Object value(Record record, RecordComponent setting) {
        try {
            setting.getAccessor().setAccessible(true);
            return setting.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(record.getClass() + " does not tell its " + setting.getName(), e);
        }
    }

    private static AnnotatedElement field(Enum<?> constant) {
        return Stream.of(constant.getDeclaringClass().getFields())
                .filter(field -> field.getName().equals(constant.name()))
                .findFirst()
                .orElseThrow();
    }
}
