package dev.kelvin.yaml;

import dev.kelvin.yaml.Node.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what older recipes, and old habits at {@code --set}, call otherwise: makes of their tree one in today's words,
 * every value at its place. A setting that a file has in both spellings stays, for the binder to refuse; one that comes
 * from {@code --set} replaces what the recipe has.
 */
public final class OldRecipes {
    private static final List<String> IMAGES = List.of("data", "images");
    private static final String AUGMENT = "augment";
    private static final List<String> START = List.of("negatives", "start");
    private static final List<String> ADAPT = List.of("negatives", "adapt");

    private static final List<String> IGEBM = List.of("model", "igebm");
    private static final String NORMED_OUTPUT = "normedOutput";

    /** A setting that went elsewhere as it was. */
    private record Move(List<String> from, List<String> to) {}

    private static final List<Move> MOVES = List.of(
            new Move(List.of("time", "acceptance"), List.of("negatives", "adapt", "acceptance")),
            new Move(List.of("data", "images", "foreign"), List.of("data", "images", "outOfDistribution")));

    /**
     * A setting of images that became an augmentation.
     *
     * @param setting what its value is a setting of it; empty if it was only switched on
     * @param none the value that meant no such augmentation; empty if there was none
     */
    private record Augmented(String old, String word, String setting, String none) {}

    /** In the order in which they were applied. */
    private static final List<Augmented> AUGMENTED = List.of(
            new Augmented("crop", "crop", "padding", "0"),
            new Augmented("resizedCrop", "resized-crop", "least", ""),
            new Augmented("flip", "flip", "", "false"),
            new Augmented("jitter", "colour-jitter", "strength", "0"),
            new Augmented("greyscale", "greyscale", "share", "0"));

    private OldRecipes() {}

    /** The tree in today's words. */
    static Node upgraded(Node tree) {
        Node moved = normedOutput(timeStart(tree));
        for (Move move : MOVES) {
            moved = moved(moved, move);
        }
        Optional<Entry> images = at(moved, IMAGES);
        return images.isPresent() && images.get().value() instanceof Node.Mapping settings
                ? with(moved, IMAGES, new Entry(images.get().key(), augmented(settings)))
                : moved;
    }

    /**
     * Where there was time, {@code start: data} was what is now called batch, with adapted steps. A recipe of that age is
     * known by time's acceptance, which every run wrote down; in others {@code start: data} is what it says.
     */
    private static Node timeStart(Node tree) {
        Optional<Entry> start = at(tree, START);
        Optional<Entry> acceptance = at(tree, List.of("time", "acceptance"));
        if (start.isEmpty() || acceptance.isEmpty() || isOverride(acceptance.get())) {
            return tree;
        }
        Node old = start.get().value();
        Node batch = old instanceof Node.Scalar word && word.text().equals("data")
                ? new Node.Scalar(word.place(), "batch", true)
                : old instanceof Node.Mapping map && map.entries().keySet().equals(Set.of("data"))
                        ? new Node.Mapping(
                                map.place(),
                                Map.of(
                                        "batch",
                                        map.entries().values().iterator().next()))
                        : old;
        if (batch == old) {
            return tree;
        }
        Node changed = with(tree, START, new Entry(start.get().key(), batch));
        Entry adapt = new Entry(old.place(), new Node.Mapping(old.place(), Map.of()));
        return at(changed, ADAPT).isPresent() ? changed : with(changed, ADAPT, adapt);
    }

    /**
     * IGEBM's last layer once was normed always. A recipe of that age that a run wrote down is known by the settings that
     * nobody else writes out, the network's slope and the guard; in others the last layer is what today's default says.
     */
    private static Node normedOutput(Node tree) {
        List<String> setting =
                Stream.concat(IGEBM.stream(), Stream.of(NORMED_OUTPUT)).toList();
        Optional<Entry> slope =
                at(tree, Stream.concat(IGEBM.stream(), Stream.of("slope")).toList());
        Optional<Entry> guard = at(tree, List.of("train", "guard"));
        if (at(tree, setting).isPresent()
                || slope.isEmpty()
                || isOverride(slope.get())
                || guard.isEmpty()
                || isOverride(guard.get())) {
            return tree;
        }
        Place place = slope.get().key();
        return with(tree, setting, new Entry(place, new Node.Scalar(place, "true", true)));
    }

    private static Node moved(Node tree, Move move) {
        Optional<Entry> old = at(tree, move.from());
        return old.isPresent() && isFree(tree, move.to(), isOverride(old.get()))
                ? with(without(tree, move.from()), move.to(), old.get())
                : tree;
    }

