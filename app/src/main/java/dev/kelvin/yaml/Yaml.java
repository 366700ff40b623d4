package dev.kelvin.yaml;

import dev.kelvin.part.Words;
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
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Reads the files and resources that recipes are made of, for a {@link RecipeText}. */
public final class Yaml {
    /** A recipe has a few hundred bytes; this is far above any, and far below what would take long to read. */
    private static final int LIMIT = 1 << 20;

    private Yaml() {}

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

    /** Refuses a name that is not among those that ship. */
    public static void requireKnown(String what, String name, Collection<String> known, String hint) {
        if (!known.contains(name)) {
            String message = Words.unknown("Kelvin", what + " ", name, "it has", known) + hint;
            throw new RecipeException(List.of(new Problem(new Place(Words.oneLine(name), 0, 0), message)));
        }
    }
}
