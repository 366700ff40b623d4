package dev.kelvin.sample;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Kernels with other settings than those that their factories give them. */
public final class Changed {
    private Changed() {}

    /**
     * A copy with other settings, given as names and values in turn. A noise that is given is not tied to the step size, and
     * one that is tied by a temperature is not given.
     */
    public static <K extends Record> K with(K kernel, Object... settings) {
        Map<String, Object> changed = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            changed.put((String) settings[i], settings[i + 1]);
        }
        RecordComponent[] components = kernel.getClass().getRecordComponents();
        List<String> names =
                Arrays.stream(components).map(RecordComponent::getName).toList();
        if (!names.containsAll(changed.keySet())) {
            throw new IllegalArgumentException(kernel + " lacks one of the settings " + changed.keySet());
        }
        try {
            @Nullable Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                String name = names.get(i);
                boolean replaced = name.equals("noise") && changed.containsKey("temperature")
                        || name.equals("temperature") && changed.containsKey("noise");
                values[i] = changed.containsKey(name)
                        ? value(components[i].getType(), Objects.requireNonNull(changed.get(name)))
                        : replaced
                                ? OptionalDouble.empty()
                                : components[i].getAccessor().invoke(kernel);
            }
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            @SuppressWarnings("unchecked")
            Class<K> type = (Class<K>) kernel.getClass();
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** [low, high], for the setting clamp. */
    public static List<Double> range(double low, double high) {
        return List.of(low, high);
    }

    private static Object value(Class<?> type, Object given) {
        Object value = given instanceof Integer number && type != int.class ? number.doubleValue() : given;
        if (type == OptionalDouble.class) {
            return OptionalDouble.of((Double) value);
        }
        return type == Optional.class ? Optional.of(value) : value;
    }
}
