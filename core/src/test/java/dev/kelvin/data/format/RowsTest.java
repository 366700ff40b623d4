package dev.kelvin.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.format.ImageFiles.Options;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.table.PointRows;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.OneThread;
import dev.kelvin.tensor.Tensor;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are read some at a time are those of the whole. */
@ExtendWith({OneThread.class, InScope.class})
class RowsTest {
    @TempDir
    private Path folder;

    private static List<TinyFiles.Valid> files() {
        List<TinyFiles.Valid> files = new ArrayList<>(TinyFiles.all());
        files.add(new TinyFiles.Valid("turned.npy", TinyFiles.npy("|u1", TinyFiles.pixels(24), true, 4, 2, 3)));
        files.add(new TinyFiles.Valid("colour.npy", TinyFiles.npy("|u1", TinyFiles.pixels(72), false, 4, 2, 3, 3)));
        // in the first half no number is above 1: only the whole tells that these are not fractions
        files.add(new TinyFiles.Valid("numbers.npy", floats(0, 1, 0.2f, 0, 1, 1, 0, 0, 255, 3.7f, 8, 0)));
        files.add(new TinyFiles.Valid("fractions.npy", floats(0, 1, 0.2f, 0, 1, 1, 0, 0, 0.5f, 0.7f, 0.1f, 0)));
        return files;
    }

    private static byte[] floats(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return TinyFiles.npy("<f4", bytes.array(), false, values.length / 4, 2, 2);
    }

    private static List<Long> all(Rows rows, int most) throws IOException {
        List<Long> values = new ArrayList<>();
        for (Optional<Tensor> next = rows.next(most); next.isPresent(); next = rows.next(most)) {
            assertThat(next.get().size(0)).isBetween(1L, (long) most);
            Arrays.stream(next.get().toLongs()).forEach(values::add);
        }
        return values;
    }

    private static void assertSame(Path path, Options options) throws IOException {
        for (int most : new int[] {1, 3, 100}) {
            try (ImageSet set = ImageFiles.read(path, options);
                    ImageRows rows = ImageFiles.rows(path, options)) {
                assertThat(rows.count()).hasValue(set.count());
                assertThat(new long[] {rows.channels(), rows.height(), rows.width()})
                        .containsExactly(set.channels(), set.height(), set.width());
                assertThat(rows.maximum()).isEqualTo(set.maximum());
                assertThat(all(rows, most))
                        .containsExactlyElementsOf(
                                Arrays.stream(set.pixels().toLongs()).boxed().toList());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void imagesOfEveryFormat(TinyFiles.Valid file) throws IOException {
        assertSame(Files.write(folder.resolve(file.name()), file.bytes()), Options.usual());
    }

    @Test
    void picturesOfAFolderInTheirSizeAndGrey() throws IOException {
        for (int i = 0; i < 5; i++) {
            BufferedImage picture = TinyFiles.picture(6 + i, 5 + i, BufferedImage.TYPE_INT_RGB);
            Files.write(folder.resolve(i + ".png"), TinyFiles.encoded(picture, "png"));
        }
        assertSame(folder, Options.usual().size(4).inGrey());
        assertSame(folder, Options.usual().size(4));
        try (ImageRows rows = ImageFiles.rows(folder, Options.usual())) {
            assertThatThrownBy(() -> all(rows, 10)).hasMessageContaining("give a size");
        }
    }

    @Test
    void ofAFolderOfTwoPartsTheOneThatIsAskedFor() throws IOException {
        Files.write(folder.resolve("train-images-idx3-ubyte"), TinyFiles.idx(TinyFiles.pixels(12), 2, 2, 3));
        Files.write(folder.resolve("t10k-images-idx3-ubyte"), TinyFiles.idx(TinyFiles.pixels(6), 1, 2, 3));
        try (ImageRows train = ImageFiles.rows(folder, Options.usual());
                ImageRows test =
                        ImageFiles.test(folder, Options.usual()).orElseThrow().rows()) {
            assertThat(train.count()).hasValue(2);
            assertThat(test.count()).hasValue(1);
        }
    }

    @Test
    void aFileThatEndsTooEarlyOrTooLateIsRefused() throws IOException {
        byte[] whole = TinyFiles.idx(TinyFiles.pixels(12), 2, 2, 3);
        Path early = Files.write(folder.resolve("a-images-idx3-ubyte"), Arrays.copyOf(whole, whole.length - 1));
        Path late = Files.write(folder.resolve("b-images-idx3-ubyte"), Arrays.copyOf(whole, whole.length + 1));
        for (Path file : List.of(early, late)) {
            try (ImageRows rows = ImageFiles.rows(file, Options.usual())) {
                assertThatThrownBy(() -> all(rows, 1)).hasMessageContaining(file.toString());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x,y\n0.5,1\n\n-2, 3e1\n7,8", "0.5,1\n-2,30\n7,8\n"})
    void pointsOfLines(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("points.csv"), text);
        try (Rows rows = PointRows.open(file, 2)) {
            assertThat(rows.next(2).orElseThrow().toFloats()).containsExactly(0.5f, 1, -2, 30);
            assertThat(rows.next(2).orElseThrow().toFloats()).containsExactly(7, 8);
            assertThat(rows.next(2)).isEmpty();
        }
    }

    @Test
    void pointsOfAnArray() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 6; i++) {
            bytes.putDouble(i);
        }
        Path file = Files.write(folder.resolve("p.npy"), TinyFiles.npy("<f8", bytes.array(), false, 3, 2));
        try (Rows rows = PointRows.open(file, 2)) {
            assertThat(rows.count()).hasValue(3);
            assertThat(rows.next(2).orElseThrow().toFloats()).containsExactly(0, 1, 2, 3);
            assertThat(rows.next(2).orElseThrow().toFloats()).containsExactly(4, 5);
            assertThat(rows.next(2)).isEmpty();
        }
        assertThatThrownBy(() -> PointRows.open(file, 3)).hasMessageContaining("[n, 3]");
    }

    @Test
    void pointsOfAnArrayThatOverflowAreNamed() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putDouble(1).putDouble(2).putDouble(3).putDouble(1e300);
        Path file = Files.write(folder.resolve("p.npy"), TinyFiles.npy("<f8", bytes.array(), false, 2, 2));
        try (Rows rows = PointRows.open(file, 2)) {
            assertThatThrownBy(() -> rows.next(10)).hasMessageContaining("holds Infinity in row 1, counted from 0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1,2\n3\n", "1,2\n3,four\n", "1,2\n3,1e300\n", "1,2\nNaN,3\n"})
    void aLineThatIsNoPointIsNamed(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("points.csv"), text);
        try (Rows rows = PointRows.open(file, 2)) {
            assertThatThrownBy(() -> rows.next(10)).hasMessageContaining("line 2");
        }
        assertThatThrownBy(() -> PointRows.open(folder.resolve("none.csv"), 2)).hasMessageContaining("no such file");
    }
}
