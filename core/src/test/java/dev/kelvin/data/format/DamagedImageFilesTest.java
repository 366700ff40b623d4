package dev.kelvin.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.management.ThreadMXBean;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.Backend;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that are not as they should be: each gives one line that names it, and takes no memory to speak of. */
final class DamagedImageFilesTest {
    private static final int CUTS = 24; // for each format

    /** A file and what is wrong with it; {@code read} is what to read, the file or the folder about it. */
    record Damaged(String what, Map<String, byte[]> files, String read, String blamed) {
        static Damaged file(String what, String name, byte[] bytes) {
            return new Damaged(what, Map.of(name, bytes), name, name);
        }

        @Override
        public String toString() {
            return read + " " + what;
        }
    }

    @TempDir
    Path folder;

    static Stream<Damaged> cuts() {
        List<TinyFiles.Valid> valid = new ArrayList<>(TinyFiles.all());
        return valid.stream()
                .flatMap(file -> lengths(file.bytes().length)
                        .map(length -> Damaged.file(
                                "cut to " + length + " bytes", file.name(), Arrays.copyOf(file.bytes(), length))));
    }

    static Stream<Damaged> cutPictures() {
        BufferedImage image = TinyFiles.picture(20, 20, BufferedImage.TYPE_INT_RGB);
        return Stream.of("png", "jpg").flatMap(format -> {
            byte[] bytes = TinyFiles.encoded(image, format);
            String name = "a/0." + format;
            return lengths(bytes.length)
                    .map(length ->
                            new Damaged("cut to " + length, Map.of(name, Arrays.copyOf(bytes, length)), "", name));
        });
    }

    static Stream<Damaged> cutLabels() {
        byte[] images = TinyFiles.idx(TinyFiles.pixels(24), 4, 2, 3);
        byte[] labels = TinyFiles.idx(new byte[] {7, 0, 9, 2}, 4);
        return lengths(labels.length)
                .map(length -> new Damaged(
                        "with labels cut to " + length,
                        Map.of("t-images-idx3-ubyte", images, "t-labels-idx1-ubyte", Arrays.copyOf(labels, length)),
                        "t-images-idx3-ubyte",
                        "t-labels-idx1-ubyte"));
    }

    /** Lengths from 0 to one less than the whole. */
    private static Stream<Integer> lengths(int whole) {
        return Stream.iterate(0, i -> i < CUTS, i -> i + 1)
                .map(i -> i < CUTS / 2 ? i * (whole - 1) / (CUTS / 2) : whole - 1 - (CUTS - 1 - i))
                .filter(length -> length >= 0)
                .distinct();
    }

    static Stream<Damaged> lies() {
        List<Damaged> all = new ArrayList<>();
        idx(all);
        cifar(all);
        matlab(all);
        numPy(all);
        pictures(all);
        return all.stream();
    }

    private static void idx(List<Damaged> all) {
        byte[] pixels = TinyFiles.pixels(24);
        int[] odd = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 5, 3};
        for (int count : odd) {
            all.add(Damaged.file(
                    "with " + count + " images", "t-images-idx3-ubyte", TinyFiles.idx(pixels, count, 2, 3)));
            all.add(Damaged.file("of height " + count, "t-images-idx3-ubyte", TinyFiles.idx(pixels, 4, count, 3)));
            byte[] packed = TinyFiles.gzip(TinyFiles.idx(pixels, count, 2, 3));
            all.add(Damaged.file("packed with " + count + " images", "t-images-idx3-ubyte.gz", packed));
            all.add(new Damaged(
                    "with " + count + " labels",
                    Map.of(
                            "t-images-idx3-ubyte",
                            TinyFiles.idx(pixels, 4, 2, 3),
                            "t-labels-idx1-ubyte",
                            TinyFiles.idx(new byte[4], count)),
                    "t-images-idx3-ubyte",
                    "t-labels-idx1-ubyte"));
        }
        byte[] huge = TinyFiles.idx(pixels, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
        all.add(Damaged.file("more than a long counts", "t-images-idx3-ubyte", huge));
        byte[] floats = TinyFiles.idx(pixels, 1, 2, 3);
        floats[2] = 0x0D;
        all.add(Damaged.file("of floats", "t-images-idx3-ubyte", floats));
        all.add(Damaged.file("of two dimensions", "t-images-idx3-ubyte", TinyFiles.idx(pixels, 4, 6)));
        all.add(Damaged.file("alone", "t-labels-idx1-ubyte", TinyFiles.idx(new byte[4], 4)));
        byte[] bomb = TinyFiles.gzip(TinyFiles.idx(new byte[1 << 22], 4, 2, 3));
        all.add(Damaged.file("a gzip bomb", "t-images-idx3-ubyte.gz", bomb));
        byte[] broken = TinyFiles.gzip(TinyFiles.idx(TinyFiles.pixels(2400), 400, 2, 3));
        broken[broken.length / 2] ^= 1;
        all.add(Damaged.file("with a flipped bit", "t-images-idx3-ubyte.gz", broken));
        byte[] checksum = TinyFiles.gzip(TinyFiles.idx(pixels, 4, 2, 3));
        checksum[checksum.length - 6] ^= 1;
        all.add(Damaged.file("with a wrong checksum", "t-images-idx3-ubyte.gz", checksum));
    }

