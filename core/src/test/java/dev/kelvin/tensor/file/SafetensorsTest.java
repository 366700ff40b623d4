package dev.kelvin.tensor.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Layouts;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class SafetensorsTest {
    @TempDir
    Path folder;

    private Scope scope;

    @BeforeEach
    void open() {
        scope = Scope.open();
    }

    @AfterEach
    void close() {
        scope.close();
    }

    private Path file() {
        return folder.resolve("model.safetensors");
    }

    /** A file with this header and data, its first 8 bytes true. */
    private Path file(String header, byte[] data) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        return file(json.length, json, data);
    }

    private Path file(long length, byte[] header, byte[] data) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8 + header.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
        return Files.write(file(), bytes.putLong(length).put(header).put(data).array());
    }

    private static byte[] bytes(Map<String, Tensor> tensors, Map<String, String> metadata) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Safetensors.write(out, tensors, metadata);
        return out.toByteArray();
    }

    // ---- round trips

    @ParameterizedTest
    @EnumSource(DType.class)
    void everyTypeRoundTripsToTheBit(DType type) throws IOException {
        byte[] data = new byte[6 * 5 * type.bytes()];
        Key.of(1).child(type.bytes()).stream().nextBytes(data);
        if (type == DType.BOOL) {
            for (int i = 0; i < data.length; i++) {
                data[i] &= 1;
            }
        }
        Path file = file(
                "{\"x\":{\"dtype\":\"%s\",\"shape\":[6,5],\"data_offsets\":[0,%d]}}"
                        .formatted(type.safetensors(), data.length),
                data);
        Tensor x = Safetensors.read(file).tensor("x");
        assertThat(x.dtype()).isEqualTo(type);
        assertThat(x.shape()).containsExactly(6, 5);
        assertThat(Layouts.bytes(x)).isEqualTo(data);
        Safetensors.write(file(), Map.of("x", x), Map.of());
        assertThat(Layouts.bytes(Safetensors.read(file()).tensor("x"))).isEqualTo(data);
    }

    @Test
    void specialNumbersKeepTheirBits() throws IOException {
        int[] floats = {0x7fc12345, 0xffc00001, 0x7f800001, 0x80000000, 0x00000001, 0x7f800000, 0xff800000};
        long[] doubles = {0x7ff8123456789abcL, 0x7ff0000000000001L, 1L << 63, 1, 0x000fffffffffffffL};
        Tensor f = Tensors.empty(DType.FLOAT, Device.CPU, floats.length);
        Tensors.write(f, pointer -> new org.bytedeco.javacpp.IntPointer(pointer).put(floats));
        Tensor d = Tensors.empty(DType.DOUBLE, Device.CPU, doubles.length);
        Tensors.write(d, pointer -> new org.bytedeco.javacpp.LongPointer(pointer).put(doubles));
        Safetensors.write(file(), Map.of("f", f, "d", d), Map.of());
        Safetensors.Contents read = Safetensors.read(file());
        assertThat(Layouts.bytes(read.tensor("f"))).isEqualTo(Layouts.bytes(f));
        assertThat(Layouts.bytes(read.tensor("d"))).isEqualTo(Layouts.bytes(d));
        assertThat(ByteBuffer.wrap(Layouts.bytes(f))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getInt())
                .isEqualTo(floats[0]);
    }

    @Test
    void emptyTensorsScalarsAndNoTensors() throws IOException {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        tensors.put("none", Tensors.zeros(DType.FLOAT, Device.CPU, 0, 3));
        tensors.put("scalar", Tensors.full(2.5, DType.DOUBLE, Device.CPU));
        tensors.put("nothing", Tensors.zeros(DType.BOOL, Device.CPU, 0));
        Safetensors.write(file(), tensors, Map.of());
        Safetensors.Contents read = Safetensors.read(file());
        assertThat(read.tensor("none").shape()).containsExactly(0, 3);
        assertThat(read.tensor("scalar").shape()).isEmpty();
        assertThat(read.tensor("scalar").item()).isEqualTo(2.5);
        assertThat(read.tensor("nothing").dtype()).isEqualTo(DType.BOOL);
        Safetensors.write(file(), Map.of(), Map.of());
        assertThat(Safetensors.read(file()).tensors()).isEmpty();
    }

    @Test
    void viewsAreWrittenInTheOrderOfTheirDimensions() throws IOException {
        Tensor turned = Tensors.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3).transpose();
        Safetensors.write(file(), Map.of("t", turned), Map.of());
        assertThat(Safetensors.read(file()).tensor("t").toFloats()).containsExactly(1, 4, 2, 5, 3, 6);
    }

    @Test
    void namesAndMetadataMayHoldAnyText() throws IOException {
        String odd = "größe \"a\\b\"\n\t\u0001 \uD83D\uDE00";
        Safetensors.write(file(), Map.of(odd, Tensors.of(7L)), Map.of(odd, odd, "", ""));
        Safetensors.Contents read = Safetensors.read(file());
        assertThat(read.tensor(odd).toLongs()).containsExactly(7);
        assertThat(read.metadata()).isEqualTo(Map.of(odd, odd, "", ""));
    }

    // ---- the bytes

    @Test
    void bytesAreThoseOfTheFormat() throws IOException {
        String header = "{\"__metadata__\":{\"a\":\"1\",\"b\":\"2\"},"
                + "\"w\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]},"
                + "\"x\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[8,16]}}";
        int padded = (header.length() + 7) / 8 * 8;
        ByteBuffer expected = ByteBuffer.allocate(8 + padded + 16).order(ByteOrder.LITTLE_ENDIAN);
        expected.putLong(padded).put(String.format("%-" + padded + "s", header).getBytes(StandardCharsets.UTF_8));
        expected.putLong(-3).putFloat(1.5f).putFloat(-2);
        Tensor x = Tensors.of(new float[] {1.5f, -2}, 2, 1);
        Tensor w = Tensors.of(-3L);
        assertThat(bytes(Map.of("x", x, "w", w), Map.of("b", "2", "a", "1"))).isEqualTo(expected.array());
    }

    @Test
    void orderOfTheMapsDoesNotMatter() throws IOException {
        Map<String, Tensor> one = new LinkedHashMap<>();
        Map<String, Tensor> other = new LinkedHashMap<>();
        for (int i = 0; i < 20; i++) {
            one.put("t" + i, Tensors.of(new double[] {i}).to(i % 3 == 0 ? DType.BYTE : DType.FLOAT));
        }
        for (int i = 19; i >= 0; i--) {
            other.put("t" + i, one.get("t" + i));
        }
        assertThat(bytes(one, Map.of())).isEqualTo(bytes(other, Map.of()));
    }

    @Test
    void aFailedWriteKeepsTheOldFile() throws IOException {
        Tensor good = Tensors.of(1L);
        Safetensors.write(file(), Map.of("x", good), Map.of());
        byte[] before = Files.readAllBytes(file());
        Tensor freed = Tensors.of(2L);
        freed.close();
        assertThatThrownBy(() -> Safetensors.write(file(), Map.of("x", freed), Map.of()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Safetensors.write(file(), Map.of("__metadata__", good), Map.of()))
                .hasMessageContaining("cannot be called __metadata__");
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void tensorsBelongToTheCurrentScope() throws IOException {
        Safetensors.write(file(), Map.of("x", Tensors.of(1L)), Map.of());
        Tensor x;
        try (Scope inner = Scope.open()) {
            x = Safetensors.read(file()).tensor("x");
            assertThat(x.owner()).isSameAs(inner);
        }
        assertThatThrownBy(x::item).isInstanceOf(IllegalStateException.class);
    }

    // ---- broken files

    private static String entry(String name, String dtype, String shape, String offsets) {
        return "\"%s\":{\"dtype\":%s,\"shape\":%s,\"data_offsets\":%s}".formatted(name, dtype, shape, offsets);
    }

    private static Arguments broken(String header, String message) {
        return Arguments.of("{" + header + "}", message);
    }

    /** Headers over 8 bytes of data. */
    static Stream<Arguments> brokenHeaders() {
        String ok = entry("x", "\"F32\"", "[2]", "[0,8]");
        return Stream.of(
                Arguments.of("", "does not begin with '{'"),
                Arguments.of(" {}", "does not begin with '{'"),
                Arguments.of("[]", "does not begin with '{'"),
                Arguments.of("{\"x\"", "broken header"),
                Arguments.of("{" + ok + "} {}", "broken header"),
                Arguments.of("{".repeat(5000), "broken header"),
                Arguments.of("{\"x\":" + "[".repeat(5000) + "]".repeat(5000) + "}", "broken header"),
                broken(ok + "," + ok, "broken header: Duplicate"),
                broken("", "has 8 bytes after its last tensor"),
                broken("\"x\":1", "tensor 'x' must have dtype, shape and data_offsets"),
                broken("\"x\":{\"dtype\":\"F32\",\"shape\":[2]}", "tensor 'x' must have dtype, shape and data_offsets"),
                broken("\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"offsets\":[0,8]}", "data_offsets is not a list"),
                broken(entry("x", "\"F16\"", "[4]", "[0,8]"), "tensor 'x' has the dtype 'F16'; Kelvin reads F32, F64"),
                broken(entry("x", "\"f32\"", "[2]", "[0,8]"), "dtype 'f32'"),
                broken(entry("x", "32", "[2]", "[0,8]"), "dtype 'none'"),
                broken(entry("x", "\"F32\"", "2", "[0,8]"), "shape is not a list"),
                broken(entry("x", "\"F32\"", "[2.0]", "[0,8]"), "not a whole number"),
                broken(entry("x", "\"F32\"", "[\"2\"]", "[0,8]"), "not a whole number"),
                broken(entry("x", "\"F32\"", "[99999999999999999999]", "[0,8]"), "not a whole number"),
                broken(entry("x", "\"F32\"", "[-2]", "[0,8]"), "[-2], with a negative length"),
                broken(entry("x", "\"F32\"", "[-1,-2]", "[0,8]"), "with a negative length"),
                broken(entry("x", "\"F32\"", "[4294967296,4294967296]", "[0,8]"), "more than any memory holds"),
                broken(entry("x", "\"F32\"", "[0,4294967296,4294967296]", "[0,0]"), "more than any memory holds"),
                broken(entry("x", "\"F32\"", "[2305843009213693952]", "[0,8]"), "more than any memory holds"),
                broken(entry("x", "\"F32\"", "[" + "1,".repeat(71) + "2]", "[0,8]"), "72 dimensions"),
                broken(entry("x", "\"F32\"", "[3]", "[0,8]"), "takes 12 bytes, but its data_offsets [0, 8] give 8"),
                broken(entry("x", "\"F32\"", "[1000000000000]", "[0,4000000000000]"), "ends at byte 4000000000000"),
                broken(entry("x", "\"F32\"", "[2]", "[8,16]"), "ends at byte 16 of the data, which has only 8"),
                broken(entry("x", "\"F32\"", "[2]", "[8,0]"), "expected [begin, end]"),
                broken(entry("x", "\"F32\"", "[2]", "[-8,0]"), "expected [begin, end]"),
                broken(entry("x", "\"F32\"", "[2]", "[0,4,8]"), "expected [begin, end]"),
                broken(entry("x", "\"F32\"", "[1]", "[4,8]"), "a gap before it"),
                broken(entry("x", "\"F32\"", "[1]", "[0,4]"), "has 4 bytes after its last tensor"),
                broken(ok + "," + entry("y", "\"F32\"", "[1]", "[4,8]"), "tensor 'y' begins at byte 4"),
                broken(ok + "," + entry("y", "\"F32\"", "[2]", "[0,8]"), "overlaps the tensor before it"),
                broken(entry("x", "\"BOOL\"", "[8]", "[0,8]"), "has the boolean 9"),
                broken(ok + ",\"__metadata__\":[]", "not an object of strings"),
                broken(ok + ",\"__metadata__\":{\"step\":7}", "has metadata 'step' that is not a string"),
                broken(entry("a\\nb", "\"F16\"", "[2]", "[0,8]"), "tensor 'a?b'"));
    }

    @ParameterizedTest
    @MethodSource("brokenHeaders")
    void aBrokenHeaderIsSaidInOneLine(String header, String message) throws IOException {
        Path file = file(header, new byte[] {9, 0, 0, 0, 0, 0, 0, 0});
        assertRefused(file, message);
    }

    @Test
    void aLyingHeaderLengthIsFoundBeforeAnythingIsAllocated() throws IOException {
        byte[] header = "{}".getBytes(StandardCharsets.UTF_8);
        for (long length : new long[] {3, 1L << 40, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
            assertRefused(file(length, header, new byte[0]), "bytes, but only 2 follow");
        }
    }

    @Test
    void aHeaderBeyondTheFormatsLimitIsRefused() throws IOException {
        try (var channel = Files.newByteChannel(
                file(), java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.WRITE)) {
            ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            channel.write(length.putLong(0, 100_000_001));
            channel.position(200_000_000).write(ByteBuffer.wrap(new byte[1])); // a sparse file
        }
        assertRefused(file(), "has a header of 100000001 bytes; at most 100000000");
    }

    @Test
    void headersInOtherEncodingsAreRefused() throws IOException {
        byte[] latin = "{\"größe\":{}}".getBytes(StandardCharsets.ISO_8859_1);
        assertRefused(file(latin.length, latin, new byte[0]), "broken header");
        byte[] wide = "{}".getBytes(StandardCharsets.UTF_16LE);
        assertRefused(file(wide.length, wide, new byte[0]), "broken header");
    }

    @Test
    void everyPrefixOfAFileIsRefused() throws IOException {
        byte[] whole = bytes(Map.of("x", Tensors.of(1L, 2L), "y", Tensors.of(new float[] {3})), Map.of("a", "b"));
        for (int length = 0; length < whole.length; length++) {
            Files.write(file(), java.util.Arrays.copyOf(whole, length));
            assertRefused(file(), "");
        }
    }

    @Test
    void flippedBitsNeverEndInAnythingButAnIoException() throws IOException {
        byte[] whole = bytes(Map.of("x", Tensors.of(1L, 2L), "y", Tensors.of(new float[] {3})), Map.of("a", "b"));
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            Files.write(file(), flipped);
            try (Scope inner = Scope.open()) {
                Safetensors.read(file());
            } catch (IOException e) {
                assertThat(e.getMessage()).startsWith(file().toString()).hasLineCount(1);
            }
        }
    }

    @Test
    void missingFilesAndFoldersAreNamed() {
        assertThatThrownBy(() -> Safetensors.read(folder.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("none") + ": there is no such file");
        assertThatThrownBy(() -> Safetensors.read(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a folder");
    }

    private static void assertRefused(Path file, String message) {
        assertThatThrownBy(() -> Safetensors.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
    }
}
