package dev.kelvin.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.format.ImageFiles.Options;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.Catalogue;
import dev.kelvin.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A format that is registered is read like Kelvin's own: {@link TestFormats} has one. */
final class ImageFormatTest {
    @TempDir
    Path folder;

    private Path write(String name, int... bytes) throws IOException {
        byte[] all = new byte[bytes.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) bytes[i];
        }
        return Files.write(folder.resolve(name), all);
    }

    private static long[] values(ImageSet set) {
        try (Scope scope = Scope.open()) {
            return set.pixels().toLongs();
        }
    }

    @Test
    void aFileIsKnownByItsBeginning() throws IOException {
        Path file = write("some.dat", 'T', 'I', 'N', 'Y', 1, 2, 3, 250);
        try (ImageSet set = ImageFiles.read(file)) {
            assertThat(set.pixels().shape()).containsExactly(1, 1, 2, 2);
            assertThat(values(set)).containsExactly(1, 2, 3, 250);
        }
        assertThat(ImageFiles.test(file, Options.usual())).isEmpty();
    }

    @Test
    void aFolderHasPartsOrIsWhole() throws IOException {
        write("other.tiny", 'T', 'I', 'N', 'Y', 9, 9, 9, 9);
        try (ImageSet whole = ImageFiles.read(folder)) {
            assertThat(values(whole)).containsExactly(9, 9, 9, 9);
        }
        write("train.tiny", 'T', 'I', 'N', 'Y', 1, 2, 3, 4);
        assertThat(ImageFiles.test(folder, Options.usual())).isEmpty();
        write("test.tiny", 'T', 'I', 'N', 'Y', 5, 6, 7, 8);
        try (ImageSet train = ImageFiles.read(folder);
                ImageSet test =
                        ImageFiles.test(folder, Options.usual()).orElseThrow().read()) {
            assertThat(values(train)).containsExactly(1, 2, 3, 4);
            assertThat(values(test)).containsExactly(5, 6, 7, 8);
        }
    }

    @Test
    void anUnknownFormatIsToldWithThoseThatAreKnown() throws IOException {
        Path file = write("some.dat", 'W', 'H', 'A', 'T');
        assertThatThrownBy(() -> ImageFiles.read(file))
                .isInstanceOf(UnreadableFileException.class)
                .hasMessage(file + ": is in no format that Kelvin knows (CIFAR binary, IDX, MATLAB level 5, npy, npz, a"
                        + " folder of pictures, tiny)");
        assertThatThrownBy(() -> ImageFiles.read(write("empty.dat"))).hasMessageEndingWith("is empty");
        assertThatThrownBy(() -> ImageFiles.read(write("one.dat", 0x89, 'P', 'N', 'G')))
                .isInstanceOf(UnreadableFileException.class);
        assertThatThrownBy(() -> ImageFiles.read(write("h5.dat", 0x89, 'H', 'D', 'F')))
                .hasMessageContaining("is an HDF5 file");
        assertThatThrownBy(() -> ImageFiles.read(folder))
                .hasMessageStartingWith(folder + ": has no images that Kelvin knows");
    }

    /** CIFAR's images may begin like an IDX file: label 0, then dark pixels. */
    @Test
    void aNameOfCifarsComesBeforeABeginning() throws IOException {
        byte[] batch = new byte[3073];
        batch[2] = 8;
        batch[3] = 3;
        try (ImageSet set = ImageFiles.read(Files.write(folder.resolve("data_batch_1.bin"), batch))) {
            assertThat(set.pixels().shape()).containsExactly(1, 3, 32, 32);
        }
    }

    /** One format moving through the bytes must not hide them from the next. */
    @Test
    void theBeginningIsTheSameForAll() throws IOException {
        FileStart start = FileStart.of(write("some.dat", 'T', 'I', 'N', 'Y'));
        assertThat(start.bytes().getInt()).isEqualTo(0x54494E59);
        assertThat(start.begins('T', 'I', 'N', 'Y')).isTrue();
        assertThat(start.begins('T', 'I', 'N', 'Y', 0)).isFalse();
        assertThat(start.name()).isEqualTo("some.dat");
        assertThat(start.size()).isEqualTo(4);
    }

    @Test
    void ownFormatsComeFirst() {
        assertThat(Catalogue.of(ImageFormat.class).keySet())
                .containsExactly("cifar", "idx", "svhn", "npy-images", "image-folder", "tiny");
    }
}
