package dev.kelvin.metric.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** With the tiny network of the tensor package's tests, whose features are channels' means and their squares. */
class ScriptFeaturesTest {
    private static Path file(String name) throws URISyntaxException {
        URL found = Objects.requireNonNull(ScriptFeaturesTest.class.getResource("/dev/kelvin/tensor/" + name));
        return Path.of(found.toURI());
    }

    @Test
    void featuresAndLogitsFeedTheFigures() throws IOException, URISyntaxException {
        try (Scope scope = Scope.open();
                ScriptFeatures network = ScriptFeatures.load(file("tiny-script.pt"), Device.CPU)) {
            assertThat(network.ofPublishedFigures()).isFalse();
            assertThat(network.name()).matches("tiny-script\\.pt sha256:[0-9a-f]{16}");
            Tensor images = Tensors.of(new float[] {0, 1, 2, 3, 4, 5}, 3, 2, 1, 1);
            Tensor features = network.features(images);
            assertThat(features.toDoubles())
                    .containsExactly(new double[] {0, 1, 0, 1, 2, 3, 4, 9, 4, 5, 16, 25}, within(1e-6));
            assertThat(features.requiresGrad()).isFalse();
            try (Moments moments = Moments.of(features)) {
                assertThat(FrechetDistance.of(moments, moments)).isCloseTo(0, within(1e-6));
            }
            InceptionScore score = new InceptionScore(1);
            Features.Outputs both = network.outputs(images);
            assertThat(both.features().toDoubles()).isEqualTo(features.toDoubles());
            score.add(both.logits().orElseThrow());
            assertThat(score.score()).isBetween(1.0, 2.0);
        }
    }

    /** The Inception graph takes bytes in three channels, and other arguments for features and for classes. */
    @Test
    void theInceptionGraphIsCalledAsItWants() throws IOException, URISyntaxException {
        try (Scope scope = Scope.open();
                ScriptFeatures network = ScriptFeatures.load(file("tiny-inception.pt"), Device.CPU)) {
            Tensor grey = Tensors.of(new float[] {-0.1f, 0.5f, 1.1f}, 3, 1, 1, 1);
            double[] means = {0, 0, 0, 128, 128, 128, 255, 255, 255};
            Features.Outputs both = network.outputs(grey);
            assertThat(both.features().toDoubles()).isEqualTo(means);
            assertThat(network.classifies()).isTrue();
            assertThat(network.ofPublishedFigures()).isTrue();
            assertThat(both.logits().orElseThrow().exp().toDoubles())
                    .containsOnly(new double[] {1 / 3.0}, within(1e-6)); // with the bias the first would be 1
            Tensor colour = Tensors.of(new float[] {0, 0.2f, 1}, 1, 3, 1, 1);
            assertThat(network.features(colour).toDoubles()).containsExactly(0, 51, 255);
        }
    }

    @Test
    void missingFilesAreNamed() {
        assertThatThrownBy(() -> ScriptFeatures.load(Path.of("no-such.pt"), Device.CPU))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no-such.pt");
    }
}
