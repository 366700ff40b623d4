package dev.kelvin.yaml;

import dev.kelvin.part.SettingException;
import dev.kelvin.part.Words;
import dev.kelvin.yaml.Node.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** From YAML to records: the door to this package. Every mistake is reported with its place, all at once. */
public final class Yaml {
    private Yaml() {}

    /**
     * The record that a file's text describes.
     *
     * @param name how messages call it
     * @param where how messages call the text: its file. Its base name is the record's {@code name}, if the text has none
     * @param overrides changes such as {@code train.batch=64}, the later after the earlier
     * @throws RecipeException with everything that is wrong
     */
    public static <T extends Record> T file(
            Class<T> type, String name, String where, String text, List<String> overrides) {
        List<Problem> problems = new ArrayList<>();
        return bind(type, name, where, TreeReader.file(where, text, problems), overrides, problems);
    }

    /** As {@link #file}, of a text that a run wrote, perhaps one of the last version, whose words are understood. */
    public static <T extends Record> T ofRun(
            Class<T> type, String name, String where, String text, List<String> overrides) {
        List<Problem> problems = new ArrayList<>();
        Node tree = LastVersion.renewed(TreeReader.file(where, text, problems));
        return bind(type, name, where, tree, overrides, problems);
    }

    private static <T extends Record> T bind(
            Class<T> type, String name, String where, Node tree, List<String> overrides, List<Problem> problems) {
        Node changed = Overrides.apply(type, withName(type, where, tree), overrides, problems);
        return Binder.bind(type, LastVersion.refused(changed, problems), name, problems);
    }

    /** What was refused only when a record that was read was used, at the place where it was written. */
    public static RecipeException refused(
            Class<? extends Record> type, String where, String text, List<String> overrides, SettingException refused) {
        List<Problem> problems = new ArrayList<>();
        Node tree = LastVersion.renewed(TreeReader.file(where, text, new ArrayList<>()));
        Node changed = Overrides.apply(type, tree, overrides, new ArrayList<>());
        Stream.concat(Stream.of(refused), Stream.of(refused.getSuppressed()))
                .map(SettingException.class::cast)
                .forEach(each -> problems.add(
                        Binder.locate(changed, each.setting()).problem(String.valueOf(each.getMessage()))));
        return new RecipeException(problems);
    }

    /** A choice's part that is named by a word, such as {@code hmc}, or a piece of YAML, {@code {hmc: {leaps: 5}}}. */
    public static Choice choice(Class<?> kind, String where, String text) {
        List<Problem> problems = new ArrayList<>();
        Place place = new Place(where + " " + Words.oneLine(text), 0, 1);
        return new Choice(kind, place, TreeReader.value(text, place, problems), problems);
    }

    /** What was written for a choice. */
    public static final class Choice {
        private final Class<?> kind;
        private final Place place;
        private final Node given;
        private final List<Problem> problems;

        private Choice(Class<?> kind, Place place, Node given, List<Problem> problems) {
            this.kind = kind;
            this.place = place;
            this.given = given;
            this.problems = problems;
        }

        private String word() {
            if (given instanceof Node.Scalar scalar) {
                return scalar.text();
            }
            return given instanceof Node.Mapping map && map.entries().size() == 1
                    ? map.entries().keySet().iterator().next()
                    : "";
        }

        /** Whether it names a part that has this setting and does not give it. */
        public boolean lacks(String setting) {
            Class<?> part = Settings.cases(kind).get(word());
            Entry entry = given instanceof Node.Mapping map ? map.entries().get(word()) : null;
            boolean said = entry != null
                    && entry.value() instanceof Node.Mapping settings
                    && settings.entries().containsKey(setting);
            return part != null && Settings.names(part).contains(setting) && !said;
        }

        /** The same with a setting more. */
        public Choice with(String setting, String value) {
            Node changed = Overrides.with(kind, given, List.of(word(), setting), new Node.Scalar(place, value, true));
            return new Choice(kind, place, changed, problems);
        }

        /** The part itself. */
        public <T> T bind(Class<T> type) {
            return type.cast(Binder.bindChoice(kind, given, problems));
        }
    }

    /** A file's text. */
    public static String read(String file) {
        return RecipeFile.read(file);
    }

    /** The text of a resource beside a class. */
    public static String resource(Class<?> beside, String file) {
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(file), file)) {
            return RecipeFile.decode(new Place(file, 1, 1), in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Refuses a name that is not among those that ship. */
    public static void requireKnown(String what, String name, Collection<String> known, String hint) {
        if (!known.contains(name)) {
            String message = Words.unknown("Kelvin", what + " ", name, "it has", known) + hint;
            throw new RecipeException(List.of(new Problem(Words.oneLine(name), 0, 0, message)));
        }
    }

    /** The tree, named after its file if the record has a name, the text has none, and the file's can be one. */
    private static Node withName(Class<?> type, String where, Node tree) {
        String base = where.replaceFirst("(?s)^.*[/\\\\]", "").replaceFirst("\\.ya?ml$", "");
        if (!(tree instanceof Node.Mapping map)
                || map.entries().containsKey("name")
                || !base.matches("[A-Za-z0-9_][A-Za-z0-9_-]{0,99}")
                || Stream.of(type.getRecordComponents())
                        .noneMatch(each -> each.getName().equals("name"))) {
            return tree;
        }
        Map<String, Entry> entries = new LinkedHashMap<>(map.entries());
        entries.put("name", new Entry(map.place(), new Node.Scalar(map.place(), base, false)));
        return new Node.Mapping(map.place(), entries);
    }
}
