package dev.kelvin.tensor.file;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Files of named tensors in Hugging Face's safetensors format: 8 bytes with the header's length, a JSON header with each
 * tensor's type, shape and place, then the numbers. Such a file holds no code and can be checked before anything is
 * allocated.
 *
 * <p>Equal tensors give equal bytes, whatever the order of the maps. Files and tensors may be larger than 2 GB: numbers go
 * between file and tensor in pieces, never through one Java array.
 */
public final class Safetensors {
    private static final String METADATA = "__metadata__";
    private static final int LENGTH_BYTES = 8;
    private static final int ALIGNMENT = 8;
    private static final int LONGEST_HEADER = 100_000_000; // the format's own limit

    private static final JsonMapper JSON = new JsonMapper(JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    /** A tensor's type, shape and place in the part of the file that follows the header. */
    private record Entry(String name, DType type, long begin, long end, long... shape) {
        String what() {
            return "tensor " + TensorFile.quoted(name);
        }
    }

    /** A file's tensors, on the CPU and in the file's order, and its metadata. */
    public record Contents(Map<String, Tensor> tensors, Map<String, String> metadata) {
        public Contents {
            tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
            metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        }

        /** The tensor with this name, which must be there. */
        public Tensor tensor(String name) {
            Tensor tensor = tensors.get(name);
            if (tensor == null) {
                throw new IllegalArgumentException(
                        "there is no tensor '" + name + "' (there are " + tensors.keySet() + ")");
            }
            return tensor;
        }
    }

    private Safetensors() {}

    // ---- writing

    /** Writes a file, atomically: readers find the old one or the new one. */
    public static void write(Path file, Map<String, Tensor> tensors, Map<String, String> metadata) throws IOException {
        AtomicFile.write(file, out -> write(out, tensors, metadata));
    }

    /** Writes to a stream, one tensor at a time. */
    public static void write(OutputStream out, Map<String, Tensor> tensors, Map<String, String> metadata)
            throws IOException {
        write(out, tensors, metadata, 0, Long.MAX_VALUE);
    }

    /** Writes the bytes from one to before another of what would be the file. */
    public static void write(
            OutputStream out, Map<String, Tensor> tensors, Map<String, String> metadata, long from, long to)
            throws IOException {
        List<Map.Entry<String, Tensor>> sorted = sorted(tensors);
        byte[] start = start(sorted, metadata);
        int first = (int) Math.min(from, start.length);
        out.write(start, first, (int) Math.min(to, start.length) - first);
        long at = start.length;
        for (Map.Entry<String, Tensor> named : sorted) {
            long length = bytes(named.getValue());
            TensorFile.write(out, named.getValue(), Math.max(0, from - at), Math.min(length, to - at));
            at += length;
        }
    }

    /** How many bytes a file of these tensors has. */
    public static long size(Map<String, Tensor> tensors, Map<String, String> metadata) {
        List<Map.Entry<String, Tensor>> sorted = sorted(tensors);
        return start(sorted, metadata).length
                + sorted.stream().mapToLong(named -> bytes(named.getValue())).sum();
    }

    /** Wide types first, so that every tensor is aligned for its type. */
    private static List<Map.Entry<String, Tensor>> sorted(Map<String, Tensor> tensors) {
        return tensors.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, Tensor>>comparingInt(
                                named -> -named.getValue().dtype().bytes())
                        .thenComparing(Map.Entry::getKey))
                .toList();
    }

    private static long bytes(Tensor tensor) {
        return tensor.count() * tensor.dtype().bytes();
    }

    /** The header and, before it, its length. */
    private static byte[] start(List<Map.Entry<String, Tensor>> sorted, Map<String, String> metadata) {
        byte[] header = header(sorted, metadata);
        return ByteBuffer.allocate(LENGTH_BYTES + header.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header)
                .array();
    }

