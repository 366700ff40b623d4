package dev.kelvin.yaml;

import dev.kelvin.part.Words;
import dev.kelvin.yaml.Node.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Reads what recipes are made of, beside a {@link RecipeText}: files, resources, and parts that are named apart from a recipe. */
public final class Yaml {
    /** A recipe has a few hundred bytes; this is far above any, and far below what would take long to read. */
    private static final int LIMIT = 1 << 20;

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

        /** This choice with one more setting. */
        public Choice with(String setting, String value) {
            Node changed = Overrides.with(kind, given, List.of(word(), setting), new Node.Scalar(place, value, true));
            return new Choice(kind, place, changed, problems);
        }

        /** The part itself. */
        public <T> T bind(Class<T> type) {
            return type.cast(Binder.bindChoice(kind, given, problems));
        }
    }

    /** A file's text: UTF-8, at most 1 MiB. */
    public static String read(String file) {
        Place start = new Place(file, 1, 1);
        try {
            Path path = Path.of(file);
            if (Files.isDirectory(path)) {
                throw refused(start, "this is a folder, not a recipe");
            }
            try (InputStream in = Files.newInputStream(path)) {
                return decode(start, in.readNBytes(LIMIT + 1));
            }
        } catch (NoSuchFileException | InvalidPathException e) {
            throw refused(start, "there is no such file");
        } catch (AccessDeniedException e) {
            throw refused(start, "the file may not be read: permission denied");
        } catch (IOException e) {
            String reason = e instanceof FileSystemException problem ? problem.getReason() : e.getMessage();
            throw refused(start, "the file cannot be read: " + Objects.requireNonNullElse(reason, "unknown cause"));
        }
    }

    private static String decode(Place start, byte[] bytes) {
        if (bytes.length > LIMIT) {
            throw refused(start, "the file is larger than 1 MiB, too large for a recipe");
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder(); // stops at malformed input
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        boolean whole = decoder.decode(in, out, true).isUnderflow();
        String text = out.flip().toString();
        int zero = text.indexOf('\0');
        if (zero >= 0) {
            throw refused(start.after(text.substring(0, zero)), "this is a binary file: it has a zero byte");
        }
        if (!whole) {
            String found = "byte %d of the file is %02x".formatted(in.position(), bytes[in.position()]);
            throw refused(start.after(text), "the file is not UTF-8: " + found);
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text; // a byte order mark
    }

    private static RecipeException refused(Place place, String message) {
        return new RecipeException(List.of(place.problem(message)));
    }

    /** The text of a resource beside a class. */
    public static String resource(Class<?> beside, String file) {
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(file), file)) {
            return decode(new Place(file, 1, 1), in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of a resource beside a class. */
    public static List<String> lines(Class<?> beside, String file) {
        return resource(beside, file).lines().toList();
    }

    /** Refuses a name that is not among those that ship. */
    public static void requireKnown(String what, String name, Collection<String> known, String hint) {
        if (!known.contains(name)) {
            String message = Words.unknown("Kelvin", what + " ", name, "it has", known) + hint;
            throw new RecipeException(List.of(new Problem(Words.oneLine(name), 0, 0, message)));
        }
    }
}
