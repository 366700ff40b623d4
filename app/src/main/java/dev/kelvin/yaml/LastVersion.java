package dev.kelvin.yaml;

import dev.kelvin.yaml.Node.Entry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings that the last version wrote under other names. A recipe that a run of that version wrote is read in today's words;
 * one that a user wrote is refused with the new word.
 */
final class LastVersion {
    /** Today's name of a setting, by its former path; list indices are written {@code *}. */
    private static final Map<String, String> RENAMED = Map.of(
            "base", "baseMeasure",
            "negatives.buffer.everyEnd", "insertAllEnds",
            "negatives.buffer.kind", "eviction",
            "negatives.also.*.buffer.everyEnd", "insertAllEnds",
            "negatives.also.*.buffer.kind", "eviction",
            "time.annealing.way", "schedule",
            "train.judged", "evaluate");

    /** Settings that are gone, by their path, with the default at which a run loses nothing without them. */
    private static final Map<String, String> REMOVED = Map.of("train.channelsLast", "false");

    private LastVersion() {}

    /** The tree of a recipe that a run wrote, in today's words. */
    static Node renewed(Node tree) {
        return renewed(tree, "", true, List.of());
    }

    /** The tree in today's words; every former name is noted as a mistake. */
    static Node refused(Node tree, List<Problem> problems) {
        return renewed(tree, "", false, problems);
    }

    private static Node renewed(Node node, String path, boolean ofRun, List<Problem> problems) {
        if (node instanceof Node.Items list) {
            return new Node.Items(
                    list.place(),
                    list.items().stream()
                            .map(item -> renewed(item, path + "*.", ofRun, problems))
                            .toList());
        }
        if (!(node instanceof Node.Mapping map)) {
            return node;
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        map.entries().forEach((word, entry) -> {
            String at = path + word;
            String today = RENAMED.getOrDefault(at, word);
            if (!today.equals(word) && !ofRun) {
                problems.add(entry.key().problem("'" + word + "' is called '" + today + "' now"));
            }
            if (!ofRun || !isDefault(at, entry.value())) {
                entries.put(today, new Entry(entry.key(), renewed(entry.value(), at + ".", ofRun, problems)));
            }
        });
        return new Node.Mapping(map.place(), entries);
    }

    /** Whether a setting that is gone has its default. */
    private static boolean isDefault(String path, Node value) {
        return value instanceof Node.Scalar scalar && scalar.text().equals(REMOVED.get(path));
    }
}
