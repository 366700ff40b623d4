package dev.kelvin.tensor.file;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Files of one array in NumPy's npy format: a magic word, a version, a header that is a Python dictionary, then the
 * numbers. Versions 1 to 3 are read, in C and in Fortran order; version 1 in C order is written, as NumPy does.
 */
public final class Npy {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int VERSION_END = MAGIC.length + 2;
    private static final int ALIGNMENT = 64; // of the numbers, as NumPy's own files have it
    private static final int LONGEST_HEADER = 65_535; // what version 1 can say; arrays of plain numbers need far less

    private static final Pattern ITEM =
            Pattern.compile("\\s*(['\"])(\\w+)\\1\\s*:\\s*('[^']*'|\"[^\"]*\"|True|False|\\([^()]*\\))\\s*(,|(?=}))");
    private static final Pattern LENGTH = Pattern.compile("\\s*[0-9]+L?\\s*");

    private record Header(DType type, boolean fortranOrder, String shape) {}

    private Npy() {}

    // ---- writing

    /** Writes a file, atomically: readers find the old one or the new one. */
    public static void write(Path file, Tensor tensor) throws IOException {
        AtomicFile.write(file, out -> write(out, tensor));
    }

    /** Writes to a stream. */
    public static void write(OutputStream out, Tensor tensor) throws IOException {
        String type = tensor.dtype().npy();
        if (type.isEmpty()) {
            throw new IllegalArgumentException(
                    "npy has no type for " + tensor.dtype() + "; convert with to(DType.FLOAT), which loses nothing");
        }
        out.write(header(type, tensor.shape()));
        TensorFile.write(out, tensor);
    }

    /** What a file of doubles of this shape begins with, before its numbers, which are little-endian. */
    public static byte[] header(long... shape) {
        return header(DType.DOUBLE.npy(), shape);
    }

