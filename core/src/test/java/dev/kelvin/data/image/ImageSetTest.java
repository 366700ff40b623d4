package dev.kelvin.data.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.format.ClassNames;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ImageSetTest {
    /** n images of one pixel whose value and label is their number. */
    static ImageSet numbered(int n) {
        Tensor pixels = Tensors.bytes(n, 1, 1, 1);
        int[] labels = new int[n];
        for (int i = 0; i < n; i++) {
            pixels.memory(i, 1).put((byte) i);
            labels[i] = i;
        }
        return new ImageSet("numbered", pixels, labels, ClassNames.numbers(n), 255);
    }

    @Test
    void digitsAreThoseOfTheUciSet() {
        try (ImageSet digits = Digits.load();
                Scope scope = Scope.open()) {
            assertThat(digits.toString()).isEqualTo("digits: 1797 images, 1x8x8, 10 classes");
            assertThat(digits.maximum()).isEqualTo(16);
            // scikit-learn's load_digits: data.sum() is 561718, target[:5] is 0 to 4, 183 threes
            assertThat(digits.pixels().to(DType.DOUBLE).sum().item()).isEqualTo(561_718);
            assertThat(digits.labels()).startsWith(0, 1, 2, 3, 4);
            assertThat(Arrays.stream(digits.labels()).filter(label -> label == 3))
                    .hasSize(183);
            Tensor first = digits.images(0);
            assertThat(first.shape()).containsExactly(1, 1, 8, 8);
            assertThat(first.toFloats()).startsWith(0, 0, 5 / 16f, 13 / 16f, 9 / 16f, 1 / 16f, 0, 0, 0);
        }
    }

    @Test
    void imagesAreSharesOfTheMaximumInTheOrderAskedFor() {
        try (ImageSet set = numbered(256);
                Scope scope = Scope.open()) {
            assertThat(set.images(255, 0, 51).toFloats()).containsExactly(1, 0, 0.2f);
            assertThat(set.label(51)).isEqualTo(51);
            assertThatThrownBy(() -> set.label(256)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void subsetsHaveTheirOwnMemory() {
        ImageSet set = numbered(10);
        ImageSet part = set.subset(7, 2);
        set.close();
        try (part;
                Scope scope = Scope.open()) {
            assertThat(part.pixels().toLongs()).containsExactly(7, 2);
            assertThat(part.labels()).containsExactly(7, 2);
            assertThat(part.classes()).hasSize(10);
        }
    }

    @Test
    void splitsShareNoImageAndFollowTheKey() {
        try (ImageSet set = numbered(100)) {
            List<ImageSet> parts = set.split(Key.of(1), 0.7);
            List<ImageSet> again = set.split(Key.of(1), 0.7);
            List<ImageSet> other = set.split(Key.of(2), 0.7);
            assertThat(parts).extracting(ImageSet::count).containsExactly(70, 30);
            int[] all = parts.stream()
                    .flatMapToInt(part -> Arrays.stream(part.labels()))
                    .sorted()
                    .toArray();
            assertThat(all).isEqualTo(set.labels());
            assertThat(again.get(1).labels()).isEqualTo(parts.get(1).labels());
            assertThat(other.get(1).labels()).isNotEqualTo(parts.get(1).labels());
            List.of(parts, again, other).forEach(list -> list.forEach(ImageSet::close));
            assertThatThrownBy(() -> set.split(Key.of(1), 1.1)).isInstanceOf(SettingException.class);
            assertThatThrownBy(() -> set.split(Key.of(1), 0.001)).isInstanceOf(SettingException.class);
        }
    }

    @Test
    void whatIsNoImageSetIsRefused() {
        try (Scope scope = Scope.open()) {
            Tensor pixels = Tensors.bytes(2, 1, 1, 1);
            assertThatThrownBy(() -> new ImageSet("x", pixels, new int[] {0}, List.of("a"), 255))
                    .hasMessage("1 labels do not fit 2 images");
            assertThatThrownBy(() -> new ImageSet("x", pixels, new int[] {0, 1}, List.of("a"), 255))
                    .hasMessageContaining("there is no class 1 among 1");
            assertThatThrownBy(() -> new ImageSet("x", pixels, new int[0], List.of(), 256))
                    .isInstanceOf(SettingException.class);
            Tensor floats = Tensors.zeros(DType.FLOAT, Device.CPU, 2, 1, 1, 1);
            assertThatThrownBy(() -> new ImageSet("x", floats, new int[0], List.of(), 255))
                    .hasMessageContaining("takes bytes of shape");
            Tensor none = Tensors.bytes(0, 1, 1, 1);
            assertThatThrownBy(() -> new ImageSet("x", none, new int[0], List.of(), 255))
                    .isInstanceOf(SettingException.class);
        }
    }

    @Test
    void anUnlabelledSetSaysSo() {
        try (ImageSet set = new ImageSet("plain", Tensors.bytes(2, 1, 1, 1), new int[0], List.of(), 255)) {
            assertThatThrownBy(() -> set.label(0)).hasMessage("the images of plain have no labels");
            try (ImageSet part = set.subset(1)) {
                assertThat(part.labelled()).isFalse();
            }
        }
    }

    @Test
    void memoryIsOnlyOfPlainTensors() {
        try (Scope scope = Scope.open()) {
            Tensor bytes = Tensors.bytes(2, 3);
            assertThatThrownBy(() -> bytes.memory(5, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            Tensor turned = bytes.transpose();
            assertThatThrownBy(() -> turned.memory(0, 1)).isInstanceOf(IllegalStateException.class);
        }
    }
}
