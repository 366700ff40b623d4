package dev.kelvin.yaml;

import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import dev.kelvin.yaml.Node.Entry;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of a tree. A record's components are its settings, a sealed interface or an open kind is a choice of
 * one case; every mistake is noted, and reading goes on, so that all are reported at once. In here null means: a mistake
 * was noted.
 */
final class Binder {
    private final List<Problem> problems;

    private Binder(List<Problem> problems) {
        this.problems = problems;
    }

    /**
     * What the tree describes: a record, or a part of a kind.
     *
     * @param name how messages call it
     * @param problems what is already known to be wrong with the tree
     * @throws RecipeException if anything is wrong
     */
    static Object bind(Class<?> type, Node tree, String name, List<Problem> problems) {
        List<Problem> all = new ArrayList<>(problems);
        Object value = new Binder(all).value(type, tree, name);
        if (value == null || !all.isEmpty()) {
            throw new RecipeException(all);
        }
        return value;
    }

    /** What a setting is when it is left out; empty for one that must be given. */
    static Optional<Object> byDefault(RecordComponent setting) {
        List<Problem> problems = new ArrayList<>();
        Object value = new Binder(problems).absent(setting, new Node.Mapping(new Place("", 0, 0), Map.of()), "");
        return problems.isEmpty() ? Optional.ofNullable(value) : Optional.empty();
    }

    private @Nullable Object value(Type type, Node node, String name) {
        Class<?> raw = Settings.raw(type);
        if (node instanceof Node.Broken) {
            return null;
        }
        if (Settings.value(type) != type) {
            Object value = value(Settings.value(type), node, name);
            return value == null ? null : optional(raw, value);
        }
        if (Settings.isChoice(raw)) {
            return choice(raw, node, name);
        }
        if (node instanceof Node.Scalar scalar && scalar.isNothing()) {
            return note(node.place(), name + " has no value; it takes " + Settings.takes(type));
        }
        if (raw.isRecord()) {
            return record(raw, node, name);
        }
        if (raw == List.class && node instanceof Node.Items list) {
            return items(Settings.argument(type), list, name);
        }
        Object value = node instanceof Node.Scalar scalar ? ScalarText.value(raw, scalar) : null;
        if (value == null && raw.isEnum() && node instanceof Node.Scalar scalar) {
            Set<String> known = Settings.constants(raw).keySet();
            return note(node.place(), Words.unknown(name, "", scalar.text(), "one of", known));
        }
        return value != null ? value : mistaken(type, node, name);
    }

    private @Nullable Object mistaken(Type type, Node node, String name) {
        String hint = "";
        if (node instanceof Node.Scalar scalar) {
            boolean quoted = !scalar.plain() && ScalarText.number(scalar.text()).isPresent();
            boolean large = Settings.raw(type) == int.class
                    && ScalarText.whole(scalar.text()).isPresent();
            hint = quoted ? " (leave out the quotes)" : large ? ", which is too large" : "";
        }
        return note(
                node.place(), name + " takes " + Settings.takes(type) + ", found " + ScalarText.describe(node) + hint);
    }

    /** An optional setting with a value; with null, one that was left out. */
    private static Object optional(Class<?> type, @Nullable Object value) {
        if (type == OptionalDouble.class) {
            return value == null ? OptionalDouble.empty() : OptionalDouble.of((Double) value);
        }
        if (type == OptionalInt.class) {
            return value == null ? OptionalInt.empty() : OptionalInt.of((Integer) value);
        }
        return Optional.ofNullable(value);
    }

