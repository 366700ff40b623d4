package dev.kelvin.data.format;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

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
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            in.mark(2);
            boolean gzip = in.read() == 0x1F && in.read() == 0x8B;
            in.reset();
            byte[] bytes = (gzip ? new GZIPInputStream(in) : in).readNBytes(LOOK);
            return new FileStart(path, Files.size(path), ByteBuffer.wrap(bytes));
        } catch (IOException e) {
            throw ByteSource.unreadable(path, e);
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
