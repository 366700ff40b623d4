package dev.kelvin.yaml;

import dev.kelvin.part.SettingException;
import dev.kelvin.yaml.Node.Entry;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The text of a recipe or of a study, which is read as a record with every mistake at its place. */
public final class RecipeText<T extends Record> {
    private final Class<T> type;
    private final String name;
    private final Node tree;
    private final List<Problem> problems;

    private RecipeText(Class<T> type, String name, Node tree, List<Problem> problems) {
        this.type = type;
        this.name = name;
        this.tree = tree;
        this.problems = problems;
    }

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

    /** As the text of a run, perhaps one of the last version, whose words are understood. */
    public RecipeText<T> ofRun() {
        return new RecipeText<>(type, name, LastVersion.renewed(tree), problems);
    }

    /** Whether a setting, by its path, has this word for its value. */
    public boolean says(String path, String word) {
        return Binder.find(tree, path) instanceof Node.Scalar scalar
                && scalar.text().equals(word);
    }

    /** Whether it has a setting of the record itself. */
    public boolean gives(String setting) {
        return tree instanceof Node.Mapping map && map.entries().containsKey(setting);
    }

    /** With a part for a setting of the record that it does not give. */
    public RecipeText<T> with(String setting, Object part) {
        RecordComponent component = Settings.named(type, setting).orElseThrow();
        String text = RecipeWriter.value(component.getGenericType(), part);
        return new RecipeText<>(
                type, name, with(tree, setting, TreeReader.value(text, tree.place(), problems)), problems);
    }

    /**
     * The record that it describes.
     *
     * @param overrides changes such as {@code train.batch=64}, the later after the earlier
     * @throws RecipeException with everything that is wrong
     */
    public T bind(List<String> overrides) {
        List<Problem> all = new ArrayList<>(problems);
        Node changed = Overrides.apply(type, tree, overrides, all);
        return Binder.bind(type, LastVersion.refused(changed, all), name, all);
    }

    /** What was refused only when the record was used, at the place where it was written. */
    public RecipeException refused(List<String> overrides, SettingException refused) {
        Node changed = Overrides.apply(type, tree, overrides, new ArrayList<>());
        return new RecipeException(Stream.concat(Stream.of(refused), Stream.of(refused.getSuppressed()))
                .map(SettingException.class::cast)
                .map(each -> Binder.locate(changed, each.setting()).problem(String.valueOf(each.getMessage())))
                .toList());
    }

    /** The tree, named after its file if the record has a name, the text has none, and the file's can be one. */
    private static Node withName(Class<?> type, String where, Node tree) {
        String base = where.replaceFirst("(?s)^.*[/\\\\]", "").replaceFirst("\\.ya?ml$", "");
        boolean takesOne = Settings.named(type, "name").isPresent() && base.matches("[A-Za-z0-9_][A-Za-z0-9_-]{0,99}");
        return takesOne && tree instanceof Node.Mapping map && !map.entries().containsKey("name")
                ? with(tree, "name", new Node.Scalar(tree.place(), base, false))
                : tree;
    }

    private static Node with(Node tree, String setting, Node value) {
        Map<String, Entry> entries = new LinkedHashMap<>(tree instanceof Node.Mapping map ? map.entries() : Map.of());
        entries.put(setting, new Entry(tree.place(), value));
        return new Node.Mapping(tree.place(), entries);
    }
}
