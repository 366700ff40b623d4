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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class NpyTest {
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

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private Path file(String... parts) throws IOException {
        return Files.write(folder.resolve("x.npy"), latin(String.join("", parts)));
    }

    /** A version 1 file with this header, its length true, and this many bytes of zeros. */
    private Path file(String header, int zeros) throws IOException {
        String length = "" + (char) (header.length() & 0xFF) + (char) (header.length() >> 8);
        return file("\u0093NUMPY\1\0", length, header, "\0".repeat(zeros));
    }

    // ---- files written by NumPy 2.4.6: np.save and np.lib.format.write_array

    @Test
    void readsNumPysMatrix() throws IOException {
        // np.save(f, np.array([[1.5, -2, 3], [4, 5, 6]], dtype='<f4'))
        Tensor x = Npy.read(file(
                "\u0093NUMPY\1\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                " ".repeat(58),
                "\n\0\0\u00c0?\0\0\0\u00c0\0\0@@\0\0\u0080@\0\0\u00a0@\0\0\u00c0@"));
        assertThat(x.dtype()).isEqualTo(DType.FLOAT);
        assertThat(x.shape()).containsExactly(2, 3);
        assertThat(x.toFloats()).containsExactly(1.5f, -2, 3, 4, 5, 6);
    }

    @Test
    void readsVersionTwo() throws IOException {
        // write_array(f, np.array([1.5, -0.0]), version=(2, 0))
        Tensor x = Npy.read(file(
                "\u0093NUMPY\2\0t\0\0\0{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
                " ".repeat(58),
                "\n\0\0\0\0\0\0\u00f8?\0\0\0\0\0\0\0\u0080"));
        assertThat(x.dtype()).isEqualTo(DType.DOUBLE);
        assertThat(x.toDoubles()).containsExactly(1.5, -0.0);
    }

    @Test
    void readsVersionThree() throws IOException {
        // write_array(f, np.array([-3, 7]), version=(3, 0))
        Tensor x = Npy.read(file(
                "\u0093NUMPY\3\0t\0\0\0{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }",
                " ".repeat(58),
                "\n\u00fd\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\7\0\0\0\0\0\0\0"));
        assertThat(x.toLongs()).containsExactly(-3, 7);
    }

    @Test
    void readsFortranOrder() throws IOException {
        // np.save(f, np.asfortranarray(np.arange(6, dtype='<i4').reshape(2, 3)))
        Tensor x = Npy.read(file(
                "\u0093NUMPY\1\0v\0{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }",
                " ".repeat(59),
                "\n\0\0\0\0\3\0\0\0\1\0\0\0\4\0\0\0\2\0\0\0\5\0\0\0"));
        assertThat(x.dtype()).isEqualTo(DType.INT);
        assertThat(x.shape()).containsExactly(2, 3);
        assertThat(x.toLongs()).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void readsAScalar() throws IOException {
        // np.save(f, np.array(True))
        Tensor x = Npy.read(file(
                "\u0093NUMPY\1\0v\0{'descr': '|b1', 'fortran_order': False, 'shape': (), }", " ".repeat(62), "\n\1"));
        assertThat(x.dtype()).isEqualTo(DType.BOOL);
        assertThat(x.shape()).isEmpty();
        assertThat(x.item()).isEqualTo(1);
    }

    @Test
    void writesWhatNumPyWrites() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Npy.write(out, Tensors.of(new float[] {1.5f, -2, 3, 4, 5, 6}, 2, 3));
        assertThat(out.toByteArray())
                .isEqualTo(latin("\u0093NUMPY\1\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
                        + " ".repeat(58)
                        + "\n\0\0\u00c0?\0\0\0\u00c0\0\0@@\0\0\u0080@\0\0\u00a0@\0\0\u00c0@"));
    }

    // ---- round trips

    @ParameterizedTest
    @EnumSource(value = DType.class, mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void everyTypeRoundTripsToTheBit(DType type) throws IOException {
        Path path = folder.resolve("x.npy");
        for (long[] shape : new long[][] {{}, {1}, {0}, {7}, {2, 3}, {0, 4}, {2, 1, 3, 2}}) {
            Tensor x = Tensors.normal(Key.of(5), DType.DOUBLE, Device.CPU, 12).times(100);
            long count = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
            Tensor part = x.narrow(0, 0, count).reshape(shape).to(type);
            Npy.write(path, part);
            assertThat(Files.size(path) % 64).isEqualTo(count * type.bytes() % 64);
            Tensor read = Npy.read(path);
            assertThat(read.dtype()).isEqualTo(type);
            assertThat(read.shape()).isEqualTo(shape);
            assertThat(Layouts.bytes(read)).isEqualTo(Layouts.bytes(part));
        }
    }

    @Test
    void nanPayloadsAndNegativeZeroKeepTheirBits() throws IOException {
        Path path = folder.resolve("x.npy");
        double[] odd = {Double.longBitsToDouble(0x7ff8123456789abcL), -0.0, Double.MIN_VALUE, Double.NEGATIVE_INFINITY};
        Npy.write(path, Tensors.of(odd));
        double[] read = Npy.read(path).toDoubles();
        for (int i = 0; i < odd.length; i++) {
            assertThat(Double.doubleToRawLongBits(read[i])).isEqualTo(Double.doubleToRawLongBits(odd[i]));
        }
    }

    @Test
    void fortranOrderOfThreeDimensions() throws IOException {
        // element [i, j, k] of a [2, 3, 2] array lies at i + 2 j + 6 k
        byte[] data = new byte[12];
        for (int i = 0; i < 12; i++) {
            data[i] = (byte) i;
        }
        Path path = file("{'descr':'|u1','fortran_order':True,'shape':(2,3,2)}", 0);
        Files.write(path, data, java.nio.file.StandardOpenOption.APPEND);
        assertThat(Npy.read(path).toLongs()).containsExactly(0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11);
    }

    @Test
    void bfloat16IsRefusedWithTheWayOut() {
        Tensor x = Tensors.zeros(DType.BFLOAT16, Device.CPU, 2);
        assertThatThrownBy(() -> Npy.write(folder.resolve("x.npy"), x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("npy has no type for BFLOAT16; convert with to(DType.FLOAT), which loses nothing");
        assertThat(folder).isEmptyDirectory();
    }

    // ---- broken files

    private static Arguments header(String descr, String order, String shape, String message) {
        return Arguments.of(
                "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }", message);
    }

    /** Headers before 8 bytes of data. */
    static Stream<Arguments> brokenHeaders() {
        return Stream.of(
                Arguments.of("", "has a header that cannot be read"),
                Arguments.of("{", "has a header that cannot be read"),
                Arguments.of("[1]", "has a header that cannot be read"),
                Arguments.of("{}", "has a header with []; expected descr, fortran_order and shape"),
                Arguments.of("{'descr': '<f4', 'shape': (2,), }", "has a header with [descr, shape]"),
                Arguments.of("{'descr': '<f4', 'descr': '<f4', 'shape': (2,), }", "has descr twice"),
                Arguments.of("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 'y'}", "with [descr, fort"),
                Arguments.of("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } more", "cannot be read"),
                Arguments.of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", "plain numbers"),
                header("'<f2'", "False", "(4,)", "has the type '<f2'; Kelvin reads <f4, <f8, <i8, <i4, |u1, |b1"),
                header("'>f4'", "False", "(2,)", "little-endian"),
                header("'|O'", "False", "(2,)", "has the type '|O'"),
                header("''", "False", "(2,)", "has the type ''"),
                header("True", "False", "(2,)", "has the type 'True'"),
                header("'<f4'", "'False'", "(2,)", "expected True or False"),
                header("'<f4'", "False", "'2'", "expected a tuple of whole numbers"),
                header("'<f4'", "False", "(2)", "expected a tuple of whole numbers"),
                header("'<f4'", "False", "(-2,)", "expected a tuple of whole numbers"),
                header("'<f4'", "False", "(2.0,)", "expected a tuple of whole numbers"),
                header("'<f4'", "False", "(,)", "expected a tuple of whole numbers"),
                header("'<f4'", "False", "(1,,2)", "expected a tuple of whole numbers"),
                header("'<f4'", "False", "(99999999999999999999,)", "more than any memory holds"),
                header("'<f4'", "False", "(4294967296, 4294967296)", "more than any memory holds"),
                header("'<f4'", "False", "(0, 4294967296, 4294967296)", "more than any memory holds"),
                header("'<f4'", "False", "(1000000000000,)", "takes 4000000000000 bytes, but 8 follow the header"),
                header("'<f4'", "True", "(1000000, 1000000)", "takes 4000000000000 bytes, but 8 follow the header"),
                header("'<f4'", "False", "(3,)", "takes 12 bytes, but 8 follow the header"),
                header("'<f4'", "False", "(1,)", "takes 4 bytes, but 8 follow the header"),
                header("'<f4'", "False", "(" + "1,".repeat(20_000) + "2)", "20001 dimensions"));
    }

    @ParameterizedTest
    @MethodSource("brokenHeaders")
    void aBrokenHeaderIsSaidInOneLine(String header, String message) throws IOException {
        assertRefused(file(header, 8), message);
    }

    @Test
    void brokenStartsAreSaidInOneLine() throws IOException {
        assertRefused(file(""), "is not an npy file");
        assertRefused(file("PK\3\4 a zip file"), "is not an npy file");
        assertRefused(file("\u0093NUMPY\1"), "is not an npy file");
        assertRefused(file("\u0093NUMPY\4\0\0\0"), "has npy version 4.0; 1.0, 2.0 and 3.0 are known");
        assertRefused(file("\u0093NUMPY\0\0\0\0"), "has npy version 0.0");
        assertRefused(file("\u0093NUMPY\2\0\0\0"), "ends before its header");
        assertRefused(file("\u0093NUMPY\1\0\u00ff\u00ff{}"), "says that its header has 65535 bytes, but only 2 follow");
        assertRefused(
                file("\u0093NUMPY\2\0\u00ff\u00ff\u00ff\u00ff{}"), "says that its header has 4294967295 bytes, but");
        assertRefused(file("\u0093NUMPY\2\0\0\0\1\0", " ".repeat(65_536)), "has a header of 65536 bytes");
        Path bool = file("{'descr':'|b1','fortran_order':False,'shape':(1,)}", 0);
        Files.write(bool, new byte[] {2}, java.nio.file.StandardOpenOption.APPEND);
        assertRefused(bool, "has the boolean 2");
    }

    @Test
    void everyPrefixOfAFileIsRefused() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Npy.write(out, Tensors.of(1L, 2L));
        for (int length = 0; length < out.size(); length++) {
            Path path = Files.write(folder.resolve("x.npy"), Arrays.copyOf(out.toByteArray(), length));
            assertRefused(path, "");
        }
    }

    private static void assertRefused(Path file, String message) {
        assertThatThrownBy(() -> Npy.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
    }
}
