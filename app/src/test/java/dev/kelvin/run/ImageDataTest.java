package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.ImageFiles;
import dev.kelvin.data.ImageSet;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Npy;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageDataTest {
    @TempDir
    private Path folder;

    /** So many images, 2 × 2 with values 0, 1, 2 ..., or of another side. */
    private Path write(String name, int images, int side) throws IOException {
        Path file = folder.resolve(name);
        try (Scope scope = Scope.open()) {
            Tensor pixels = Tensors.bytes(images, side, side);
            pixels.memory(0, images * side * side).put(values(images * side * side));
            Npy.write(file, pixels);
        }
        return file;
    }

    private static byte[] values(int count) {
        byte[] values = new byte[count];
        for (int i = 0; i < count; i++) {
            values[i] = (byte) i;
        }
        return values;
    }

    @Test
    void keepsAFifthBackOrTheSetsOwnTestPart() throws IOException {
        Path file = write("train-images.npy", 10, 2);
        try (ImageData data = ImageData.open(file.toString(), Device.CPU)) {
            assertThat(data.train().count()).isEqualTo(8);
            assertThat(data.test().count()).isEqualTo(2);
        }
        write("test-images.npy", 3, 2);
        try (ImageData data = ImageData.open(folder.toString(), Device.CPU)) {
            assertThat(data.train().count()).isEqualTo(10);
            assertThat(data.test().count()).isEqualTo(3);
        }
    }

    @Test
    void aTestPartOfAnotherSizeIsRefused() throws IOException {
        write("train-images.npy", 10, 2);
        write("test-images.npy", 3, 4);
        assertThatThrownBy(() -> ImageData.open(folder.toString(), Device.CPU))
                .isInstanceOf(RunException.class)
                .hasMessage(
                        "data.images.set: the test part has 4 x 4 pixels in 1 channels, the training part 2 x 2 in 1");
    }

    @Test
    void tooFewImagesAreSaid() throws IOException {
        Path file = write("two.npy", 2, 2);
        assertThatThrownBy(() -> ImageData.open(file.toString(), Device.CPU))
                .isInstanceOf(RunException.class)
                .hasMessage("data.images.set: " + file
                        + " has 2 images; a fifth is kept back to judge, so it takes 3 or more");
        Path three = write("three.npy", 3, 2);
        try (ImageData data = ImageData.open(three.toString(), Device.CPU)) {
            assertThat(data.test().count()).isEqualTo(1);
        }
    }

    @Test
    void theHashIsOfPixelsAndLabels() throws IOException, NoSuchAlgorithmException {
        Files.createDirectories(folder.resolve("many"));
        Path file = write("many/images.npy", 300, 64); // more bytes than are hashed at a time
        String expected =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(values(300 * 64 * 64)));
        try (ImageSet set = ImageFiles.read(file)) {
            assertThat(ImageData.hash(set)).isEqualTo(expected);
        }
    }
}
