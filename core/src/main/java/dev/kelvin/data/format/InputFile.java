package dev.kelvin.data.format;

import dev.kelvin.io.UnreadableFileException;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.zip.GZIPInputStream;

/**
 * A file's bytes, opened once and read once from front to back, so that they may come from a stream: a pipe, a FIFO, or
 * standard input, whose path is {@code -}. What it begins with can be looked at before it is read.
 */
public final class InputFile extends InputStream {
    private static final Path STANDARD_INPUT = Path.of("-");
    private static final int BUFFER = 1 << 16;

    private final Path path;
    private final InputStream in;
    private final boolean stream;
    private final long size;
    private Optional<Path> copy = Optional.empty();
    private long count;

    private InputFile(Path path, InputStream in, boolean stream, long size) {
        this.path = path;
        this.in = new BufferedInputStream(new Plain(in), BUFFER);
        this.stream = stream;
        this.size = size;
    }

    /** Opens a file or a stream. */
    public static InputFile open(Path path) throws UnreadableFileException {
        try {
            if (isStandardInput(path)) {
                return new InputFile(named(path), System.in, true, 0);
            }
            boolean stream = isStream(path);
            return new InputFile(path, Files.newInputStream(path), stream, stream ? 0 : Files.size(path));
        } catch (IOException e) {
            throw UnreadableFileException.of(path, e);
        }
    }

    private static boolean isStandardInput(Path path) {
        return path.equals(STANDARD_INPUT);
    }

    /** Whether a path leads to a stream, which can be read only once and has no size. */
    public static boolean isStream(Path path) {
        return isStandardInput(path) || (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path));
    }

    /** What a path is called in messages. */
    public static Path named(Path path) {
        return isStandardInput(path) ? Path.of("standard input") : path;
    }

    /** Refuses a stream where a file is read more than once; {@code why} is a clause that says so. */
    public static void refuseStream(Path path, String why) throws UnreadableFileException {
        if (isStream(path)) {
            throw new UnreadableFileException(
                    named(path),
                    "is no regular file and can be read only once, but " + why
                            + "; save it first, as by 'cat > FILE', and name that file");
        }
    }

    /** What it is called in messages. */
    public Path path() {
        return path;
    }

    /** In bytes, as it is stored; 0 of a stream, which has none. */
    public long size() {
        return size;
    }

    /** The share of the bytes that has been read; nothing of a stream, whose size is not known. */
    public OptionalDouble share() {
        return size == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.min(1, (double) count / size));
    }

    /** Whether the bytes that come next are these, from 0 to 255; they stay to be read. */
    public boolean begins(int... expected) throws IOException {
        in.mark(expected.length);
        boolean same = true;
        for (int i = 0; same && i < expected.length; i++) {
            same = in.read() == expected[i];
        }
        in.reset();
        return same;
    }

    /** Whether nothing more comes. */
    public boolean atEnd() throws IOException {
        return available() == 0;
    }

    /** The bytes, unpacked if they are gzip. */
    public InputStream unpacked() throws IOException {
        return begins(0x1F, 0x8B) ? new GZIPInputStream(this, BUFFER) : this;
    }

    /** Where the bytes can be read in any order: the file itself or, of a stream, a copy that is there until this closes. */
    public Path file() throws IOException {
        if (!stream) {
            return path;
        }
        if (copy.isEmpty()) {
            Path temporary = Files.createTempFile("kelvin-input", ".tmp");
            copy = Optional.of(temporary);
            try (var out = Files.newOutputStream(temporary)) {
                transferTo(out);
            }
        }
        return copy.get();
    }

    /** An exception of reading as one that names what was opened, not its copy. */
    public UnreadableFileException unreadable(IOException problem) {
        UnreadableFileException found = UnreadableFileException.of(path, problem);
        return found.file().equals(path) ? found : new UnreadableFileException(path, found.problem());
    }

    @Override
    public int read() throws IOException {
        int value = in.read();
        count += value < 0 ? 0 : 1;
        return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int found = in.read(bytes, offset, length);
        count += Math.max(0, found);
        return found;
    }

    /** 0 at the end alone: gzip asks this whether another member follows, and a pipe has nothing for a while. */
    @Override
    public int available() throws IOException {
        in.mark(1);
        int value = in.read();
        in.reset();
        return value < 0 ? 0 : 1;
    }

    @Override
    public void close() throws IOException {
        if (!path.equals(named(STANDARD_INPUT))) { // which is not ours to close
            in.close();
        }
        if (copy.isPresent()) {
            Files.deleteIfExists(copy.get());
        }
    }

    /** A stream that is not asked what is available, because Java would find out by seeking, which no pipe can. */
    private static final class Plain extends FilterInputStream {
        Plain(InputStream in) {
            super(in);
        }

        @Override
        public int available() {
            return 0;
        }
    }
}