    /** The images' settings with a list of augmentations for the settings that stood for them. */
    private static Node augmented(Node.Mapping images) {
        Entry list = images.entries().get(AUGMENT);
        if (list != null && !(list.value() instanceof Node.Items)) {
            return images; // for the binder to refuse
        }
        List<Node> items = new ArrayList<>(list != null ? ((Node.Items) list.value()).items() : List.of());
        Map<String, Entry> entries = new LinkedHashMap<>(images.entries());
        @Nullable Place place = list != null ? list.key() : null;
        for (Augmented each : AUGMENTED) {
            Entry old = entries.get(each.old());
            if (old != null && (list == null || isOverride(old))) {
                entries.remove(each.old());
                replace(items, each, old);
                place = place == null ? old.key() : place;
            }
        }
        if (place != null && (list != null || !items.isEmpty())) {
            entries.put(
                    AUGMENT,
                    new Entry(place, new Node.Items(list != null ? list.value().place() : place, items)));
        }
        return new Node.Mapping(images.place(), entries);
    }

    /** Puts the augmentation that an old setting stands for into the list: in its own place, or last. */
    private static void replace(List<Node> items, Augmented augmented, Entry old) {
        int at = 0;
        while (at < items.size() && !isCase(items.get(at), augmented.word())) {
            at++;
        }
        if (at < items.size()) {
            items.remove(at);
        }
        if (!isNone(old.value(), augmented.none())) {
            items.add(at, augmentation(augmented, old));
        }
    }

    private static Node augmentation(Augmented augmented, Entry old) {
        Place place = old.value().place();
        if (!augmented.setting().isEmpty()) {
            Node settings = new Node.Mapping(place, Map.of(augmented.setting(), old));
            return new Node.Mapping(old.key(), Map.of(augmented.word(), new Entry(old.key(), settings)));
        }
        boolean on = old.value() instanceof Node.Scalar scalar
                && scalar.plain()
                && ScalarText.truth(scalar.text()).orElse(false);
        return on
                ? new Node.Scalar(old.key(), augmented.word(), true)
                : new Node.Mapping(old.key(), Map.of(augmented.word(), old)); // for the binder to refuse
    }

    private static boolean isNone(Node value, String none) {
        if (!(value instanceof Node.Scalar scalar) || !scalar.plain()) {
            return false;
        }
        return none.equals("0")
                ? ScalarText.number(scalar.text()).equals(Optional.of(0.0))
                : none.equals("false") && ScalarText.truth(scalar.text()).equals(Optional.of(false));
    }

    private static boolean isCase(Node item, String word) {
        return item instanceof Node.Scalar scalar
                ? scalar.text().equals(word)
                : item instanceof Node.Mapping map && map.entries().containsKey(word);
    }

    /** Whether a setting comes from {@code --set}, which has no lines. */
    private static boolean isOverride(Entry entry) {
        return entry.value().place().line() == 0;
    }

    private static Optional<Entry> at(Node tree, List<String> path) {
        Entry found = tree instanceof Node.Mapping map ? map.entries().get(path.get(0)) : null;
        return found == null || path.size() == 1 ? Optional.ofNullable(found) : at(found.value(), rest(path));
    }

    /** Whether a setting can be put at a path: nothing is there, or what is may be replaced. */
    private static boolean isFree(Node tree, List<String> path, boolean replaces) {
        if (!(tree instanceof Node.Mapping map)) {
            return replaces && tree instanceof Node.Scalar;
        }
        Entry next = map.entries().get(path.get(0));
        return next == null || (path.size() == 1 ? replaces : isFree(next.value(), rest(path), replaces));
    }

    private static Node with(Node tree, List<String> path, Entry entry) {
        Map<String, Entry> entries = entries(tree);
        Entry next = entries.getOrDefault(path.get(0), new Entry(entry.key(), new Node.Mapping(entry.key(), Map.of())));
        Entry changed = path.size() == 1 ? entry : new Entry(next.key(), with(next.value(), rest(path), entry));
        entries.put(path.get(0), changed);
        return new Node.Mapping(tree.place(), entries);
    }

    private static Node without(Node tree, List<String> path) {
        Map<String, Entry> entries = entries(tree);
        if (path.size() == 1) {
            entries.remove(path.get(0));
        } else {
            entries.computeIfPresent(
                    path.get(0), (word, next) -> new Entry(next.key(), without(next.value(), rest(path))));
        }
        return new Node.Mapping(tree.place(), entries);
    }

    private static Map<String, Entry> entries(Node tree) {
        return new LinkedHashMap<>(tree instanceof Node.Mapping map ? map.entries() : Map.of());
    }

    private static List<String> rest(List<String> path) {
        return path.subList(1, path.size());
    }
}