    private @Nullable Object items(Type type, Node.Items list, String name) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < list.items().size(); i++) {
            Object value = value(type, list.items().get(i), name + "." + i);
            if (value != null) {
                values.add(value);
            }
        }
        return values.size() < list.items().size() ? null : List.copyOf(values);
    }

    /** {@code {langevin: {stepSize: 0.01}}}, or a bare word for a case whose settings all have defaults. */
    private @Nullable Object choice(Class<?> type, Node node, String name) {
        if (node instanceof Node.Scalar word && !word.isNothing()) {
            return oneCase(type, word.text(), new Entry(node.place(), empty(node.place())), name);
        }
        if (!(node instanceof Node.Mapping map) || map.entries().isEmpty()) {
            return mistaken(type, node, name);
        }
        List<Map.Entry<String, Entry>> found = List.copyOf(map.entries().entrySet());
        Object value = null;
        for (Map.Entry<String, Entry> each : found) {
            value = oneCase(type, each.getKey(), each.getValue(), name);
        }
        if (found.size() > 1) {
            String two = Words.quote(found.get(0).getKey()) + " and "
                    + Words.quote(found.get(1).getKey());
            return note(found.get(1).getValue().key(), name + " takes only one case, found " + two);
        }
        return value;
    }

    private @Nullable Object oneCase(Class<?> choice, String word, Entry entry, String name) {
        List<String> known = Settings.words(choice);
        if (!known.contains(word)) {
            note(entry.key(), Words.unknown(name, "", word, "one of", known));
            Words.nearest(word, known).ifPresent(meant -> oneCase(choice, meant, entry, name));
            return null;
        }
        boolean bare = entry.value() instanceof Node.Scalar scalar && scalar.isNothing();
        Node settings = bare ? empty(entry.key()) : entry.value();
        Class<?> type = Settings.cases(choice).get(word);
        if (type != null) {
            return value(type, settings, word);
        }
        if (settings instanceof Node.Broken) {
            return null;
        }
        return settings instanceof Node.Mapping map && map.entries().isEmpty()
                ? Settings.ready(choice).get(word)
                : note(settings.place(), word + " takes no settings, found " + ScalarText.describe(settings));
    }

    private static Node empty(Place place) {
        return new Node.Mapping(place, Map.of());
    }

    private @Nullable Object record(Class<?> type, Node node, String name) {
        Node opened = Settings.opened(type, node);
        if (!(opened instanceof Node.Mapping given)) {
            return mistaken(type, node, name);
        }
        int before = problems.size();
        Node.Mapping map = respelt(given, Settings.names(type), name);
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new Object[components.length];
        Set<String> unread = new HashSet<>();
        for (int i = 0; i < components.length; i++) {
            String setting = components[i].getName();
            Entry entry = map.entries().get(setting);
            values[i] = entry == null || components[i].isAnnotationPresent(Given.class)
                    ? absent(components[i], map, name)
                    : value(components[i].getGenericType(), entry.value(), opened == node ? setting : name);
            if (values[i] == null) {
                unread.add(setting);
                values[i] = standIn(components[i].getGenericType());
            }
        }
        Object made = make(type, values, unread, map, name, opened == node ? "" : name); // which checks what was read
        return unread.isEmpty() && problems.size() == before ? made : null;
    }

    /** The settings, with the misspelt ones, which are noted, under the names that were probably meant. */
    private Node.Mapping respelt(Node.Mapping map, List<String> known, String name) {
        Map<String, Entry> entries = new LinkedHashMap<>(map.entries());
        map.entries().forEach((word, entry) -> {
            if (!known.contains(word)) {
                note(entry.key(), Words.unknown(name, "setting ", word, "it takes", known));
                Words.nearest(word, known).ifPresent(meant -> entries.putIfAbsent(meant, entry));
            }
        });
        return new Node.Mapping(map.place(), entries);
    }

    private @Nullable Object absent(RecordComponent component, Node.Mapping map, String name) {
        Given given = component.getAnnotation(Given.class);
        Default byDefault = component.getAnnotation(Default.class);
        if (given != null || byDefault != null) {
            String yaml = given != null ? given.value() : byDefault.value();
            Node tree = TreeReader.value(yaml, map.place(), problems);
            return value(component.getGenericType(), tree, component.getName());
        }
        if (Settings.value(component.getGenericType()) != component.getGenericType()) {
            return optional(component.getType(), null);
        }
        Doc doc = component.getAnnotation(Doc.class);
        String what = doc == null ? "" : " (" + doc.value() + ")";
        return note(map.place(), name + " lacks '" + component.getName() + "'" + what);
    }

    /**
     * What stands for a setting that could not be read while the record checks the others: a value that no check lets
     * pass, so that checks across settings are not reached with it; for an optional number or list, nothing.
     */
    private static @Nullable Object standIn(Type generic) {
        Class<?> type = Settings.raw(generic);
        Class<?> value = Settings.raw(Settings.value(generic));
        ScalarText.Kind kind = ScalarText.KINDS.get(value);
        if (kind == null && value != List.class) {
            return null;
        }
        return value != type ? optional(type, null) : kind == null ? List.of() : kind.standIn();
    }

    /**
     * The record, which checks itself; what it refuses is noted, unless that is a setting which was not read.
     *
     * @param bare what the setting is called whose value was written for the whole record; empty where all were
     */
    private @Nullable Object make(
            Class<?> type, @Nullable Object[] values, Set<String> unread, Node node, String name, String bare) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(Stream.of(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SettingException refused) {
                Stream.concat(Stream.of(refused), Stream.of(refused.getSuppressed()))
                        .map(SettingException.class::cast)
                        .filter(each -> !unread.contains(each.setting()))
                        .forEach(each -> note(
                                locate(node, each.setting()),
                                bare.isEmpty() ? String.valueOf(each.getMessage()) : bare + " " + each.problem()));
                return null;
            }
            if (!unread.isEmpty()) {
                return null; // a check across settings met a stand-in
            }
            if (e.getCause() instanceof IllegalArgumentException refused) { // it does not say which setting
                return note(node.place(), name + " is refused: " + Words.oneLine(String.valueOf(refused.getMessage())));
            }
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Where a setting such as {@code size}, {@code buffer.size} or {@code hidden.0} was written, as far as it was. */
    static Place locate(Node node, String setting) {
        Node found = node;
        for (String word : setting.split("\\.", -1)) {
            Node next = found.child(word);
            if (next == null) {
                break;
            }
            found = next;
        }
        return found.place();
    }

    private @Nullable Object note(Place place, String message) {
        problems.add(place.problem(message));
        return null;
    }
}
