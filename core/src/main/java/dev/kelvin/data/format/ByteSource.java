package dev.kelvin.data.format;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.TensorException;
import dev.kelvin.tensor.Tensors;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.InflaterInputStream;

/**
 * A file's bytes from front to back, unpacked where the file is packed. It knows the most bytes that can still come, so
 * that nothing is allocated for a header that lies, and every complaint is an {@link UnreadableFileException}.
 */
final class ByteSource implements Closeable {
    /** What one byte of deflate, the method of gzip, zip and zlib, can become at most (zlib's technical details). */
    static final long MOST_UNPACKED = 1032;

    private static final int CHUNK = 1 << 16;

    private final Path path;
    private final InputStream in;
    private final boolean packed;
    private long left; // no more bytes than this can come; exactly this many where the file is not packed

    private ByteSource(Path path, InputStream in, long left, boolean packed) {
        this.path = path;
        this.in = in;
        this.left = left;
        this.packed = packed;
    }

    /** Opens a file, unpacking it if it is gzip. */
    static ByteSource open(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new UnreadableFileException(path, "is a folder, not a file");
        }
        InputFile file = InputFile.open(path);
        try {
            InputStream in = file.unpacked();
            return in == file
                    ? new ByteSource(path, in, file.size(), false)
                    : new ByteSource(path, in, unpacked(file.size()), true);
        } catch (IOException e) {
            file.close();
            throw file.unreadable(e);
        }
    }

    /** The next {@code length} bytes as a source of their own, unpacked from zlib's format; closing it passes over them. */
    ByteSource unzipped(long length) throws UnreadableFileException {
        require("its packed element", length);
        left -= length;
        return new ByteSource(path, new InflaterInputStream(new Part(in, length)), unpacked(length), true);
    }

    private static long unpacked(long size) {
        return size > Long.MAX_VALUE / MOST_UNPACKED ? Long.MAX_VALUE : size * MOST_UNPACKED;
    }

    UnreadableFileException wrong(String problem) {
        return new UnreadableFileException(path, problem);
    }

    Path path() {
        return path;
    }

    long left() {
        return left;
    }

    /** Refuses to go on if {@code length} bytes cannot come. {@code what} begins the message. */
    void require(String what, long length) throws UnreadableFileException {
        if (length < 0 || length > left) {
            throw wrong(what + " takes " + Long.toUnsignedString(length) + " bytes, but "
                    + (packed ? "what is left can unpack to no more than " : "the file has only ") + left
                    + (packed ? "" : " left"));
        }
    }

    /** The next bytes; {@code what} is a few at the most. */
    ByteBuffer bytes(String what, int length, ByteOrder order) throws UnreadableFileException {
        require(what, length);
        byte[] bytes = new byte[length];
        fill(what, bytes, length);
        return ByteBuffer.wrap(bytes).order(order);
    }

    /** The next bytes as a tensor of type byte, in the current scope. */
    Tensor tensor(String what, long... shape) throws UnreadableFileException {
        Tensor tensor = allocate(what, left, path, shape);
        long count = tensor.count();
        for (long at = 0; at < count; at += CHUNK) {
            read(what, tensor, at, (int) Math.min(CHUNK, count - at));
        }
        return tensor;
    }

    void read(String what, Tensor into, long at, int length) throws UnreadableFileException {
        byte[] chunk = new byte[length];
        fill(what, chunk, length);
        into.memory(at, length).put(chunk);
    }

    void skip(String what, long length) throws UnreadableFileException {
        require(what, length);
        byte[] chunk = new byte[(int) Math.min(CHUNK, length)];
        for (long at = 0; at < length; at += CHUNK) {
            fill(what, chunk, (int) Math.min(CHUNK, length - at));
        }
    }

    private void fill(String what, byte[] bytes, int length) throws UnreadableFileException {
        require(what, length);
        try {
            int count = in.readNBytes(bytes, 0, length);
            if (count < length) {
                throw wrong("ends inside " + what);
            }
            left -= length;
        } catch (IOException e) {
            throw UnreadableFileException.of(path, e);
        }
    }

    /** True if there are no more bytes; looking takes one away if there are. */
    boolean atEnd() throws UnreadableFileException {
        try {
            return in.read() < 0;
        } catch (IOException e) {
            throw UnreadableFileException.of(path, e);
        }
    }

    @Override
    public void close() throws UnreadableFileException {
        try {
            in.close();
        } catch (IOException e) {
            throw UnreadableFileException.of(path, e);
        }
    }

    /** Memory for bytes of this shape, of which {@code most} can come from the file, in the current scope. */
    static Tensor allocate(String what, long most, Path path, long... shape) throws UnreadableFileException {
        long count = 1;
        for (long length : shape) {
            if (length <= 0) {
                throw new UnreadableFileException(
                        path, what + " has the shape " + Arrays.toString(shape) + "; every length must be 1 or more");
            }
            count = length > Long.MAX_VALUE / count ? Long.MAX_VALUE : count * length;
        }
        if (count > most || shape[0] > Integer.MAX_VALUE) {
            throw new UnreadableFileException(
                    path,
                    what + " has the shape " + Arrays.toString(shape) + ", which takes " + count
                            + " bytes, but no more than " + most + " can come from the file");
        }
        try (Scope scope = Scope.open()) {
            return scope.keep(Tensors.bytes(shape));
        } catch (TensorException | OutOfMemoryError e) {
            throw new UnreadableFileException(
                    path, what + " takes " + count + " bytes, more than this machine has free");
        }
    }

    /** No more than {@code length} bytes of a stream. */
    private static final class Part extends InputStream {
        private final InputStream whole;
        private long left;

        Part(InputStream whole, long length) {
            this.whole = whole;
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = left == 0 ? -1 : whole.read(bytes, offset, (int) Math.min(length, left));
            left -= Math.max(count, 0);
            return count;
        }

        @Override
        public void close() throws IOException {
            whole.skipNBytes(left);
            left = 0;
        }
    }
}