    private static void cifar(List<Damaged> all) {
        byte[] pixels = TinyFiles.pixels(3072);
        for (int label : new int[] {10, 99, 128, 255}) {
            all.add(Damaged.file("of label " + label, "data_batch_1.bin", TinyFiles.cifar(pixels, new int[] {label})));
        }
        for (int label : new int[] {100, 128, 255}) {
            all.add(Damaged.file("of label " + label, "train.bin", TinyFiles.cifar(pixels, new int[] {1, label})));
        }
        all.add(new Damaged("of the wrong size", Map.of("data_batch_1.bin", new byte[3074]), "", "data_batch_1.bin"));
        all.add(new Damaged(
                "that is empty", Map.of("test.bin", new byte[0], "train.bin", new byte[0]), "", "train.bin"));
    }

    private static void matlab(List<Damaged> all) {
        ByteOrder little = ByteOrder.LITTLE_ENDIAN;
        byte[] pixels = TinyFiles.pixels(192);
        byte[] x = TinyFiles.matrix(little, "X", 2, pixels, 4, 4, 3, 4);
        byte[] y = TinyFiles.matrix(little, "y", 2, new byte[] {1, 10, 3, 9}, 4, 1);
        for (boolean pack : new boolean[] {true, false}) {
            String how = pack ? "packed, " : "plain, ";
            for (int count : new int[] {0, -4, 3, 5, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                byte[] lying = TinyFiles.matrix(little, "X", 2, pixels, 4, 4, 3, count);
                all.add(Damaged.file(how + count + " images", "t.mat", TinyFiles.mat(pack, little, lying, y)));
                byte[] high = TinyFiles.matrix(little, "X", 2, pixels, count, 4, 3, 4);
                all.add(Damaged.file(how + "height " + count, "t.mat", TinyFiles.mat(pack, little, high, y)));
            }
            byte[] grey = TinyFiles.matrix(little, "X", 2, pixels, 4, 4, 12);
            all.add(Damaged.file(how + "12 channels", "t.mat", TinyFiles.mat(pack, little, grey, y)));
            byte[] doubles = TinyFiles.matrix(little, "X", 9, pixels, 4, 4, 3, 4);
            all.add(Damaged.file(how + "doubles", "t.mat", TinyFiles.mat(pack, little, doubles, y)));
            all.add(Damaged.file(how + "no labels", "t.mat", TinyFiles.mat(pack, little, x)));
            all.add(Damaged.file(how + "no images", "t.mat", TinyFiles.mat(pack, little, y)));
            byte[] three = TinyFiles.matrix(little, "y", 2, new byte[] {1, 2, 3}, 3, 1);
            all.add(Damaged.file(how + "three labels", "t.mat", TinyFiles.mat(pack, little, x, three)));
            byte[] large = TinyFiles.matrix(little, "y", 2, new byte[] {1, 2, 3, 11}, 4, 1);
            all.add(Damaged.file(how + "label 11", "t.mat", TinyFiles.mat(pack, little, x, large)));
            byte[] text = TinyFiles.matrix(little, "y", 16, new byte[] {1, 2, 3, 4}, 4, 1);
            all.add(Damaged.file(how + "labels of text", "t.mat", TinyFiles.mat(pack, little, x, text)));
            byte[] name = TinyFiles.matrix(little, "n".repeat(5000), 2, pixels, 4, 4, 3, 4);
            all.add(Damaged.file(how + "a long name", "t.mat", TinyFiles.mat(pack, little, name, y)));
        }
        byte[] file = TinyFiles.mat(true, little, x, y);
        for (int at : new int[] {132, 140, 160, 200}) { // the packed element's length, then its bytes
            byte[] broken = file.clone();
            broken[at] ^= 0x55;
            all.add(Damaged.file("with byte " + at + " changed", "t.mat", broken));
        }
        byte[] order = file.clone();
        order[126] = 'X';
        all.add(Damaged.file("of no byte order", "t.mat", order));
    }

    private static void numPy(List<Damaged> all) {
        byte[] pixels = TinyFiles.pixels(24);
        byte[] labels = TinyFiles.npy("|u1", new byte[4], false, 4);
        Map<String, byte[]> arrays = Map.of(
                "floats", TinyFiles.npy("<f4", TinyFiles.pixels(96), false, 4, 2, 3),
                "too many", TinyFiles.npy("|u1", pixels, false, 5, 2, 3),
                "too few", TinyFiles.npy("|u1", pixels, false, 3, 2, 3),
                "none", TinyFiles.npy("|u1", new byte[0], false, 0, 2, 3),
                "huge", TinyFiles.npy("|u1", pixels, false, Integer.MAX_VALUE, 28, 28),
                "beyond longs", TinyFiles.npy("|u1", pixels, false, 1 << 30, 1 << 30, 1 << 30),
                "negative", TinyFiles.npy("|u1", pixels, false, -4, 2, 3),
                "flat", TinyFiles.npy("|u1", pixels, false, 4, 6),
                "five channels", TinyFiles.npy("|u1", TinyFiles.pixels(100), false, 1, 5, 4, 5),
                "big-endian", TinyFiles.npy(">i4", TinyFiles.pixels(96), false, 4, 2, 3));
        arrays.forEach((what, array) -> {
            all.add(Damaged.file(what, "t.npy", array));
            all.add(Damaged.file(what, "t.npz", TinyFiles.zip(Map.of("x.npy", array, "y.npy", labels))));
        });
        byte[] good = TinyFiles.npy("|u1", pixels, false, 4, 2, 3);
        Map<String, Map<String, byte[]>> zips = Map.of(
                "nothing inside", Map.of(),
                "text inside", Map.of("x.npy", new byte[] {'h', 'i'}),
                "no npy inside", Map.of("x.txt", good),
                "strange names", Map.of("a.npy", good, "b.npy", labels),
                "two of images", Map.of("x_1.npy", good, "x_2.npy", good),
                "three labels", Map.of("x.npy", good, "y.npy", TinyFiles.npy("|u1", new byte[3], false, 3)),
                "labels in a square", Map.of("x.npy", good, "y.npy", TinyFiles.npy("|u1", new byte[4], false, 2, 2)),
                "labels of floats", Map.of("x.npy", good, "y.npy", TinyFiles.npy("<f4", new byte[16], false, 4)),
                "a label below 0", Map.of("x.npy", good, "y.npy", TinyFiles.npy("<i4", minusOnes(), false, 4)));
        zips.forEach((what, entries) -> all.add(Damaged.file(what, "t.npz", TinyFiles.zip(entries))));
        byte[] bomb = TinyFiles.zip(Map.of("x.npy", TinyFiles.join(good, new byte[1 << 22])));
        all.add(Damaged.file("a bomb", "t.npz", bomb));
        for (int at = 34; at < 100; at += 13) {
            byte[] broken =
                    TinyFiles.zip(Map.of("x.npy", TinyFiles.npy("|u1", TinyFiles.pixels(600), false, 100, 2, 3)));
            broken[at + 30] ^= 0x10;
            all.add(Damaged.file("with byte " + (at + 30) + " changed", "t.npz", broken));
        }
        byte[] sizes = TinyFiles.zip(Map.of("x.npy", good));
        ByteBuffer zip = ByteBuffer.wrap(sizes).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + 28 < sizes.length; at++) {
            if (zip.getInt(at) == 0x02014B50) { // the central directory's entry: unpacked size at 24
                zip.putInt(at + 24, 0x7FFFFFF0);
            }
        }
        all.add(Damaged.file("that says it unpacks to 2 GB", "t.npz", sizes));
    }

