package dev.kelvin.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.metric.image.Features;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnFeaturesTest {
    @TempDir
    private Path folder;

    /** 1 2 / 3 4, clockwise. */
    @Test
    void turnsByQuarters() {
        try (Scope scope = Scope.open()) {
            Tensor pixels = Tensors.bytes(1, 1, 2, 2);
            pixels.memory(0, 4).put(new byte[] {1, 2, 3, 4});
            try (ImageSet set = new ImageSet("few", pixels, new int[0], List.of(), 255);
                    ImageSet turned = TurnFeatures.turned(set)) {
                assertThat(turned.labels()).containsExactly(0, 1, 2, 3);
                assertThat(turned.images(0, 1, 2, 3).times(255).toDoubles())
                        .containsExactly(1, 2, 3, 4, 3, 1, 4, 2, 4, 3, 2, 1, 2, 4, 1, 3);
                assertThat(TurnFeatures.fit(set)).isFalse(); // one alone
            }
        }
    }

    /** Images whose upper half is bright: how far they are turned is plain to see; the file serves the next run. */
    @Test
    void aClassifierOfTurnsGivesFeaturesButNoClasses() throws IOException {
        int images = 200;
        int side = 8;
        Path file = folder.resolve("bright.npy");
        try (Scope scope = Scope.open()) {
            byte[] values = new byte[images * side * side];
            for (int i = 0; i < values.length; i++) {
                int row = i / side % side;
                values[i] = (byte) ((row < side / 2 ? 90 : 0) + (i * 37) % 30);
            }
            Tensor pixels = Tensors.bytes(images, side, side);
            pixels.memory(0, values.length).put(values);
            Npy.write(file, pixels);
        }
        for (int run = 0; run < 2; run++) {
            try (Scope scope = Scope.open();
                    ImageDataset data = ImageDataset.open(file.toString(), Device.CPU);
                    Features features = TurnFeatures.of(folder, data, (what, done, all) -> {})) {
                assertThat(features.name()).contains("classifier of turns of").contains("100.0 % of");
                assertThat(features.classifies()).isFalse();
                Tensor some = data.train().images(0, 1, 2);
                assertThat(features.outputs(some).logits()).isEmpty();
                assertThat(features.features(some).shape()).containsExactly(3, 64);
            }
        }
        try (java.util.stream.Stream<Path> kept = Files.list(folder.resolve("features"))) {
            assertThat(kept).hasSize(1);
        }
    }
}
