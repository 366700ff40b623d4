package dev.kelvin.metric.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.metric.Calibration;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Reader, convolutions and figures together, on all of CIFAR-10: several minutes, so only where KELVIN_SLOW is set. The
 * expected values come with the pretrained network and were computed by PyTorch.
 */
@EnabledIfEnvironmentVariable(named = "KELVIN_SLOW", matches = "1", disabledReason = "takes minutes: set KELVIN_SLOW=1")
class ResnetFeaturesWholeTest {
    private static final int BATCH = 500;

    /** What one part of the set gave. */
    private record Part(Moments moments, Calibration.Report report, double score) {}

    @Test
    void accuracyAndDistanceOfTheWholeSet() throws IOException {
        Path file = ResnetFeaturesGoldenTest.NETWORKS.resolve("resnet56-4bfd9763.safetensors");
        Path folder = ResnetFeaturesGoldenTest.TEST_IMAGES.resolveSibling("");
        assumeTrue(Files.exists(file), () -> file + " is not there");
        assumeTrue(Files.exists(folder), () -> folder + " is not there; get-data cifar10 brings it");
        try (ResnetFeatures network = ResnetFeatures.load(file, Device.CPU)) {
            Part test = judged(network, folder, ImageFiles.Part.TEST);
            assertThat(test.report.accuracy()).isEqualTo(0.9339);
            Part train = judged(network, folder, ImageFiles.Part.TRAIN);
            double distance = FrechetDistance.of(test.moments, train.moments);
            System.out.printf(
                    "CIFAR-10 by ResNet-56: accuracy %.4f, FID(train, test) %.6f, IS %.6f and %.6f%n",
                    test.report.accuracy(), distance, train.score, test.score);
            assertThat(distance).isCloseTo(0.04996, within(1e-3));
            assertThat(train.score).isCloseTo(9.9642, within(0.02)); // the reference does not say its splits
            assertThat(test.score).isCloseTo(9.5000, within(0.02));
        }
    }

    private static Part judged(ResnetFeatures network, Path folder, ImageFiles.Part part) throws IOException {
        Moments moments = new Moments(64);
        Calibration calibration = new Calibration(10);
        InceptionScore score = new InceptionScore(1);
        try (ImageSet set = ImageFiles.read(folder, ImageFiles.Options.usual().part(part))) {
            for (int from = 0; from < set.count(); from += BATCH) {
                try (Scope scope = Scope.open();
                        NoGrad noGrad = NoGrad.open()) {
                    long[] rows = LongStream.range(from, Math.min(set.count(), from + BATCH))
                            .toArray();
                    Features.Outputs found = network.outputs(set.images(rows));
                    moments.add(found.features());
                    score.add(found.logits().orElseThrow());
                    calibration.add(
                            found.logits().orElseThrow(),
                            Arrays.stream(rows).map(set::label).toArray());
                }
            }
        }
        return new Part(moments, calibration.report(), score.score());
    }
}