    private static byte[] header(String type, long... shape) {
        String lengths = Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", "));
        String header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + lengths
                + (shape.length == 1 ? "," : "") + "), }";
        int before = VERSION_END + Short.BYTES;
        int length = (before + header.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer start = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        Arrays.fill(start.array(), (byte) ' ');
        start.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (length - before));
        start.put(header.getBytes(StandardCharsets.US_ASCII));
        start.put(length - 1, (byte) '\n');
        return start.array();
    }

    // ---- reading

    /** Reads a file onto the CPU, into the current scope; an {@link IOException} says in one line what is wrong. */
    public static Tensor read(Path path) throws IOException {
        try (TensorFile file = TensorFile.open(path)) {
            return read(file);
        }
    }

    /** Reads a part of a file of {@code size} bytes, such as an entry of a zip; {@code part} is for messages. */
    public static Tensor read(Path path, String part, InputStream stream, long size) throws IOException {
        try (TensorFile file = TensorFile.of(path, part, stream, size)) {
            return read(file);
        }
    }

    /** An array's rows, read where they lie, so that a file may be larger than the memory. */
    public static final class Rows implements Closeable {
        private final TensorFile file;
        private final long start;
        private final DType type;
        private final long[] shape;
        private final boolean turned;

        private Rows(TensorFile file, long start, DType type, boolean turned, long... shape) {
            this.file = file;
            this.start = start;
            this.type = type;
            this.turned = turned;
            this.shape = shape;
        }

        /** The type of its numbers. */
        public DType dtype() {
            return type;
        }

        /** Its shape. */
        public long[] shape() {
            return shape.clone();
        }

        /** So many rows from one number on, [count, ...]; of a file in Fortran order they can't be had without the rest. */
        public Tensor read(long from, long count) throws IOException {
            if (turned) {
                throw file.wrong(
                        "is in Fortran order, of which rows can't be read alone (save np.ascontiguousarray(x))");
            }
            long[] part = shape.clone();
            part[0] = 1;
            long row = file.byteCount("its array", type, part);
            part[0] = count;
            return file.tensor("its array", start + from * row, type, part);
        }

        /** Whether rows can't be read alone. */
        public boolean inFortranOrder() {
            return turned;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** Opens a file to read its rows, some at a time. */
    public static Rows rows(Path path) throws IOException {
        TensorFile file = TensorFile.open(path);
        try {
            return rows(file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Tensor read(TensorFile file) throws IOException {
        Rows whole = rows(file);
        return whole.turned
                ? readFortran(file, whole.start, whole.type, whole.shape)
                : file.tensor("its array", whole.start, whole.type, whole.shape);
    }

    private static Rows rows(TensorFile file) throws IOException {
        int start = headerStart(file);
        int length = headerLength(file, start);
        Header header = header(
                file, StandardCharsets.UTF_8.decode(file.bytes(start, length)).toString());
        long[] shape = lengths(file, header.shape);
        long expected = file.byteCount("its array", header.type, shape);
        long found = file.size() - start - length;
        if (found != expected) {
            throw file.wrong("an array of type " + header.type.npy() + " and shape " + Arrays.toString(shape)
                    + " takes " + expected + " bytes, but " + found + " follow the header");
        }
        return new Rows(file, start + length, header.type, header.fortranOrder && shape.length > 1, shape);
    }

    /** In Fortran order the first dimension is innermost: the file holds the array with its dimensions reversed. */
    private static Tensor readFortran(TensorFile file, long at, DType type, long... shape) throws IOException {
        long[] order =
                LongStream.range(0, shape.length).map(i -> shape.length - 1 - i).toArray();
        long[] reversed = LongStream.of(order).map(i -> shape[(int) i]).toArray();
        try (Scope scope = Scope.open()) {
            Tensor stored = file.tensor("its array", at, type, reversed);
            return scope.keep(stored.permute(order).contiguous());
        }
    }

    /** Where the header begins: after the magic word, the version and its length, of 2 or 4 bytes. */
    private static int headerStart(TensorFile file) throws IOException {
        if (file.size() < VERSION_END + Short.BYTES
                || !file.bytes(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            throw file.wrong("is not an npy file: it does not begin with \\x93NUMPY");
        }
        int major = file.bytes(MAGIC.length, 1).get() & 0xFF;
        int minor = file.bytes(MAGIC.length + 1, 1).get() & 0xFF;
        if (major < 1 || major > 3 || minor != 0) {
            throw file.wrong("has npy version " + major + "." + minor + "; 1.0, 2.0 and 3.0 are known");
        }
        int start = VERSION_END + (major == 1 ? Short.BYTES : Integer.BYTES);
        if (file.size() < start) {
            throw file.wrong("ends before its header");
        }
        return start;
    }

    private static int headerLength(TensorFile file, int start) throws IOException {
        ByteBuffer field = file.bytes(VERSION_END, start - VERSION_END);
        long length = field.remaining() == Short.BYTES
                ? Short.toUnsignedLong(field.getShort())
                : Integer.toUnsignedLong(field.getInt());
        if (length > file.size() - start) {
            throw file.wrong(
                    "says that its header has " + length + " bytes, but only " + (file.size() - start) + " follow");
        }
        if (length > LONGEST_HEADER) {
            throw file.wrong("has a header of " + length + " bytes; at most " + LONGEST_HEADER + " are read");
        }
        return (int) length;
    }

    private static Header header(TensorFile file, String text) throws IOException {
        Map<String, String> items = items(file, text);
        if (!items.keySet().equals(Set.of("descr", "fortran_order", "shape"))) {
            throw file.wrong(
                    "has a header with " + new TreeSet<>(items.keySet()) + "; expected descr, fortran_order and shape");
        }
        String order = items.getOrDefault("fortran_order", "");
        if (!order.equals("True") && !order.equals("False")) {
            throw file.wrong("has the fortran_order " + TensorFile.quoted(order) + "; expected True or False");
        }
        return new Header(
                type(file, items.getOrDefault("descr", "")), order.equals("True"), items.getOrDefault("shape", ""));
    }

    /** The items of a Python dictionary of strings, booleans and tuples, which is all that a header may hold. */
    private static Map<String, String> items(TensorFile file, String text) throws IOException {
        String dictionary = text.strip();
        Map<String, String> items = new HashMap<>();
        Matcher item = ITEM.matcher(dictionary);
        int at = 1;
        while (dictionary.startsWith("{")
                && item.region(at, dictionary.length()).lookingAt()) {
            if (items.put(item.group(2), item.group(3)) != null) {
                throw file.wrong("has " + item.group(2) + " twice in its header");
            }
            at = item.end();
        }
        if (!dictionary.startsWith("{") || !dictionary.substring(at).strip().equals("}")) {
            throw file.wrong("has a header that cannot be read: " + TensorFile.quoted(dictionary)
                    + " (arrays of plain numbers only)");
        }
        return Collections.unmodifiableMap(items);
    }

    private static DType type(TensorFile file, String literal) throws IOException {
        for (DType type : DType.values()) {
            if (!type.npy().isEmpty()
                    && literal.length() > 2
                    && unquoted(literal).equals(type.npy())) {
                return type;
            }
        }
        throw file.wrong("has the type " + TensorFile.quoted(unquoted(literal)) + "; Kelvin reads "
                + Stream.of(DType.values())
                        .map(DType::npy)
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.joining(", "))
                + (unquoted(literal).startsWith(">")
                        ? " (little-endian: save x.astype(x.dtype.newbyteorder('<')))"
                        : ""));
    }

    private static String unquoted(String literal) {
        return literal.startsWith("'") || literal.startsWith("\"")
                ? literal.substring(1, literal.length() - 1)
                : literal;
    }

    /** Reads (), (3,) or (3, 4); Python 2 wrote (3L, 4L). */
    private static long[] lengths(TensorFile file, String tuple) throws IOException {
        String inside = tuple.substring(1, tuple.length() - 1).strip();
        if (tuple.startsWith("(") && inside.isEmpty()) {
            return new long[0];
        }
        String[] parts = (inside.endsWith(",") ? inside.substring(0, inside.length() - 1) : inside).split(",", -1);
        boolean numbers =
                Arrays.stream(parts).allMatch(part -> LENGTH.matcher(part).matches());
        if (!tuple.startsWith("(") || !inside.contains(",") || !numbers) { // (3) is a number in Python
            throw file.wrong("has the shape " + TensorFile.quoted(tuple) + "; expected a tuple of whole numbers");
        }
        try {
            return Arrays.stream(parts)
                    .mapToLong(part -> Long.parseLong(part.replace("L", "").strip()))
                    .toArray();
        } catch (NumberFormatException e) {
            throw file.wrong("has the shape " + TensorFile.quoted(tuple) + ", more than any memory holds");
        }
    }
}
