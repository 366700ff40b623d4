package dev.kelvin.yaml;

import java.io.IOException;
import java.io.InputStream;
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
import java.util.List;
import java.util.Objects;

/** Reads a recipe's text: UTF-8, at most 1 MiB. */
final class RecipeFile {
    /** A recipe has a few hundred bytes; this is far above any, and far below what would take long to read. */
    static final int LIMIT = 1 << 20;

    private RecipeFile() {}

    static String read(String file) {
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

    static String decode(Place start, byte[] bytes) {
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
}
