package dev.kelvin.data.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetNameTest {
    @ParameterizedTest
    @CsvSource({
        "/data/floatimgs.npz,                   data/floatimgs",
        "/data/myimages.npy,                    data/myimages",
        "/data/my-images.npy,                   data/my",
        "/mnist/train-images-idx3-ubyte.gz,     mnist/train",
        "/mnist/t10k-images.idx3-ubyte,         mnist/t10k",
        "/svhn/train_32x32.mat,                 svhn/train",
        "/data/images.npz,                      data/images"
    })
    void onlyWordsOfTheirOwnAreLeftOut(String file, String name) {
        assertThat(SetName.of(Path.of(file))).isEqualTo(name);
    }

    @Test
    void thereAreAsManyClassesAsLabels() {
        assertThat(ClassNames.of("data/own", 0, 2, 1)).isEqualTo(List.of("0", "1", "2"));
        assertThat(ClassNames.of("fashion/train", 0, 2, 1)).isEqualTo(List.of("0", "1", "2"));
        assertThat(ClassNames.of("fashion/train", 9, 2, 1)).contains("trouser");
        assertThat(ClassNames.of("data/own")).isEmpty();
    }
}
