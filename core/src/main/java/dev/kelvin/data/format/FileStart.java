package dev.kelvin.data.format;

import dev.kelvin.io.UnreadableFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.stream.IntStream;

/**
 * What decides a file's format: its path, its size, and its first bytes.
 *
 * @param size in bytes, as it is stored
 * @param bytes up to 128, unpacked if the file is gzip
 */
public record FileStart(Path path, long size, ByteBuffer bytes) {
    private static final int LOOK = 128; // the longest header, MATLAB's

    public FileStart {
        bytes = bytes.asReadOnlyBuffer();
    }

    static FileStart of(Path path) throws IOException {
        InputFile.refuseStream(path, "files of images are read several times");
        try (InputFile file = InputFile.open(path)) {
            byte[] bytes = file.unpacked().readNBytes(LOOK);
            return new FileStart(path, file.size(), ByteBuffer.wrap(bytes));
        } catch (IOException e) {
            throw UnreadableFileException.of(path, e);
        }
    }

    /** With a position of their own, so that who reads them does not move another's. */
    @Override
    public ByteBuffer bytes() {
        return bytes.duplicate();
    }

    /** The file's own name. */
    public String name() {
        return String.valueOf(path.getFileName());
    }

    /** Whether the file begins with these bytes, from 0 to 255. */
    public boolean begins(int... expected) {
        return bytes.remaining() >= expected.length
                && IntStream.range(0, expected.length).allMatch(i -> (bytes.get(i) & 0xFF) == expected[i]);
    }
}
