package dev.kelvin.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.awt.image.BufferedImage;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImageGridTest {
    private static final int ZOOM = 20; // of images 2 pixels wide
    private static final int GAP = 2;

    @Test
    void magnifiesAndArranges() {
        try (Scope scope = Scope.open()) {
            Tensor images = Tensors.of(new float[] {0, 1, 0.5f, Float.NaN, 2, -1, 1, 1, 0, 0, 0, 0}, 3, 1, 2, 2);
            BufferedImage sheet = ImageGrid.of(images, 2).image();
            int pitch = 2 * ZOOM + GAP;
            assertThat(sheet.getWidth()).isEqualTo(GAP + 2 * pitch);
            assertThat(sheet.getHeight()).isEqualTo(GAP + 2 * pitch);
            assertThat(pixel(sheet, GAP, GAP)).isZero();
            assertThat(pixel(sheet, GAP + ZOOM, GAP)).isEqualTo(0xffffff);
            assertThat(pixel(sheet, GAP, GAP + ZOOM)).isEqualTo(0x808080);
            assertThat(pixel(sheet, GAP + ZOOM, GAP + ZOOM)).isZero(); // NaN
            assertThat(pixel(sheet, GAP + pitch, GAP)).isEqualTo(0xffffff); // 2 is cut off
            assertThat(pixel(sheet, GAP + pitch + ZOOM, GAP)).isZero(); // and so is -1
            assertThat(pixel(sheet, GAP, GAP + pitch)).isZero(); // the third image
            assertThat(pixel(sheet, GAP + pitch, GAP + pitch)).isEqualTo(0xffffff); // nothing
        }
    }

    @Test
    void showsColours() {
        try (Scope scope = Scope.open()) {
            Tensor images = Tensors.of(new float[] {1, 0.2f, 0}, 1, 3, 1, 1);
            BufferedImage sheet = ImageGrid.of(images, 5).image();
            assertThat(pixel(sheet, GAP, GAP)).isEqualTo(0xff3300);
        }
    }

    @Test
    void otherShapesAreRefused() {
        try (Scope scope = Scope.open()) {
            Tensor points = Tensors.of(new float[] {1, 2}, 1, 2);
            assertThatThrownBy(() -> ImageGrid.of(points, 5)).hasMessageContaining("[n, 1 or 3, height, width]");
        }
    }

    private static int pixel(BufferedImage image, int x, int y) {
        return image.getRGB(x, y) & 0xffffff;
    }

    @Test
    void rowsMayHaveNames() {
        try (Scope scope = Scope.open()) {
            Tensor images = Tensors.of(new float[4 * 8 * 8], 4, 1, 8, 8);
            Png plain = ImageGrid.of(images, 2);
            Png named = ImageGrid.of(images, 2, List.of("cat", "a very long name of a class that is cut short"));
            assertThat(named.height()).isEqualTo(plain.height());
            assertThat(named.width() - plain.width()).isBetween(1, 200);
        }
    }
}
