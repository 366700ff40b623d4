package dev.kelvin.part;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Every registered part by kind and name: what each {@link PartProvider} lists, Kelvin's own first. */
public final class Catalogue {
    private static volatile List<Object> parts = List.of(); // read when it is first asked for

    /** Instances of registered classes: one each, so that equal settings are equal. */
    private static final Map<Class<?>, Object> MADE = new ConcurrentHashMap<>();

    private Catalogue() {}

    private static List<Object> registered() {
        if (parts.isEmpty()) {
            List<Object> found = new ArrayList<>();
            try {
                ServiceLoader.load(PartProvider.class, Catalogue.class.getClassLoader()).stream()
                        .sorted((a, b) -> Boolean.compare(isOurs(b), isOurs(a)))
                        .forEach(provider -> found.addAll(provider.get().parts()));
            } catch (ServiceConfigurationError e) {
                throw new UnknownPartException("parts that are registered in META-INF/services can't be loaded: "
                        + e.getMessage() + "; is their class on the class path?");
            }
            parts = List.copyOf(found);
        }
        return parts;
    }

    private static boolean isOurs(ServiceLoader.Provider<PartProvider> provider) {
        return provider.type().getName().startsWith("dev.kelvin.parts.");
    }

    /** The classes of a kind by name, in the order in which they were registered. */
    public static <T> Map<String, Class<? extends T>> of(Class<T> kind) {
        Map<String, Class<? extends T>> found = new LinkedHashMap<>();
        for (Object part : registered()) {
            if (part instanceof Class<?> type && kind.isAssignableFrom(type)) {
                put(found, name(type), type.asSubclass(kind));
            }
        }
        return found;
    }

    private static <T> void put(Map<String, T> found, String name, T part) {
        T other = found.put(name, part);
        if (other != null && other != part) {
            throw new IllegalStateException("two parts are called '" + name + "': "
                    + type(other).getName() + " and " + type(part).getName() + "; give one another name with @Named");
        }
    }

    private static Class<?> type(Object part) {
        return part instanceof Class<?> itself ? itself : part.getClass();
    }

    /** Those of them that are meant to be named in a recipe: the ones with {@link Doc}. */
    public static <T> Map<String, Class<? extends T>> choices(Class<T> kind) {
        Map<String, Class<? extends T>> found = of(kind);
        found.values().removeIf(type -> !type.isAnnotationPresent(Doc.class));
        return found;
    }

    /** The class of a kind that is so called; where there is none, the message says what there is. */
    public static <T> Class<? extends T> find(Class<T> kind, String name) {
        Map<String, Class<? extends T>> known = of(kind);
        Class<? extends T> found = known.get(name);
        if (found == null) {
            throw new UnknownPartException(Words.unknown("Kelvin", word(kind) + " ", name, "it has", known.keySet()));
        }
        return found;
    }

    /** Every part of a kind that needs no settings: registered instances, and classes whose constructor takes nothing. */
    public static <T> List<T> instances(Class<T> kind) {
        List<T> found = new ArrayList<>();
        for (Object part : registered()) {
            if (kind.isInstance(part)) {
                found.add(kind.cast(part));
            } else if (part instanceof Class<?> type && kind.isAssignableFrom(type)) {
                found.add(kind.cast(made(type)));
            }
        }
        return found;
    }

    /** The parts of a kind that can be used as they are, by name: registered instances, and classes without settings. */
    public static <T> Map<String, T> ready(Class<T> kind) {
        Map<String, T> found = new LinkedHashMap<>();
        for (Object part : registered()) {
            if (kind.isInstance(part)) {
                put(found, name(part), kind.cast(part));
            } else if (part instanceof Class<?> type && kind.isAssignableFrom(type) && isReady(type)) {
                put(found, name(type), kind.cast(made(type)));
            }
        }
        return found;
    }

    private static boolean isReady(Class<?> part) {
        return !part.isRecord()
                && Stream.of(part.getDeclaredConstructors()).anyMatch(each -> each.getParameterCount() == 0);
    }

    private static Object made(Class<?> type) {
        return MADE.computeIfAbsent(type, Catalogue::make);
    }

    private static Object make(Class<?> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(type + " could not be made", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " was registered, and has no constructor without settings", e);
        }
    }

    /** The name of a part, a class or an instance: its own if it has one, else its class's, or {@link Named}'s. */
    public static String name(Object part) {
        if (part instanceof NamedPart own) {
            return own.name();
        }
        Class<?> type = type(part);
        Named named = type.getAnnotation(Named.class);
        return named == null ? Words.kebab(type.getSimpleName()) : named.value();
    }

    /** Whether a setting of this type is a choice among registered parts. */
    public static boolean isKind(Class<?> type) {
        return type.isAnnotationPresent(Kind.class);
    }

    /** What a kind of part is called. */
    public static String word(Class<?> kind) {
        Kind word = kind.getAnnotation(Kind.class);
        return word == null ? Words.kebab(kind.getSimpleName()) : word.value();
    }
}
