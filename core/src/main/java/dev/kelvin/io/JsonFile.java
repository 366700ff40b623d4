package dev.kelvin.io;

import dev.kelvin.part.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Reads JSON that Kelvin wrote before, and that a disk or an editor may have damaged since. */
public final class JsonFile {
    private JsonFile() {}

    /** What a file describes; where it is damaged, the message says the line or the byte, and the remedy. */
    public static <T> T read(Path file, String remedy, Function<String, @Nullable T> parser) throws IOException {
        try {
            T value = parser.apply(text(file, remedy));
            if (value != null) {
                return value;
            }
            throw damaged(file, "it holds nothing", remedy);
        } catch (JacksonException e) {
            throw damaged(file, problem(e), remedy);
        } catch (IllegalArgumentException e) {
            throw damaged(file, firstLine(String.valueOf(e.getMessage())), remedy);
        }
    }

    /** That it is not as it was written. */
    private static UnreadableFileException damaged(Path file, String problem, String remedy) {
        return new UnreadableFileException(file, "is damaged (" + problem + "); " + remedy);
    }

    private static String text(Path file, String remedy) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        if (!StandardCharsets.UTF_8.newDecoder().decode(in, out, true).isUnderflow()) { // it stops at malformed input
            throw damaged(
                    file, "byte %d is %02x, which is not UTF-8".formatted(in.position(), bytes[in.position()]), remedy);
        }
        return out.flip().toString();
    }

    /** What is wrong with a text, in one line. */
    public static String problem(JacksonException e) {
        TokenStreamLocation at = e.getLocation();
        String where = at == null || at.getLineNr() <= 0 ? "" : "line " + at.getLineNr() + ": ";
        if (e instanceof ValueInstantiationException made) { // a part refuses its values
            where += made.getType() == null
                    ? "a value"
                    : made.getType().getRawClass().getSimpleName();
            return e.getCause() instanceof IllegalArgumentException refused
                    ? where + ": " + firstLine(String.valueOf(refused.getMessage()))
                    : where + " lacks a value";
        }
        return where + firstLine(String.valueOf(e.getOriginalMessage()));
    }

    private static String firstLine(String message) {
        return Words.oneLine(message.lines().findFirst().orElse(""));
    }
}
