package dev.kelvin.metric.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Convolutions, batch norms and pools against other implementations' numbers for a pretrained ResNet-56. Its files are
 * not in the repository; where they are missing the tests are skipped.
 */
final class ResnetFeaturesGoldenTest {
    static final Path NETWORKS =
            Path.of(setting("KELVIN_SHARED").orElse("../../shared")).resolve("data/cifar10-resnet");
    static final Path TEST_IMAGES = Path.of(
                    setting("KELVIN_DATA").orElse(System.getProperty("user.home") + "/.cache/kelvin/data"))
            .resolve("cifar-10-batches-bin/test_batch.bin");
    private static final int SIZE = 32;
    private static final int PIXELS = 3 * SIZE * SIZE;
    private static final double TOLERANCE = 1e-4; // the project's bar

    private static Optional<String> setting(String name) {
        return Optional.ofNullable(System.getenv(name));
    }

    private static ResnetFeatures network() throws IOException {
        Path file = NETWORKS.resolve("resnet56-4bfd9763.safetensors");
        assumeTrue(Files.exists(file), () -> file + " is not there");
        return ResnetFeatures.load(file, Device.CPU);
    }

    /** The reference values come from PyTorch, with the file that names them. */
    @Test
    void theFirstFourTestImages() throws IOException {
        assumeTrue(Files.exists(TEST_IMAGES), () -> TEST_IMAGES + " is not there; get-data cifar10 brings it");
        try (Scope scope = Scope.open();
                ResnetFeatures network = network()) {
            JsonNode right = new JsonMapper()
                    .readTree(NETWORKS.resolve("resnet56_reference_values.json").toFile())
                    .get("first_4_test_images");
            Features.Outputs found = network.outputs(firstImages(4));
            assertThat(found.features().toDoubles()).containsExactly(numbers(right.get("features")), within(TOLERANCE));
            assertThat(found.logits().orElseThrow().toDoubles())
                    .containsExactly(numbers(right.get("logits")), within(TOLERANCE));
        }
    }

    /** Records of one byte for the label and then the pixels, a channel after the other. */
    private static Tensor firstImages(int count) throws IOException {
        float[] pixels = new float[count * PIXELS];
        try (InputStream in = Files.newInputStream(TEST_IMAGES)) {
            for (int image = 0; image < count; image++) {
                byte[] bytes = in.readNBytes(1 + PIXELS);
                for (int i = 0; i < PIXELS; i++) {
                    pixels[image * PIXELS + i] = (bytes[1 + i] & 0xFF) / 255f;
                }
            }
        }
        return Tensors.of(pixels, count, 3, SIZE, SIZE);
    }

    private static double[] numbers(JsonNode rows) {
        return rows.valueStream()
                .flatMap(JsonNode::valueStream)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    /**
     * Pixel (c, y, x) = ((40c + 3y + 5x + yx) mod 256)/255, which needs no data. The values come from the same network
     * written in numpy 2.4.6, in double.
     */
    @Test
    void aPatternOfOurOwn() throws IOException {
        try (Scope scope = Scope.open();
                ResnetFeatures network = network()) {
            float[] pixels = new float[PIXELS];
            for (int i = 0; i < PIXELS; i++) {
                int c = i / (SIZE * SIZE);
                int y = i / SIZE % SIZE;
                int x = i % SIZE;
                pixels[i] = (40 * c + 3 * y + 5 * x + y * x) % 256 / 255f;
            }
            Features.Outputs found = network.outputs(Tensors.of(pixels, 1, 3, SIZE, SIZE));
            double[] features = {0.284303, 0.615239, 1.729376, 0.455790, 1.393325, 0.387619, 0, 2.204020};
            double[] logits = {
                6.220241, 9.276712, -2.849972, -3.705113, -11.078230, -4.327252, 0.002558, -6.650768, 6.335862, 6.750442
            };
            assertThat(found.features().narrow(1, 0, features.length).toDoubles())
                    .containsExactly(features, within(TOLERANCE));
            assertThat(found.logits().orElseThrow().toDoubles()).containsExactly(logits, within(TOLERANCE));
        }
    }
}
