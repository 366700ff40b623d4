package dev.kelvin.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.image.Features;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PretrainedFeaturesTest {
    @TempDir
    private Path folder;

    private static Experiment digits() {
        return new Experiment(Recipes.load("digits-shortrun-small", List.of("train.iterations=1")), Device.CPU);
    }

    @Test
    void aNetworkForCifarIsRefusedForDigitsBeforeAnythingIsMeasured() throws IOException {
        Path file = Files.createFile(folder.resolve("resnet56.safetensors"));
        try (Experiment experiment = digits()) {
            Judge judge = Judge.of(experiment);
            assertThatThrownBy(() -> judge.with(Optional.of(file), OptionalInt.empty(), Optional.empty()))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("resnet56.safetensors is for colour images of 32x32 pixels")
                    .hasMessageContaining("are 8x8 with 1 channel");
        }
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        try (Experiment experiment = digits()) {
            Judge judge = Judge.of(experiment);
            Path file = folder.resolve("no-such.pt");
            assertThatThrownBy(() -> judge.with(Optional.of(file), OptionalInt.empty(), Optional.empty()))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("no-such.pt: there is no such file of features");
        }
    }

    @Test
    void aScriptTakesImagesOfAnySize() throws IOException {
        Path file = Files.createFile(folder.resolve("network.pt"));
        try (Experiment experiment = digits()) {
            assertThat(((ImageJudge)
                                    Judge.of(experiment).with(Optional.of(file), OptionalInt.empty(), Optional.empty()))
                            .by()
                            .file())
                    .contains(file);
        }
    }

    private static Features network(boolean published) {
        return new Features() {
            @Override
            public String name() {
                return "some";
            }

            @Override
            public Tensor features(Tensor images) {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean classifies() {
                return true;
            }

            @Override
            public boolean ofPublishedFigures() {
                return published;
            }

            @Override
            public Outputs outputs(Tensor images) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void onlyFiguresOfTheInceptionNetworkAndOfEnoughImagesCompareWithPublishedOnes() {
        assertThat(ImageJudge.comparable(network(false), 50_000)).startsWith("none of FID, KID and Inception score");
        assertThat(ImageJudge.comparable(network(true), 49_999))
                .startsWith("KID with published ones; FID and Inception score not");
        assertThat(ImageJudge.comparable(network(true), 50_000))
                .startsWith("FID, KID and Inception score with published ones");
    }
}