    private static byte[] header(List<Map.Entry<String, Tensor>> tensors, Map<String, String> metadata) {
        Map<String, Object> header = new LinkedHashMap<>();
        if (!metadata.isEmpty()) {
            header.put(METADATA, new TreeMap<>(metadata));
        }
        long begin = 0;
        for (Map.Entry<String, Tensor> named : tensors) {
            if (named.getKey().equals(METADATA)) {
                throw new IllegalArgumentException("a tensor cannot be called " + METADATA + " in a safetensors file");
            }
            Tensor tensor = named.getValue();
            long end = begin + tensor.count() * tensor.dtype().bytes();
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("dtype", tensor.dtype().safetensors());
            entry.put("shape", tensor.shape());
            entry.put("data_offsets", new long[] {begin, end});
            header.put(named.getKey(), entry);
            begin = end;
        }
        byte[] json = JSON.writeValueAsBytes(header);
        int length = (json.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (length > LONGEST_HEADER) {
            throw new IllegalArgumentException("the names and metadata take " + length
                    + " bytes; a safetensors header has at most " + LONGEST_HEADER);
        }
        byte[] padded = Arrays.copyOf(json, length);
        Arrays.fill(padded, json.length, length, (byte) ' ');
        return padded;
    }

    // ---- reading

    /** Reads a file into the current scope; an {@link IOException} says in one line what is wrong. */
    public static Contents read(Path path) throws IOException {
        return read(path, name -> true);
    }

    /** Reads the tensors of a file whose names are wanted; the whole of it is checked as in {@link #read(Path)}. */
    public static Contents read(Path path, Predicate<String> wanted) throws IOException {
        try (TensorFile file = TensorFile.open(path)) {
            return read(file, wanted);
        }
    }

    /** Reads a file that was cut into parts, given in their order; what is wrong is said of {@code whole}. */
    public static Contents read(Path whole, List<Path> parts, Predicate<String> wanted) throws IOException {
        try (TensorFile file = TensorFile.open(whole, parts)) {
            return read(file, wanted);
        }
    }

    private static Contents read(TensorFile file, Predicate<String> wanted) throws IOException {
        try (Scope scope = Scope.open()) {
            int headerLength = headerLength(file);
            JsonNode header = parse(file, file.bytes(LENGTH_BYTES, headerLength).array());
            List<Entry> entries = entries(file, header);
            long dataStart = LENGTH_BYTES + (long) headerLength;
            requireCover(file, entries, file.size() - dataStart);
            Map<String, String> metadata = metadata(file, header);
            Map<String, Tensor> tensors = new LinkedHashMap<>();
            for (Entry entry :
                    entries.stream().filter(entry -> wanted.test(entry.name)).toList()) {
                tensors.put(entry.name, file.tensor(entry.what(), dataStart + entry.begin, entry.type, entry.shape));
            }
            tensors.values().forEach(scope::keep);
            return new Contents(tensors, metadata);
        }
    }

    private static int headerLength(TensorFile file) throws IOException {
        if (file.size() < LENGTH_BYTES) {
            throw file.wrong("is not a safetensors file: it has " + file.size() + " bytes");
        }
        long length = file.bytes(0, LENGTH_BYTES).getLong();
        if (length < 0 || length > file.size() - LENGTH_BYTES) {
            throw file.wrong("says that its header has " + Long.toUnsignedString(length) + " bytes, but only "
                    + (file.size() - LENGTH_BYTES) + " follow (not a safetensors file, or a part of one)");
        }
        if (length > LONGEST_HEADER) {
            throw file.wrong("has a header of " + length + " bytes; at most " + LONGEST_HEADER + " are allowed");
        }
        return (int) length;
    }

    private static JsonNode parse(TensorFile file, byte[] header) throws IOException {
        if (header.length == 0 || header[0] != '{') {
            throw file.wrong("is not a safetensors file: its header does not begin with '{'");
        }
        // a decoder of our own: left alone, the parser would take UTF-16 too, and mend what is not UTF-8
        Reader text = new InputStreamReader(new ByteArrayInputStream(header), StandardCharsets.UTF_8.newDecoder());
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            throw file.wrong("has a broken header: "
                    + e.getOriginalMessage().lines().findFirst().orElse("not JSON"));
        }
    }

