package dev.kelvin.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.augment.Resampling;
import dev.kelvin.data.format.ImageFiles.Options;
import dev.kelvin.data.format.ImageFiles.Part;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ImageFilesTest {
    @TempDir
    Path folder;

    private Path write(String name, byte[] bytes) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }

    private static int[] values(ImageSet set) {
        try (Scope scope = Scope.open()) {
            return Arrays.stream(set.pixels().toLongs())
                    .mapToInt(value -> (int) value)
                    .toArray();
        }
    }

    private static int[] unsigned(byte[] bytes) {
        int[] values = new int[bytes.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = bytes[i] & 0xFF;
        }
        return values;
    }

    // ---- IDX

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsIdxPairsPlainAndPacked(boolean packed) throws IOException {
        byte[] images = TinyFiles.pixels(4 * 6);
        byte[] imageFile = TinyFiles.idx(images, 4, 2, 3);
        byte[] labelFile = TinyFiles.idx(new byte[] {7, 0, 9, 2}, 4);
        String ending = packed ? ".gz" : "";
        write("train-images-idx3-ubyte" + ending, packed ? TinyFiles.gzip(imageFile) : imageFile);
        write("train-labels-idx1-ubyte" + ending, packed ? TinyFiles.gzip(labelFile) : labelFile);
        try (ImageSet set = ImageFiles.read(folder)) {
            assertThat(set.pixels().shape()).containsExactly(4, 1, 2, 3);
            assertThat(values(set)).isEqualTo(unsigned(images));
            assertThat(set.labels()).containsExactly(7, 0, 9, 2);
            assertThat(set.classes()).hasSize(10).startsWith("0", "1");
            assertThat(set.name()).isEqualTo(folder.getFileName() + "/train");
        }
        assertThatThrownBy(() -> ImageFiles.read(folder, Options.usual().part(Part.TEST)))
                .isInstanceOf(UnreadableFileException.class);
    }

    @Test
    void theTestPartIsAnotherFileAndLabelsMayBeMissing() throws IOException {
        write("fashion/train-images-idx3-ubyte", TinyFiles.idx(new byte[] {1}, 1, 1, 1));
        write("fashion/t10k-images-idx3-ubyte", TinyFiles.idx(new byte[] {2, 3}, 2, 1, 1));
        write("fashion/t10k-labels-idx1-ubyte.gz", TinyFiles.gzip(TinyFiles.idx(new byte[] {1, 9}, 2)));
        Path fashion = folder.resolve("fashion");
        try (ImageSet train = ImageFiles.read(fashion);
                ImageSet test = ImageFiles.read(fashion, Options.usual().part(Part.TEST))) {
            assertThat(values(train)).containsExactly(1);
            assertThat(train.labelled()).isFalse();
            assertThat(values(test)).containsExactly(2, 3);
            assertThat(test.labels()).containsExactly(1, 9);
            assertThat(test.classes()).contains("trouser", "ankle boot");
        }
        try (ImageSet own =
                ImageFiles.test(fashion, Options.usual()).orElseThrow().read()) {
            assertThat(values(own)).containsExactly(2, 3);
        }
        assertThat(ImageFiles.test(fashion.resolve("train-images-idx3-ubyte"), Options.usual()))
                .isEmpty();
        write("loose/0.png", TinyFiles.encoded(TinyFiles.picture(2, 2, BufferedImage.TYPE_INT_RGB), "png"));
        assertThat(ImageFiles.test(folder.resolve("loose"), Options.usual())).isEmpty();
    }

    @Test
    void onePictureIsASetOfOne() throws IOException {
        write("some/one.png", TinyFiles.encoded(TinyFiles.picture(3, 2, BufferedImage.TYPE_INT_RGB), "png"));
        Path file = folder.resolve("some/one.png");
        try (ImageSet one = ImageFiles.read(file);
                ImageSet all = ImageFiles.read(folder.resolve("some"));
                ImageRows rows = ImageFiles.rows(file, Options.usual().inGrey())) {
            assertThat(one.pixels().shape()).containsExactly(1, 3, 2, 3);
            assertThat(values(one)).containsExactly(values(all));
            assertThat(one.labelled()).isFalse();
            assertThat(rows.channels()).isEqualTo(1);
            assertThat(rows.count()).hasValue(1);
        }
        assertThat(ImageFiles.test(file, Options.usual())).isEmpty();
    }

    // ---- CIFAR

    @Test
    void readsSeveralBatchesOfCifarTen() throws IOException {
        byte[] pixels = TinyFiles.pixels(3 * 3072);
        byte[] later = Arrays.copyOfRange(pixels, 2 * 3072, 3 * 3072);
        write("data_batch_2.bin", TinyFiles.cifar(later, new int[] {9}));
        write("data_batch_1.bin", TinyFiles.cifar(pixels, new int[] {3}, new int[] {0}));
        write("test_batch.bin", TinyFiles.cifar(later, new int[] {5}));
        try (ImageSet train = ImageFiles.read(folder);
                ImageSet test = ImageFiles.read(folder, Options.usual().part(Part.TEST));
                ImageSet single = ImageFiles.read(folder.resolve("data_batch_2.bin"))) {
            assertThat(train.pixels().shape()).containsExactly(3, 3, 32, 32);
            assertThat(values(train)).isEqualTo(unsigned(pixels));
            assertThat(train.labels()).containsExactly(3, 0, 9);
            assertThat(train.classes().get(3)).isEqualTo("cat");
            assertThat(test.labels()).containsExactly(5);
            assertThat(single.labels()).containsExactly(9);
        }
    }

    @Test
    void cifarHundredTakesTheFineLabel() throws IOException {
        write("train.bin", TinyFiles.cifar(TinyFiles.pixels(2 * 3072), new int[] {19, 99}, new int[] {0, 42}));
        try (ImageSet set = ImageFiles.read(folder)) {
            assertThat(set.labels()).containsExactly(99, 42);
            assertThat(set.classes()).hasSize(100);
        }
        write("fine_label_names.txt", "apple\nbee\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThatThrownBy(() -> ImageFiles.read(folder))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageContaining("fine_label_names.txt: has 2 names; expected 100");
    }

    // ---- SVHN

    /** X(row, column, channel, image) = 100·image + 10·channel + 3·row + column, in Fortran order: rows innermost. */
    @ParameterizedTest
    @ValueSource(strings = {"packed little", "plain little", "packed big", "plain big"})
    void readsMatlabFiles(String form) throws IOException {
        ByteOrder order = form.endsWith("big") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        byte[] stored = new byte[2 * 3 * 3 * 2];
        int at = 0;
        for (int image = 0; image < 2; image++) {
            for (int channel = 0; channel < 3; channel++) {
                for (int column = 0; column < 3; column++) {
                    for (int row = 0; row < 2; row++) {
                        stored[at++] = (byte) (100 * image + 10 * channel + 3 * row + column);
                    }
                }
            }
        }
        byte[] y =
                ByteBuffer.allocate(16).order(order).putDouble(10).putDouble(4).array();
        byte[] file = TinyFiles.mat(
                form.startsWith("packed"),
                order,
                TinyFiles.matrix(order, "other", 2, new byte[13], 13, 1),
                TinyFiles.matrix(order, "X", 2, stored, 2, 3, 3, 2),
                TinyFiles.matrix(order, "y", 9, y, 2, 1));
        write("train_32x32.mat", file);
        try (ImageSet set = ImageFiles.read(folder)) {
            assertThat(set.pixels().shape()).containsExactly(2, 3, 2, 3);
            assertThat(values(set))
                    .startsWith(0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 20)
                    .endsWith(123, 124, 125);
            assertThat(set.labels()).containsExactly(0, 4);
        }
    }

    // ---- NumPy

    @Test
    void everyLayoutOfNumPyGivesTheSameImages() throws IOException {
        // value = 100·image + 30·channel + 5·row + column for 2 images of 4 × 5 with 3 channels
        byte[] first = new byte[120];
        byte[] last = new byte[120];
        byte[] fortran = new byte[120];
        for (int i = 0; i < 120; i++) {
            int image = i / 60;
            int channel = i / 20 % 3;
            int row = i / 5 % 4;
            int column = i % 5;
            byte value = (byte) (100 * image + 30 * channel + 5 * row + column);
            first[i] = value;
            last[((image * 4 + row) * 5 + column) * 3 + channel] = value;
            fortran[((channel * 5 + column) * 4 + row) * 2 + image] = value;
        }
        write("first.npy", TinyFiles.npy("|u1", first, false, 2, 3, 4, 5));
        write("last.npy", TinyFiles.npy("|u1", last, false, 2, 4, 5, 3));
        write("fortran.npy", TinyFiles.npy("|u1", fortran, true, 2, 4, 5, 3));
        for (String name : List.of("first", "last", "fortran")) {
            try (ImageSet set = ImageFiles.read(folder.resolve(name + ".npy"))) {
                assertThat(set.pixels().shape()).containsExactly(2, 3, 4, 5);
                assertThat(values(set)).as(name).isEqualTo(unsigned(first));
                assertThat(set.labelled()).isFalse();
            }
        }
    }

    @Test
    void npzHasPartsAndLabels() throws IOException {
        byte[] train = TinyFiles.pixels(2 * 4);
        byte[] labels = ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(4)
                .putLong(11)
                .array();
        write(
                "mnist.npz",
                TinyFiles.zip(Map.of(
                        "x_train.npy", TinyFiles.npy("|u1", train, false, 2, 2, 2),
                        "y_train.npy", TinyFiles.npy("<i8", labels, false, 2, 1),
                        "x_test.npy", TinyFiles.npy("|u1", new byte[] {5}, false, 1, 1, 1),
                        "y_test.npy", TinyFiles.npy("|u1", new byte[] {6}, false, 1))));
        Path file = folder.resolve("mnist.npz");
        try (ImageSet set = ImageFiles.read(file);
                ImageSet test = ImageFiles.read(file, Options.usual().part(Part.TEST))) {
            assertThat(values(set)).isEqualTo(unsigned(train));
            assertThat(set.labels()).containsExactly(4, 11);
            assertThat(set.classes()).hasSize(12);
            assertThat(values(test)).containsExactly(5);
            assertThat(test.labels()).containsExactly(6);
        }
    }

    @Test
    void npzLabelsMayLieBeside() throws IOException {
        write(
                "kmnist-test-imgs.npz",
                TinyFiles.zip(Map.of("arr_0.npy", TinyFiles.npy("|u1", new byte[8], false, 2, 2, 2))));
        write(
                "kmnist-test-labels.npz",
                TinyFiles.zip(Map.of("arr_0.npy", TinyFiles.npy("|u1", new byte[] {3, 9}, false, 2))));
        try (ImageSet set = ImageFiles.read(folder, Options.usual().part(Part.TEST))) {
            assertThat(set.labels()).containsExactly(3, 9);
            assertThat(set.classes()).contains("tsu");
        }
    }

    /** The same images as bytes, as other whole numbers, and as fractions of 255 and of 1. */
    @Test
    void everyTypeOfNumPyGivesTheSameImages() throws IOException {
        int[] values = {0, 1, 2, 127, 128, 254, 255, 77};
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer ints = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer longs = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer floats = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer doubles = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            bytes.put((byte) value);
            ints.putInt(value);
            longs.putLong(value);
            floats.putFloat(value / 255f);
            doubles.putDouble(value == 0 ? 0.4 : value - 0.4);
        }
        write("bytes.npy", TinyFiles.npy("|u1", bytes.array(), false, 2, 2, 2));
        write("ints.npy", TinyFiles.npy("<i4", ints.array(), false, 2, 2, 2));
        write("longs.npy", TinyFiles.npy("<i8", longs.array(), false, 2, 2, 2));
        write("floats.npy", TinyFiles.npy("<f4", floats.array(), false, 2, 2, 2));
        write("doubles.npy", TinyFiles.npy("<f8", doubles.array(), false, 2, 2, 2));
        for (String name : List.of("bytes", "ints", "longs", "floats", "doubles")) {
            try (ImageSet set = ImageFiles.read(folder.resolve(name + ".npy"))) {
                assertThat(values(set)).as(name).isEqualTo(values);
                assertThat(set.maximum()).isEqualTo(255);
            }
        }
        floats.putFloat(0, -1);
        write("floats.npy", TinyFiles.npy("<f4", floats.array(), false, 2, 2, 2));
        assertThatThrownBy(() -> ImageFiles.read(folder.resolve("floats.npy")))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageEndingWith(
                        "floats.npy: holds numbers from -1.0 to 1.0 as images; those are whole numbers from"
                                + " 0 to 255, or fractions from 0 to 1");
    }

    // ---- folders of pictures

    @Test
    void foldersAreClassesInAlphabeticOrder() throws IOException {
        write("b/2.png", TinyFiles.encoded(TinyFiles.picture(4, 3, BufferedImage.TYPE_INT_RGB), "png"));
        write("a/1.PNG", TinyFiles.encoded(TinyFiles.picture(4, 3, BufferedImage.TYPE_INT_RGB), "png"));
        write("a/0.png", TinyFiles.encoded(TinyFiles.picture(4, 3, BufferedImage.TYPE_INT_RGB), "png"));
        write("a/notes.txt", new byte[] {1});
        try (ImageSet set = ImageFiles.read(folder)) {
            assertThat(set.pixels().shape()).containsExactly(3, 3, 3, 4);
            assertThat(set.labels()).containsExactly(0, 0, 1);
            assertThat(set.classes()).containsExactly("a", "b");
            assertThat(values(set)).startsWith(0, 40, 80, 120, 0, 40, 80, 120, 0, 40, 80, 120, 0, 0, 0, 0, 30);
        }
        write("loose.png", TinyFiles.encoded(TinyFiles.picture(4, 3, BufferedImage.TYPE_INT_RGB), "png"));
        assertThatThrownBy(() -> ImageFiles.read(folder)).hasMessageContaining("both in itself and in its folders");
    }

    @Test
    void greyPicturesKeepTheirValues() throws IOException {
        BufferedImage grey = new BufferedImage(3, 1, BufferedImage.TYPE_BYTE_GRAY);
        grey.getRaster().setPixels(0, 0, 3, 1, new int[] {0, 100, 255});
        write("0.png", TinyFiles.encoded(grey, "png"));
        try (ImageSet colours = ImageFiles.read(folder);
                ImageSet one = ImageFiles.read(folder, Options.usual().inGrey())) {
            assertThat(values(colours)).containsExactly(0, 100, 255, 0, 100, 255, 0, 100, 255);
            assertThat(values(one)).containsExactly(0, 100, 255);
            assertThat(colours.labelled()).isFalse();
        }
    }

    @Test
    void picturesAreCroppedInTheMiddleAndResized() throws IOException {
        BufferedImage wide = new BufferedImage(8, 4, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < 4; y++) {
            for (int x = 0; x < 8; x++) {
                wide.setRGB(x, y, x < 2 || x > 5 ? 0xFFFFFF : x < 4 ? 0x400000 : 0x800000);
            }
        }
        write("wide.png", TinyFiles.encoded(wide, "png"));
        write("zsquare.png", TinyFiles.encoded(new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB), "png"));
        assertThatThrownBy(() -> ImageFiles.read(folder))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageContaining("zsquare.png: is 2 wide and 2 high, but wide.png is 8 and 4; give a size");
        try (ImageSet set = ImageFiles.read(folder, Options.usual().size(2))) {
            assertThat(set.pixels().shape()).containsExactly(2, 3, 2, 2);
            // the triangle over four pixels of 64, 64, 128, 128: weights 3/7, 3/7, 1/7 after the cut at the edge
            int left = Math.round((64 * 3 + 64 * 3 + 128) / 7f);
            int right = Math.round((64 + 128 * 3 + 128 * 3) / 7f);
            assertThat(values(set)).startsWith(left, right, left, right, 0, 0, 0, 0, 0, 0, 0, 0);
        }
    }

    @Test
    void jpegIsReadAboutAsItWas() throws IOException {
        BufferedImage image = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < 256; i++) {
            image.setRGB(i % 16, i / 16, 0x6496C8);
        }
        write("train/a/0.jpg", TinyFiles.encoded(image, "jpg"));
        try (ImageSet set = ImageFiles.read(folder)) {
            assertThat((double) values(set)[0]).isEqualTo(0x64, within(3.0));
            assertThat((double) values(set)[256]).isEqualTo(0x96, within(3.0));
            assertThat((double) values(set)[512]).isEqualTo(0xC8, within(3.0));
            assertThat(set.classes()).containsExactly("a");
        }
    }

    /** 6 wide and 4 high, made with Pillow: red 40x, green 60y, blue 10x + 20y; without loss, and at quality 95. */
    @ParameterizedTest
    @CsvSource({
        "0, UklGRi4AAABXRUJQVlA4TCIAAAAvBcAAAJmM6H9sClGI6H9AIdsI0IGdv9iPMChjHxMAsNID",
        "40, UklGRnIAAABXRUJQVlA4IGYAAAAwAgCdASoGAAQAAIAIJbACdLoA1AADq08eoAD+/1z+7f/hk+otf3rjNYl6Cf/b2yz4ON1/3oW7jw"
                + "cbr/v/mP/4rf5n/5jP1v0XP5OSHfsb//Jy3+HdCjX+xv3//y9ffk5E+7YAAAA="
    })
    void readsWebp(double tolerance, String file) throws IOException {
        byte[] bytes = Base64.getDecoder().decode(file);
        write("train/a/0.webp", bytes);
        try (ImageSet set = ImageFiles.read(folder)) {
            assertThat(set.pixels().shape()).containsExactly(1, 3, 4, 6);
            int[] found = values(set);
            for (int i = 0; i < 24; i++) {
                int x = i % 6;
                int y = i / 6;
                assertThat((double) found[i]).as("red at %d", i).isEqualTo(40 * x, within(tolerance));
                assertThat((double) found[24 + i]).as("green at %d", i).isEqualTo(60 * y, within(tolerance));
                assertThat((double) found[48 + i]).as("blue at %d", i).isEqualTo(10 * x + 20 * y, within(tolerance));
            }
        }
        for (int length = 12; length < bytes.length; length++) {
            write("train/a/0.webp", Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> ImageFiles.read(folder)).isInstanceOf(UnreadableFileException.class);
        }
    }

    @Test
    void enlargingIsBilinear() {
        assertThat(new Resampling(2, 4).rows(new byte[] {0, 8}, 1)).containsExactly(0, 2, 6, 8);
        assertThat(new Resampling(3, 3).rows(new byte[] {1, 5, 2}, 1)).containsExactly(1, 5, 2);
    }

    @Test
    void sizesAreChecked() {
        assertThatThrownBy(() -> Options.usual().size(0)).isInstanceOf(SettingException.class);
        assertThatThrownBy(() -> Options.usual().size(1_000_000)).isInstanceOf(SettingException.class);
    }

    @Test
    void nothingStaysInTheCallersScope() throws IOException {
        write("images.npy", TinyFiles.npy("|u1", TinyFiles.pixels(24), false, 4, 2, 3));
        ImageSet set;
        try (Scope scope = Scope.open()) {
            set = ImageFiles.read(folder.resolve("images.npy"));
        }
        try (set;
                Tensor image = set.images(3)) { // the set outlives the scope it was read in
            assertThat(image.shape()).containsExactly(1, 1, 2, 3);
        }
        assertThatThrownBy(() -> set.pixels().shape()).isInstanceOf(IllegalStateException.class);
    }
}
