package dev.kelvin.yaml;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The text of a recipe, of a study or of a part, which is read with every mistake at its place. */
public record RecipeText<T>(Class<T> type, String name, Node tree, List<Problem> problems) {
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
        return with(Overrides.with(type, tree, List.of(word(), setting), given));
    }

    /** With a part for a setting of the record that it does not give. */
    public RecipeText<T> with(String setting, Object part) {
        RecordComponent component = Settings.named(type, setting).orElseThrow();
        String text = RecipeWriter.value(component.getGenericType(), part);
        Node value = TreeReader.value(text, tree.place(), problems);
        return with(Overrides.with(type, tree, List.of(setting), value));
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
        Node changed = Overrides.apply(type, tree, overrides, all);
        return type.cast(Binder.bind(type, LastVersion.refused(changed, all), name, all));
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
        return takesOne && tree instanceof Node.Mapping && tree.child("name") == null
                ? Overrides.with(type, tree, List.of("name"), new Node.Scalar(tree.place(), base, false))
                : tree;
    }
}
