package dev.kelvin.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.negative.ClassGaussians;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GaussianFileTest {
    private static final List<Long> SHAPE = List.of(1L, 2L, 2L);

    private static ImageSet never() {
        throw new AssertionError("the images were read");
    }

    @TempDir
    private Path folder;

    /** Four pixels; class 0 has one image, class 1 two, class 2 a hundred, whose last pixel never changes. */
    private static ImageSet images() {
        int many = 100;
        double[] values = new double[4 * (3 + many)];
        int[] labels = new int[3 + many];
        double[] first = {255, 0, 51, 102};
        System.arraycopy(first, 0, values, 0, 4);
        double[] second = {0, 0, 0, 0, 102, 204, 0, 0};
        System.arraycopy(second, 0, values, 4, 8);
        labels[1] = 1;
        labels[2] = 1;
        for (int i = 3; i < labels.length; i++) {
            labels[i] = 2;
            for (int j = 0; j < 3; j++) {
                values[4 * i + j] = (37 * i + 91 * j * i) % 256;
            }
            values[4 * i + 3] = 51;
        }
        Tensor pixels = Tensors.of(values, labels.length, 1, 2, 2).to(DType.BYTE);
        return new ImageSet("squares", pixels, labels, List.of("a", "b", "c"), 255);
    }

    private static float[] draws(ClassGaussians gaussians) {
        try (Scope scope = Scope.open();
                gaussians) {
            return gaussians.drawGiven(Key.of(1), ReplayBuffer.inTurn(30, 3)).toFloats();
        }
    }

    /** Classes of one image and of fewer images than pixels have a Gaussian too, as wide as the ridge where it is flat. */
    @Test
    void eachClassHasItsMeanAndCovariance() {
        try (Scope scope = Scope.open();
                ImageSet set = images();
                ClassGaussians found =
                        new GaussianFile(folder.resolve("g.safetensors"), "hash").of(SHAPE, 3, () -> set, Device.CPU)) {
            int n = 20_000;
            for (int label = 0; label < 3; label++) {
                long[] k = new long[n];
                Arrays.fill(k, label);
                Tensor x = found.drawGiven(Key.of(2).child(label), k)
                        .flattenSamples()
                        .to(DType.DOUBLE);
                Tensor centred = x.minus(x.mean(0L));
                double[] mean = x.mean(0L).toDoubles();
                double[] variances = centred.transpose().matmul(centred).over(n).toDoubles();
                if (label == 0) {
                    // 5σ of the ridge's 0.005: nothing but the image
                    assertThat(mean).containsExactly(new double[] {1, 0, 0.2, 0.4}, within(2e-4));
                    assertThat(variances[0]).isCloseTo(2.5e-5, within(2e-6));
                } else if (label == 1) {
                    assertThat(mean).containsExactly(new double[] {0.2, 0.4, 0, 0}, within(0.02));
                    assertThat(variances[0]).isCloseTo(0.08, within(0.005)); // ((0.4)²/2)·2/(2 − 1), and so on
                    assertThat(variances[1]).isCloseTo(0.16, within(0.01));
                    assertThat(variances[5]).isCloseTo(0.32, within(0.02));
                    assertThat(variances[10]).isCloseTo(2.5e-5, within(2e-6));
                } else {
                    assertThat(variances[0]).isBetween(0.05, 0.12);
                    assertThat(mean[3]).isCloseTo(0.2, within(2e-4));
                    assertThat(variances[15]).isCloseTo(2.5e-5, within(2e-6));
                }
            }
        }
    }

    @Test
    void theFileIsReadInsteadOfTheImages() throws IOException {
        GaussianFile file = new GaussianFile(folder.resolve("new").resolve("g.safetensors"), "hash");
        try (Scope scope = Scope.open();
                ImageSet set = images()) {
            float[] fitted = draws(file.of(SHAPE, 3, () -> set, Device.CPU));
            assertThat(draws(file.of(SHAPE, 3, GaussianFileTest::never, Device.CPU)))
                    .isEqualTo(fitted);
            try (var files = Files.list(folder.resolve("new"))) {
                assertThat(files).containsExactly(file.file()); // no temporary file is left
            }

            // one of other images is not taken for these, nor one of another shape or number of classes
            GaussianFile others = new GaussianFile(file.file(), "another");
            assertThatThrownBy(() -> others.of(SHAPE, 3, GaussianFileTest::never, Device.CPU))
                    .hasMessage("the images were read");
            assertThatThrownBy(() -> file.of(SHAPE, 1, GaussianFileTest::never, Device.CPU))
                    .hasMessage("the images were read");

            // a damaged one is made anew
            byte[] whole = Files.readAllBytes(file.file());
            for (int length : new int[] {0, 5, whole.length / 2, whole.length - 1}) {
                Files.write(file.file(), Arrays.copyOf(whole, length));
                assertThat(draws(file.of(SHAPE, 3, () -> set, Device.CPU))).isEqualTo(fitted);
                assertThat(draws(file.of(SHAPE, 3, GaussianFileTest::never, Device.CPU)))
                        .isEqualTo(fitted);
            }
        }
    }

    @Test
    void theNameHasTheDatasHash() {
        String hash = "0123456789abcdef0123456789abcdef";
        assertThat(GaussianFile.path("a/b c", hash, true))
                .isEqualTo(Path.of("runs", "gaussians", "a-b-c-0123456789abcdef-classes.safetensors"));
        assertThat(GaussianFile.path("digits", hash, false))
                .isEqualTo(Path.of("runs", "gaussians", "digits-0123456789abcdef.safetensors"));
    }

    @Test
    void aClassWithoutImagesIsNamed() {
        try (Scope scope = Scope.open();
                ImageSet set = images()) {
            GaussianFile file = new GaussianFile(folder.resolve("g.safetensors"), "hash");
            try (ImageSet two = set.subset(0, 1)) {
                assertThatThrownBy(() -> file.of(SHAPE, 3, () -> two, Device.CPU))
                        .isInstanceOf(UserException.class)
                        .hasMessageContaining("no training image of squares is of the class c");
            }
            assertThat(file.file()).doesNotExist();
        }
    }
}
