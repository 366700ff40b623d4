package dev.kelvin.metric.figure;

import java.lang.reflect.Field;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What declares figures of merit when it is registered: a {@link Figure}, a class of them, or a {@link FigureOfMerit}. */
public interface Declaration {
    /** All that it measures. */
    List<Figure> figures();

    /** The public constants of a class that are figures, in their order; companions after the figures that they accompany. */
    static Declaration of(Class<?> constants) {
        return () -> {
            List<Figure> declared = Stream.of(constants.getDeclaredFields())
                    .filter(field -> field.getType() == Figure.class)
                    .map(Declaration::constant)
                    .toList();
            Set<String> companions = declared.stream()
                    .flatMap(figure -> figure.companion().stream())
                    .map(Companion::name)
                    .collect(Collectors.toSet());
            return declared.stream()
                    .sorted(Comparator.comparing(figure -> companions.contains(figure.name())))
                    .toList();
        };
    }

    private static Figure constant(Field field) {
        try {
            return (Figure) field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(field + " is registered, and is not public", e);
        }
    }
}
