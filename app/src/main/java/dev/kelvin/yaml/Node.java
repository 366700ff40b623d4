package dev.kelvin.yaml;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A recipe as it was written: the YAML tree, every part with its place. */
sealed interface Node {
    Place place();

    /** What was written for a setting, or for the element of that number; null where nothing was. */
    default @Nullable Node child(String word) {
        if (this instanceof Items list && word.matches("[0-9]{1,9}")) {
            return list.items().get(Integer.parseInt(word));
        }
        Entry entry = this instanceof Mapping map ? map.entries().get(word) : null;
        return entry == null ? null : entry.value();
    }

    /** A word, a number, a text or nothing; what it means depends on the setting that it is for. */
    record Scalar(Place place, String text, boolean plain) implements Node {
        private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");

        boolean isNothing() {
            return plain && NOTHING.contains(text);
        }
    }

    record Items(Place place, List<Node> items) implements Node {
        public Items {
            items = List.copyOf(items);
        }
    }

    /** Settings by name, in the order in which they were written. */
    record Mapping(Place place, Map<String, Entry> entries) implements Node {
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }
    }

    record Entry(Place key, Node value) {}

    /** Something that could not be read, and that was reported. */
    record Broken(Place place) implements Node {}
}