    private static Map<String, String> metadata(TensorFile file, JsonNode header) throws IOException {
        Map<String, String> metadata = new LinkedHashMap<>();
        JsonNode node = header.get(METADATA);
        if (node == null) {
            return metadata;
        }
        if (!node.isObject()) {
            throw file.wrong("has a " + METADATA + " that is not an object of strings");
        }
        for (Map.Entry<String, JsonNode> property : node.properties()) {
            if (!property.getValue().isString()) {
                throw file.wrong("has metadata " + TensorFile.quoted(property.getKey()) + " that is not a string");
            }
            metadata.put(property.getKey(), property.getValue().stringValue());
        }
        return metadata;
    }

    /** The header's tensors, in the order of their numbers in the file. */
    private static List<Entry> entries(TensorFile file, JsonNode header) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (Map.Entry<String, JsonNode> property : header.properties()) {
            if (!property.getKey().equals(METADATA)) {
                entries.add(entry(file, property.getKey(), property.getValue()));
            }
        }
        entries.sort(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end));
        return entries;
    }

    private static Entry entry(TensorFile file, String name, JsonNode node) throws IOException {
        String what = "tensor " + TensorFile.quoted(name);
        if (!node.isObject() || node.size() != 3) {
            throw file.wrong(what + " must have dtype, shape and data_offsets, and nothing else");
        }
        DType type = type(file, what, node.path("dtype"));
        long[] shape = integers(file, what + ": shape", node.path("shape"));
        long[] offsets = integers(file, what + ": data_offsets", node.path("data_offsets"));
        if (offsets.length != 2 || offsets[0] < 0 || offsets[0] > offsets[1]) {
            throw file.wrong(what + " has the data_offsets " + Arrays.toString(offsets) + "; expected [begin, end]");
        }
        long expected = file.byteCount(what, type, shape);
        long found = offsets[1] - offsets[0];
        if (found != expected) {
            throw file.wrong(
                    what + " of type " + type.safetensors() + " and shape " + Arrays.toString(shape) + " takes "
                            + expected + " bytes, but its data_offsets " + Arrays.toString(offsets) + " give " + found);
        }
        return new Entry(name, type, offsets[0], offsets[1], shape);
    }

    private static DType type(TensorFile file, String what, JsonNode node) throws IOException {
        for (DType type : DType.values()) {
            if (node.isString() && node.stringValue().equals(type.safetensors())) {
                return type;
            }
        }
        throw file.wrong(what + " has the dtype " + TensorFile.quoted(node.isString() ? node.stringValue() : "none")
                + "; Kelvin reads "
                + Stream.of(DType.values()).map(DType::safetensors).collect(Collectors.joining(", ")));
    }

    private static long[] integers(TensorFile file, String what, JsonNode node) throws IOException {
        if (!node.isArray()) {
            throw file.wrong(what + " is not a list");
        }
        long[] values = new long[node.size()];
        for (int i = 0; i < values.length; i++) {
            if (!node.get(i).isIntegralNumber() || !node.get(i).canConvertToLong()) {
                throw file.wrong(what + " has an element that is not a whole number of 64 bits");
            }
            values[i] = node.get(i).longValue();
        }
        return values;
    }

    /** Every byte after the header belongs to exactly one tensor. */
    private static void requireCover(TensorFile file, List<Entry> entries, long length) throws IOException {
        long covered = 0;
        for (Entry entry : entries) {
            if (entry.end > length) {
                throw file.wrong(entry.what() + " ends at byte " + entry.end + " of the data, which has only " + length
                        + " (is the file cut off?)");
            }
            if (entry.begin != covered) {
                throw file.wrong(entry.what() + " begins at byte " + entry.begin + " of the data; expected " + covered
                        + (entry.begin < covered ? " (it overlaps the tensor before it)" : " (a gap before it)"));
            }
            covered = entry.end;
        }
        if (covered != length) {
            throw file.wrong("has " + (length - covered) + " bytes after its last tensor");
        }
    }
}
