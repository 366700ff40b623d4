package dev.kelvin.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.metric.image.Moments;
import dev.kelvin.negative.Batch;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageDatasetTest {
    @TempDir
    private Path folder;

    /** So many images, 2 × 2 with values 0, 1, 2 ..., or of another side. */
    private Path write(String name, int images, int side) throws IOException {
        Path file = folder.resolve(name);
        try (Scope scope = Scope.open()) {
            Tensor pixels = Tensors.bytes(images, side, side);
            pixels.memory(0, images * side * side).put(values(images * side * side));
            Npy.write(file, pixels);
        }
        return file;
    }

    private static byte[] values(int count) {
        byte[] values = new byte[count];
        for (int i = 0; i < count; i++) {
            values[i] = (byte) i;
        }
        return values;
    }

    private void label(String name, long... labels) throws IOException {
        try (Scope scope = Scope.open()) {
            Npy.write(folder.resolve(name), Tensors.of(labels));
        }
    }

    @Test
    void hasAsManyClassesAsTheLabelsSay() throws IOException {
        Path file = write("my-images.npy", 6, 2);
        label("my-labels.npy", 0, 1, 2, 0, 1, 2);
        try (ImageDataset data = ImageDataset.open(file.toString(), Device.CPU)) {
            assertThat(data.classes()).containsExactly("0", "1", "2");
        }
    }

    @Test
    void refusesHeldOutClassesThatAreNotLearnt() throws IOException {
        write("train-images.npy", 2, 2);
        label("train-labels.npy", 0, 1);
        write("test-images.npy", 2, 2);
        label("test-labels.npy", 1, 2);
        assertThatThrownBy(() -> ImageDataset.open(folder.toString(), Device.CPU))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("the test part has the class 2, of which the training part has no image");
    }

    @Test
    void keepsAFifthBackOrTheSetsOwnTestPart() throws IOException {
        Path file = write("train-images.npy", 10, 2);
        try (ImageDataset data = ImageDataset.open(file.toString(), Device.CPU)) {
            assertThat(data.train().count()).isEqualTo(8);
            assertThat(data.test().count()).isEqualTo(2);
        }
        write("test-images.npy", 3, 2);
        try (ImageDataset data = ImageDataset.open(folder.toString(), Device.CPU)) {
            assertThat(data.train().count()).isEqualTo(10);
            assertThat(data.test().count()).isEqualTo(3);
        }
    }

    /** The same in every run, and the held-out images stay as they are. */
    @Test
    void usesAsManyTrainingImagesAsAreAskedFor() throws IOException {
        write("train-images.npy", 10, 2);
        write("test-images.npy", 3, 2);
        byte[][] twice = new byte[2][];
        for (int run = 0; run < 2; run++) {
            try (ImageSets sets = ImageSets.of(some(4))) {
                assertThat(sets.train().count()).isEqualTo(4);
                assertThat(sets.test().count()).isEqualTo(3);
                twice[run] = new byte[16];
                sets.train().pixels().memory(0, 16).get(twice[run]);
            }
        }
        assertThat(twice[1]).containsExactly(twice[0]);
        assertThatThrownBy(() -> ImageSets.of(some(11)))
                .hasMessageContaining("must be at most the number of training images")
                .hasMessageContaining("10, found 11");
        assertThatThrownBy(() -> some(0)).hasMessageContaining("count must be at least 1");
    }

    private ImageSettings some(int count) {
        return new ImageSettings(
                folder.toString(),
                0,
                1,
                0,
                false,
                List.of(),
                Optional.empty(),
                0,
                false,
                List.of(),
                OptionalInt.of(count));
    }

    @Test
    void aTestPartOfAnotherSizeIsRefused() throws IOException {
        write("train-images.npy", 10, 2);
        write("test-images.npy", 3, 4);
        assertThatThrownBy(() -> ImageDataset.open(folder.toString(), Device.CPU))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "data.images.set: the test part has 4 x 4 pixels in 1 channels, the training part 2 x 2 in 1");
    }

    @Test
    void tooFewImagesAreSaid() throws IOException {
        Path file = write("two.npy", 2, 2);
        assertThatThrownBy(() -> ImageDataset.open(file.toString(), Device.CPU))
                .isInstanceOf(UserException.class)
                .hasMessage("data.images.set: " + file
                        + " has 2 images; a fifth is kept back to judge, so it takes 3 or more");
        Path three = write("three.npy", 3, 2);
        try (ImageDataset data = ImageDataset.open(three.toString(), Device.CPU)) {
            assertThat(data.test().count()).isEqualTo(1);
        }
    }

    @Test
    void theHashIsOfPixelsAndLabels() throws IOException, NoSuchAlgorithmException {
        Files.createDirectories(folder.resolve("many"));
        Path file = write("many/images.npy", 300, 64); // more bytes than are hashed at a time
        String expected =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(values(300 * 64 * 64)));
        try (ImageSet set = ImageFiles.read(file)) {
            assertThat(ImageDataset.hash(set)).isEqualTo(expected);
        }
    }

    /** Each changes the images, by the key alone, and leaves them in [0, 1]. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dequantise=true",
                "augment=[flip]",
                "augment=[{crop: {padding: 1}}]",
                "augment=[{resized-crop: {least: 0.3}}]",
                "augment=[{colour-jitter: {strength: 1}}]"
            })
    void batchesAreChangedAsTheRecipeSays(String setting) throws IOException {
        Path file = write("images.npy", 40, 4);
        float[] plain = batch(file, "low=0");
        float[] changed = batch(file, setting);
        assertThat(changed).isNotEqualTo(plain).isEqualTo(batch(file, setting));
        for (float value : changed) {
            assertThat(value).isBetween(0f, 1f);
        }
    }

    private static ImageDataset opened(Path file, String setting) {
        List<String> settings = List.of(
                "data.images.set=" + file, "data.images.low=0", "data.images.noise=0", "data.images." + setting);
        Recipe recipe = Recipes.load("digits-shortrun", settings);
        return ImageDataset.open((ImageSettings) recipe.data(), Key.of(1), Device.CPU);
    }

    private static float[] batch(Path file, String setting) {
        try (ImageDataset data = opened(file, setting);
                Scope scope = Scope.open()) {
            return data.batches(false).batch(Key.of(2), 0, 16).x().toFloats();
        }
    }

    /** A set may be sorted by class: its first images would be of the first class alone. */
    @Test
    void someImagesAreOfTheWholeSet() throws IOException {
        Path file = write("sorted.npy", 64, 2); // the i-th begins with the value 4i
        try (ImageSet set = ImageFiles.read(file);
                Scope scope = Scope.open()) {
            double[] first = ImageDataset.some(Key.of(1), set, 32)
                    .flattenSamples()
                    .select(1, 0)
                    .toDoubles();
            assertThat(first).hasSize(32).doesNotHaveDuplicates();
            assertThat(Arrays.stream(first).max().orElseThrow()).isGreaterThan(0.75);
            assertThat(ImageDataset.some(Key.of(1), set, 100).size(0)).isEqualTo(64);
        }
    }

    /** What is judged is compared with the images as they are: whatever the model sees of them must lead back. */
    @ParameterizedTest
    @CsvSource({"0, 1, false", "0, 1, true", "-1, 1, false", "-1, 1, true", "-0.5, 0.5, false", "-0.5, 0.5, true"})
    void imagesAreNoDistanceFromThemselves(double low, double high, boolean dequantise) {
        List<String> settings = List.of(
                "data.images.noise=0",
                "data.images.low=" + low,
                "data.images.high=" + high,
                "data.images.dequantise=" + dequantise);
        Recipe recipe = Recipes.load("digits-shortrun", settings);
        try (ImageDataset data = ImageDataset.open((ImageSettings) recipe.data(), Key.of(1), Device.CPU);
                Scope scope = Scope.open()) {
            long[] numbers = ImageDataset.range(0, 300);
            Tensor images = data.train().images(numbers);
            for (Tensor seen :
                    List.of(data.learnt(images), data.drawn(new Key[] {Key.of(1), Key.of(2), Key.of(3)}, numbers))) {
                Tensor back = data.unit(seen);
                double off = Arrays.stream(back.minus(images).toDoubles())
                        .map(Math::abs)
                        .max()
                        .orElseThrow();
                assertThat(off).isLessThan(2e-7); // 2 ulp of [−1, 1]
                assertThat(fid(back, images)).isLessThan(1e-9);
            }
            assertThat(fid(data.unit(data.learnt(images.times(0.9))), images)).isGreaterThan(1e-3);
        }
    }

    private static double fid(Tensor x, Tensor y) {
        try (Moments one = Moments.of(x.flattenSamples());
                Moments other = Moments.of(y.flattenSamples())) {
            return FrechetDistance.of(one, other);
        }
    }

    /** A density of dequantised images is compared with draws that are, too. */
    @Test
    void drawsAreDequantisedToo() throws IOException {
        Path file = write("images.npy", 40, 4);
        try (ImageDataset data = opened(file, "dequantise=true");
                Scope scope = Scope.open()) {
            float[] drawn = data.draws().draw(Key.of(2), 50).toFloats();
            assertThat(data.learnt(Tensors.of(new float[] {0, 1}, 1, 1, 1, 2)).toFloats())
                    .containsExactly(new float[] {0.5f / 256, 255.5f / 256}, offset(1e-6f));
            int between = 0;
            for (float value : drawn) {
                between += Math.abs(value * 255 - Math.rint(value * 255)) > 1e-3 ? 1 : 0; // 255: no shade of the file's
                assertThat(value).isBetween(0f, 1f);
            }
            assertThat(between).isGreaterThan(drawn.length * 9 / 10);
        }
    }

    /** As many as the recipe says, in the order that batches of that size have. */
    @Test
    void theLabelTermsBatchesMayBeLarger() {
        try (Scope scope = Scope.open();
                ImageDataset same = digits(", labelled: {augment: [flip]}", 0);
                ImageDataset larger = digits(", labelled: {augment: [flip], batch: 64}", 0)) {
            Batch batch = larger.batches(true).batch(Key.of(1), 70, 32);
            assertThat(batch.k())
                    .isEqualTo(same.batches(true).batch(Key.of(1), 70, 32).k());
            Batch own = batch.labelled().orElseThrow();
            assertThat(own.k()).hasSize(64);
            assertThat(own.x().size(0)).isEqualTo(64);
            assertThat(own.k())
                    .isEqualTo(same.batches(true)
                            .batch(Key.of(1), 70, 64)
                            .labelled()
                            .orElseThrow()
                            .k());
        }
    }

    private static ImageDataset digits(boolean labelled, double noise) {
        return digits(labelled ? ", labelled: {augment: [flip]}" : "", noise);
    }

    private static ImageDataset digits(String labelled, double noise) {
        String text = """
                data: {images: {set: digits, noise: %s%s}}
                model: {short-run: {filters: 2}}
                classes: head
                negatives: {start: gaussian, kernel: {langevin: {stepSize: 0.01}}, steps: 1}
                objective: cd-ce
                optimiser: {adam: {learningRate: 1e-3}}
                train: {iterations: 1}
                """.formatted(noise, labelled);
        return (ImageDataset) Recipes.parse("a.yaml", text, List.of()).data().open(Key.of(5), Device.CPU);
    }

    /** The label term's batches: another order of the same images, changed, a function of the step; the others are as ever. */
    @Test
    void theLabelTermHasBatchesOfItsOwn() {
        int count = 32;
        try (Scope scope = Scope.open();
                ImageDataset plain = digits(false, 0.1);
                ImageDataset both = digits(true, 0.1);
                ImageDataset clean = digits(true, 0)) {
            Batch alone = plain.batches(true).batch(Key.of(1), 70, count); // in the second epoch
            Batch batch = both.batches(true).batch(Key.of(1), 70, count);
            assertThat(alone.labelled()).isEmpty();
            assertThat(batch.x().toFloats()).isEqualTo(alone.x().toFloats());
            assertThat(batch.k()).isEqualTo(alone.k());
            Batch own = batch.labelled().orElseThrow();
            assertThat(own.k()).hasSize(count).isNotEqualTo(batch.k());
            Batch again =
                    both.batches(true).batch(Key.of(1), 70, count).labelled().orElseThrow();
            assertThat(again.x().toFloats()).isEqualTo(own.x().toFloats());
            assertThat(again.k()).isEqualTo(own.k());
            Batch image =
                    clean.batches(true).batch(Key.of(1), 70, count).labelled().orElseThrow();
            assertThat(image.k()).isEqualTo(own.k());
            double noise = own.x().minus(image.x()).square().mean().item();
            assertThat(noise).isCloseTo(0.01, offset(0.0013)); // 4 standard errors of 2048 squares
            assertThat(both.batches(true)
                            .batch(Key.of(1), 71, count)
                            .labelled()
                            .orElseThrow()
                            .k())
                    .isNotEqualTo(own.k());
            // each is an image of the set with its class, perhaps mirrored
            Tensor all = clean.learnt(
                    clean.train().images(ImageDataset.range(0, clean.train().count())));
            double[] distances =
                    image.x().flattenSamples().distances(all.flattenSamples()).toDoubles();
            int found = 0;
            for (int i = 0; i < count; i++) {
                for (int j = 0; j < clean.train().count(); j++) {
                    if (distances[i * clean.train().count() + j] < 1e-3) {
                        found++;
                        assertThat((long) clean.train().label(j)).isEqualTo(image.k()[i]);
                    }
                }
            }
            assertThat(found).isBetween(4, 28); // about a half are mirrored: 16 ± 4 standard deviations
            assertThat(both.batches(false).batch(Key.of(1), 70, count).labelled())
                    .isEmpty();
        }
    }
}
