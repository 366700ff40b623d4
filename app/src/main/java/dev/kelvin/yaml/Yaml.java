package dev.kelvin.yaml;

import dev.kelvin.part.Words;
import dev.kelvin.yaml.Node.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Reads what recipes are made of, beside a {@link RecipeText}: files, resources, and parts that are named apart from a recipe. */
public final class Yaml {
    private Yaml() {}

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
}
