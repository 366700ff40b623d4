package dev.kelvin.yaml;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import dev.kelvin.yaml.Node.Entry;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The text of a recipe, of a study or of a part, which is read with every mistake at its place. */
public record RecipeText<T>(Class<T> type, String name, Node tree, List<Problem> problems) {
    private static final int SHOWN = 300; // characters of an override

    /**
     * The text of a file.
     *
     * @param name how messages call the record
     * @param where how messages call the text: its file. Its base name is the record's {@code name}, if the text has none
     */
    public static <T extends Record> RecipeText<T> of(Class<T> type, String name, String where, String text) {
        List<Problem> problems = new ArrayList<>();
        Node tree = withName(type, where, TreeReader.file(where, text, problems));
        return new RecipeText<>(type, name, tree, problems);
    }

    /** A part of a kind, named by a word, such as {@code hmc}, or by a piece of YAML, {@code {hmc: {leaps: 5}}}. */
    public static <T> RecipeText<T> choice(Class<T> kind, String where, String text) {
        List<Problem> problems = new ArrayList<>();
        Place place = new Place(where + " " + Words.oneLine(text), 0, 1);
        return new RecipeText<>(kind, Catalogue.word(kind), TreeReader.value(text, place, problems), problems);
    }

    /** As the text of a run, perhaps one of the last version, whose words are understood. */
    public RecipeText<T> ofRun() {
        return with(LastVersion.renewed(tree));
    }

    /** Whether a setting, by its path, has this word for its value. */
    public boolean says(String path, String word) {
        Node found = tree;
        for (String step : path.split("\\.", -1)) {
            found = found == null ? null : found.child(step);
        }
        return found instanceof Node.Scalar scalar && scalar.text().equals(word);
    }

    /** Whether it has a setting of the record itself. */
    public boolean gives(String setting) {
        return tree.child(setting) != null;
    }

    /** Whether it names a part that has this setting and does not give it. */
    public boolean lacks(String setting) {
        Class<?> part = Settings.cases(type).get(word());
        Node given = tree.child(word());
        return part != null
                && Settings.names(part).contains(setting)
                && (given == null || given.child(setting) == null);
    }

    /** The word that names a part. */
    private String word() {
        if (tree instanceof Node.Scalar scalar) {
            return scalar.text();
        }
        return tree instanceof Node.Mapping map && map.entries().size() == 1
                ? map.entries().keySet().iterator().next()
                : "";
    }

    /** With one more setting of the part that it names. */
    public RecipeText<T> partWith(String setting, String value) {
        Node given = new Node.Scalar(tree.place(), value, true);
        return with(set(type, tree, List.of(word(), setting), given));
    }

    /** With a part for a setting of the record that it does not give. */
    public RecipeText<T> with(String setting, Object part) {
        RecordComponent component = Settings.named(type, setting).orElseThrow();
        String text = RecipeWriter.value(component.getGenericType(), part);
        Node value = TreeReader.value(text, tree.place(), problems);
        return with(set(type, tree, List.of(setting), value));
    }

    private RecipeText<T> with(Node changed) {
        return new RecipeText<>(type, name, changed, problems);
    }

    /**
     * The record or the part that it describes.
     *
     * @param overrides changes such as {@code train.batch=64}, the later after the earlier
     * @throws RecipeException with everything that is wrong
     */
    public T bind(List<String> overrides) {
        List<Problem> all = new ArrayList<>(problems);
        Node changed = changed(overrides, all);
        return type.cast(Binder.bind(type, LastVersion.refused(changed, all), name, all));
    }

    /** What was refused only when the record was used, at the place where it was written. */
    public RecipeException refused(List<String> overrides, SettingException refused) {
        Node changed = changed(overrides, new ArrayList<>());
        return new RecipeException(Stream.concat(Stream.of(refused), Stream.of(refused.getSuppressed()))
                .map(SettingException.class::cast)
                .map(each -> Binder.locate(changed, each.setting()).problem(String.valueOf(each.getMessage())))
                .toList());
    }

    /** The tree, named after its file if the record has a name, the text has none, and the file's can be one. */
    private static Node withName(Class<?> type, String where, Node tree) {
        String base = where.replaceFirst("(?s)^.*[/\\\\]", "").replaceFirst("\\.ya?ml$", "");
        boolean takesOne = Settings.named(type, "name").isPresent() && base.matches("[A-Za-z0-9_][A-Za-z0-9_-]{0,99}");
        return takesOne && tree instanceof Node.Mapping && tree.child("name") == null
                ? set(type, tree, List.of("name"), new Node.Scalar(tree.place(), base, false))
                : tree;
    }

    /**
     * The tree as changed by {@code --set path=value}. The path's words are settings and cases, as in
     * {@code negatives.kernel.langevin.stepSize=0.02}, and for a list's elements numbers from 0; the value is YAML.
     */
    private Node changed(List<String> overrides, List<Problem> noted) {
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
                noted.add(place.problem("write it as setting=value, such as train.batch=64"));
            } else {
                Node value = TreeReader.value(override.substring(equals + 1), place, noted);
                changed = set(type, changed, path, value);
            }
        }
        return changed;
    }

    private static String shown(String override) {
        return Words.oneLine(override.length() > SHOWN ? override.substring(0, SHOWN) + "..." : override);
    }

    /** Naming another case of a choice replaces the one that there is. Mistakes in the result are the binder's to find. */
    private static Node set(@Nullable Type type, Node node, List<String> path, Node value) {
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
            items.set(index, set(child, items.get(index), rest, value));
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
        entries.put(word, new Entry(old.key(), set(child, old.value(), rest, value)));
        return new Node.Mapping(place, entries);
    }
}