    private static byte[] minusOnes() {
        byte[] bytes = new byte[16];
        Arrays.fill(bytes, (byte) -1);
        return bytes;
    }

    private static void pictures(List<Damaged> all) {
        byte[] text = "not a picture\n".getBytes(StandardCharsets.UTF_8);
        byte[] png = TinyFiles.encoded(TinyFiles.picture(20, 20, BufferedImage.TYPE_INT_RGB), "png");
        for (String name : List.of("t.png", "t.jpg", "t.webp")) {
            all.add(new Damaged("of text", Map.of("a/" + name, text), "", "a/" + name));
            all.add(new Damaged("that is empty", Map.of("a/" + name, new byte[0]), "", "a/" + name));
        }
        byte[] webp = "RIFF\0\0\0\0WEBPVP8 ".getBytes(StandardCharsets.ISO_8859_1);
        all.add(new Damaged("that is WebP cut short", Map.of("a/t.png", webp), "", "a/t.png"));
        for (int at : new int[] {17, 30, 60, png.length - 3}) {
            byte[] broken = png.clone();
            broken[at] ^= 0x40;
            all.add(new Damaged("with byte " + at + " changed", Map.of("a/t.png", broken), "", "a/t.png"));
        }
        for (int size : new int[] {0, -1, Integer.MAX_VALUE, 1_000_000}) {
            all.add(new Damaged("of width " + size, Map.of("a/t.png", widened(png, size)), "", "a/t.png"));
        }
        all.add(Damaged.file("that stands alone and is cut", "t.png", Arrays.copyOf(png, png.length / 2)));
        all.add(new Damaged("with nothing but text", Map.of("a/t.txt", text), "", ""));
        all.add(new Damaged("with nothing but hidden files", Map.of(".x", text), "", ""));
        for (String name : List.of("t", "t.bin", "t.mat", "t.npy", "t.npz", "t-images-idx3-ubyte", "t.gz")) {
            all.add(Damaged.file("of text", name, text));
            all.add(Damaged.file("of zeros", name, new byte[50]));
            all.add(Damaged.file("of gzip's magic alone", name, new byte[] {0x1F, (byte) 0x8B}));
        }
        all.add(new Damaged("that is not there", Map.of("other", text), "missing.npz", "missing.npz"));
    }

