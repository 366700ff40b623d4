package dev.kelvin.yaml;

import dev.kelvin.part.Words;
import dev.kelvin.yaml.Node.Entry;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes a recipe's tree as {@code --set path=value} asks. The path's words are settings and cases, as in
 * {@code negatives.kernel.langevin.stepSize=0.02}, and for a list's elements numbers from 0; the value is YAML. Naming
 * another case of a choice replaces the one that the recipe has, with its settings. Mistakes in the result are the
 * binder's to find.
 */
final class Overrides {
    private static final int SHOWN = 300;

    private Overrides() {}

    static Node apply(Type type, Node tree, List<String> overrides, List<Problem> problems) {
        Node changed = tree;
        for (int i = 0; i < overrides.size(); i++) {
            String override = overrides.get(i);
            Place place = new Place("--set " + shown(override), 0, i + 1);
            int equals = override.indexOf('=');
            List<String> path = Stream.of(
                            override.substring(0, Math.max(equals, 0)).split("\\.", -1))
                    .map(String::strip)
                    .toList();
            if (path.contains("") || path.size() > TreeReader.MAX_DEPTH) {
                problems.add(place.problem("write it as setting=value, such as train.batch=64"));
            } else {
                Node value = TreeReader.value(override.substring(equals + 1), place, problems);
                changed = with(type, changed, path, value);
            }
        }
        return changed;
    }

    private static String shown(String override) {
        return Words.oneLine(override.length() > SHOWN ? override.substring(0, SHOWN) + "..." : override);
    }

    static Node with(@Nullable Type type, Node node, List<String> path, Node value) {
        if (path.isEmpty()) {
            return value;
        }
        if (node instanceof Node.Broken) {
            return node;
        }
        String word = path.get(0);
        List<String> rest = path.subList(1, path.size());
        Type child = type == null ? null : Settings.child(type, word);
        if (node instanceof Node.Items list
                && word.matches("\\d{1,6}")
                && Integer.parseInt(word) < list.items().size()) {
            List<Node> items = new ArrayList<>(list.items());
            int index = Integer.parseInt(word);
            items.set(index, with(child, items.get(index), rest, value));
            return new Node.Items(list.place(), items);
        }
        Class<?> raw = type == null ? Object.class : Settings.raw(Settings.value(type));
        Node opened = raw.isRecord() ? Settings.opened(raw, node) : node;
        Place place = opened instanceof Node.Mapping ? opened.place() : value.place();
        Map<String, Entry> entries = new LinkedHashMap<>();
        if (opened instanceof Node.Mapping map) {
            entries.putAll(map.entries());
        }
        if (Settings.isChoice(raw)) {
            entries.keySet().retainAll(Set.of(word));
        }
        Entry old = entries.getOrDefault(word, new Entry(value.place(), new Node.Scalar(value.place(), "", true)));
        entries.put(word, new Entry(old.key(), with(child, old.value(), rest, value)));
        return new Node.Mapping(place, entries);
    }
}
