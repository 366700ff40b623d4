package dev.kelvin.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.format.ImageFiles.Options;
import dev.kelvin.data.format.ImageFiles.Part;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sets that come in a part to learn and a part to test. */
final class ImagePartsTest {
    @TempDir
    Path folder;

    private void write(String name, byte[] bytes) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private void picture(String name) throws IOException {
        write(name, TinyFiles.encoded(TinyFiles.picture(2, 2, BufferedImage.TYPE_INT_RGB), "png"));
    }

    @Test
    void aClassHasOneNumberInBothParts() throws IOException {
        picture("train/cat/0.png");
        picture("train/dog/0.png");
        picture("test/dog/1.png");
        picture("test/eel/1.png");
        try (ImageSet train = ImageFiles.read(folder);
                ImageSet test =
                        ImageFiles.test(folder, Options.usual()).orElseThrow().read()) {
            assertThat(train.classes()).containsExactly("cat", "dog", "eel").isEqualTo(test.classes());
            assertThat(train.labels()).containsExactly(0, 1);
            assertThat(test.labels()).containsExactly(1, 2);
        }
    }

    @Test
    void trainMayBeAClassAmongOthers() throws IOException {
        picture("bus/0.png");
        picture("train/0.png");
        picture("train/1.png");
        try (ImageSet set = ImageFiles.read(folder)) {
            assertThat(set.classes()).containsExactly("bus", "train");
            assertThat(set.labels()).containsExactly(0, 1, 1);
        }
        assertThat(ImageFiles.test(folder, Options.usual())).isEmpty();
    }

    @Test
    void anNpzMayHoldBoth() throws IOException {
        byte[] one = TinyFiles.npy("|u1", new byte[] {1}, false, 1, 1, 1);
        byte[] two = TinyFiles.npy("|u1", new byte[] {2, 3}, false, 2, 1, 1);
        write("both.npz", TinyFiles.zip(Map.of("x_train.npy", one, "x_test.npy", two)));
        try (ImageSet test = ImageFiles.test(folder.resolve("both.npz"), Options.usual())
                .orElseThrow()
                .read()) {
            assertThat(test.count()).isEqualTo(2);
        }
        write("one.npz", TinyFiles.zip(Map.of("x_test.npy", two)));
        write("one.npy", two);
        for (String name : new String[] {"one.npz", "one.npy"}) {
            assertThat(ImageFiles.test(folder.resolve(name), Options.usual()))
                    .as(name)
                    .isEmpty();
        }
    }

    @Test
    void aPartThatIsMissingIsSaidWithTheOneThatIsThere() throws IOException {
        write("t10k-images-idx3-ubyte", TinyFiles.idx(new byte[] {2, 3}, 2, 1, 1));
        assertThatThrownBy(() -> ImageFiles.read(folder))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessage(folder + ": has no part for 'train', only one for 'test'; to read that, name its file or"
                        + " folder");
        write("train-images-idx3-ubyte.gz.part", new byte[] {0x1F}); // of a download that goes on
        assertThatThrownBy(() -> ImageFiles.read(folder)).hasMessageContaining("has no part for 'train'");
        Files.delete(folder.resolve("t10k-images-idx3-ubyte"));
        write("train-images-idx3-ubyte", TinyFiles.idx(new byte[] {2, 3}, 2, 1, 1));
        assertThatThrownBy(() -> ImageFiles.read(folder, Options.usual().part(Part.TEST)))
                .hasMessageContaining("has no part for 'test', only one for 'train'");
    }

    @Test
    void aCutBatchOfCifarIsCalledThat() throws IOException {
        write("data_batch_1.bin", new byte[3072]);
        assertThatThrownBy(() -> ImageFiles.read(folder.resolve("data_batch_1.bin")))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessageEndingWith("has 3072 bytes; CIFAR-10 takes 3073 for each image");
    }
}