    /** The PNG with another width, its checksum right. */
    private static byte[] widened(byte[] png, int width) {
        byte[] changed = png.clone();
        ByteBuffer buffer = ByteBuffer.wrap(changed);
        buffer.putInt(16, width);
        java.util.zip.CRC32 checksum = new java.util.zip.CRC32();
        checksum.update(changed, 12, 17);
        buffer.putInt(29, (int) checksum.getValue());
        return changed;
    }

    @ParameterizedTest
    @MethodSource({"cuts", "cutPictures", "cutLabels", "lies"})
    void oneLineNamesTheFile(Damaged damaged) throws IOException {
        for (Map.Entry<String, byte[]> file : damaged.files().entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        Path read = damaged.read().isEmpty() ? folder : folder.resolve(damaged.read());
        Path blamed = damaged.blamed().isEmpty() ? folder : folder.resolve(damaged.blamed());
        Throwable problem = catchThrowable(() -> ImageFiles.read(read).close());
        assertThat(problem).isInstanceOf(UnreadableFileException.class);
        assertThat(problem.getMessage()).startsWith(blamed + ": ").hasLineCount(1);
        assertThat(((UnreadableFileException) problem).file()).isEqualTo(blamed);
        assertThat(((UnreadableFileException) problem).problem())
                .hasSizeGreaterThan(7)
                .doesNotContain("null");
    }

    @Test
    void thereAreManyOfThem() {
        assertThat(Stream.of(cuts(), cutPictures(), cutLabels(), lies())
                        .flatMap(each -> each)
                        .count())
                .isGreaterThan(350);
    }

    @Test
    void headersThatLieAllocateNothing() throws IOException {
        byte[] pixels = TinyFiles.pixels(24);
        int most = Integer.MAX_VALUE;
        Files.write(folder.resolve("a-images-idx3-ubyte"), TinyFiles.idx(pixels, most, 28, 28));
        Files.write(folder.resolve("b-images-idx3-ubyte.gz"), TinyFiles.gzip(TinyFiles.idx(pixels, most, 28, 28)));
        Files.write(folder.resolve("c.npy"), TinyFiles.npy("|u1", pixels, false, most, 28, 28));
        Files.write(
                folder.resolve("d.mat"),
                TinyFiles.mat(
                        true,
                        ByteOrder.LITTLE_ENDIAN,
                        TinyFiles.matrix(ByteOrder.LITTLE_ENDIAN, "X", 2, pixels, 32, 32, 3, most)));
        Files.write(
                folder.resolve("e.npz"),
                TinyFiles.zip(Map.of("x.npy", TinyFiles.npy("|u1", pixels, false, most, 28, 28))));
        List<Path> files = Folder.list(folder);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int round = 0; round < 2; round++) { // the first loads classes
            long heap = threads.getCurrentThreadAllocatedBytes();
            long resident = Backend.residentBytes();
            for (Path file : files) {
                Throwable problem = catchThrowable(() -> ImageFiles.read(file).close());
                // an allocation that failed would have been told as one
                assertThat(problem).isInstanceOf(UnreadableFileException.class);
                assertThat(problem.getMessage()).doesNotContain("memory", "machine");
            }
            if (round == 1) {
                assertThat(threads.getCurrentThreadAllocatedBytes() - heap).isLessThan(20L << 20);
                assertThat(Backend.residentBytes() - resident).isLessThan(64L << 20);
            }
        }
    }
}
