package dev.kelvin.tensor.file;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A file that tensors are read from. Nothing is allocated before its size has been checked against the file's, and every
 * complaint is one line that begins with the file's name. Numbers lie in the file as in memory: little-endian, as all
 * machines are that libtorch's Java bindings run on.
 */
final class TensorFile implements Closeable {
    private static final int CHUNK = 1 << 16; // what is copied through the Java heap at a time
    private static final int WINDOW = 1 << 30; // a ByteBuffer counts in ints; a tensor may be larger
    private static final int MOST_DIMENSIONS = 64; // libtorch's own limit for most operations
    private static final int LONGEST_QUOTE = 200;

    private final Path path;
    private final String part;
    private final Bytes bytes;
    private final Closeable source;
    private final long size;

    private TensorFile(Path path, String part, Bytes bytes, Closeable source, long size) {
        this.path = path;
        this.part = part;
        this.bytes = bytes;
        this.source = source;
        this.size = size;
    }

    private interface Bytes {
        /** Puts some of the bytes from {@code position} on; gives how many, or −1 at the end. */
        int read(ByteBuffer to, long position) throws IOException;
    }

    static TensorFile open(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new UnreadableFileException(path, "is a folder, not a file");
        }
        try {
            FileChannel channel = FileChannel.open(path);
            return new TensorFile(path, "", channel::read, channel, channel.size());
        } catch (NoSuchFileException e) {
            throw new NoSuchFileException(path + ": there is no such file");
        }
    }

    /** Files that are one cut into parts, in their order; complaints name it by {@code whole}, which need not be there. */
    static TensorFile open(Path whole, List<Path> parts) throws IOException {
        Joined joined = new Joined();
        try {
            for (Path part : parts) {
                joined.add(FileChannel.open(part));
            }
        } catch (IOException e) {
            joined.close();
            throw e;
        }
        return new TensorFile(whole, "", joined::read, joined, joined.size);
    }

    /** Channels, one after the other. */
    private static final class Joined implements Closeable {
        private final NavigableMap<Long, FileChannel> from = new TreeMap<>();
        private final List<FileChannel> all = new ArrayList<>();
        private long size;

        void add(FileChannel channel) throws IOException {
            all.add(channel);
            from.put(size, channel); // of those that begin at one place all but the last are empty
            size += channel.size();
        }

        int read(ByteBuffer to, long position) throws IOException {
            Map.Entry<Long, FileChannel> part = from.floorEntry(position);
            return part == null ? -1 : part.getValue().read(to, position - part.getKey());
        }

        @Override
        public void close() throws IOException {
            for (FileChannel each : all) {
                each.close();
            }
        }
    }

    /** A part of a file, such as an entry of a zip, that has this size; it may be read only once, from front to back. */
    static TensorFile of(Path path, String part, InputStream stream, long size) {
        ReadableByteChannel channel = Channels.newChannel(stream);
        return new TensorFile(path, part + " ", (to, position) -> channel.read(to), () -> {}, size);
    }

    long size() {
        return size;
    }

    IOException wrong(String problem) {
        return new UnreadableFileException(path, part + problem);
    }

    /** Text from the file as it may appear in a message: short, and on one line. */
    static String quoted(String text) {
        String line = text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]", "?");
        return "'" + (line.length() <= LONGEST_QUOTE ? line : line.substring(0, LONGEST_QUOTE) + "...") + "'";
    }

    /** Bytes {@code at} to {@code at + length - 1}, which the caller has seen to lie in the file. */
    ByteBuffer bytes(long at, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        fill(buffer, at);
        return buffer.flip();
    }

    /** How many bytes a tensor takes. {@code what} begins the message about one that cannot be. */
    long byteCount(String what, DType type, long... shape) throws IOException {
        if (shape.length > MOST_DIMENSIONS) {
            throw wrong(what + " has " + shape.length + " dimensions; at most " + MOST_DIMENSIONS + " can be read");
        }
        long elements = type.bytes();
        boolean empty = false;
        for (long length : shape) {
            if (length < 0) {
                throw wrong(what + " has the shape " + Arrays.toString(shape) + ", with a negative length");
            }
            empty |= length == 0;
            try {
                elements = Math.multiplyExact(elements, Math.max(1, length));
            } catch (ArithmeticException e) {
                throw wrong(what + " has the shape " + Arrays.toString(shape) + ", more than any memory holds");
            }
        }
        return empty ? 0 : elements;
    }

    /** A tensor whose numbers begin at this byte; the caller has seen to it that all of them lie in the file. */
    Tensor tensor(String what, long at, DType type, long... shape) throws IOException {
        try (Scope scope = Scope.open()) {
            Tensor tensor = Tensors.empty(type, Device.CPU, shape);
            long length = byteCount(what, type, shape);
            for (long offset = 0; offset < length; offset += WINDOW) {
                ByteBuffer window = tensor.memory(offset, (int) Math.min(WINDOW, length - offset));
                fill(window, at + offset);
                if (type == DType.BOOL) {
                    requireBooleans(what, window.flip());
                }
            }
            return scope.keep(tensor);
        }
    }

    /** libtorch's behaviour is undefined on a boolean that is neither 0 nor 1. */
    private void requireBooleans(String what, ByteBuffer flags) throws IOException {
        while (flags.hasRemaining()) {
            byte flag = flags.get();
            if (flag != 0 && flag != 1) {
                throw wrong(what + " has the boolean " + (flag & 0xFF) + "; only 0 and 1 are booleans");
            }
        }
    }

    private void fill(ByteBuffer buffer, long at) throws IOException {
        long position = at;
        while (buffer.hasRemaining()) {
            int count = bytes.read(buffer, position);
            if (count < 0) {
                throw wrong("ends after " + position + " bytes; expected " + size);
            }
            position += count;
        }
    }

    /** Writes a tensor's numbers in the order of its dimensions. */
    static void write(OutputStream out, Tensor tensor) throws IOException {
        write(out, tensor, 0, tensor.count() * tensor.dtype().bytes());
    }

    /** Writes the bytes from one to before another of a tensor's numbers in the order of its dimensions. */
    static void write(OutputStream out, Tensor tensor, long from, long to) throws IOException {
        if (from >= to) {
            return;
        }
        try (Scope scope = Scope.open()) {
            Tensor plain = tensor.detach().to(Device.CPU).contiguous();
            byte[] chunk = new byte[(int) Math.min(CHUNK, to - from)];
            for (long offset = from; offset < to; offset += CHUNK) {
                int count = (int) Math.min(CHUNK, to - offset);
                plain.memory(offset, count).get(chunk, 0, count);
                out.write(chunk, 0, count);
            }
        }
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
