package dev.kelvin.data.augment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.InScope;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(InScope.class)
final class AugmentationTest {
    static List<Augmentation> all() {
        return List.of(
                new Crop(2),
                new Flip(0.5),
                new ResizedCrop(0.2, 1, 4.0 / 3),
                new ColourJitter(1, 0.4, 0.4, 0.4, 0.1, 0.8),
                new Greyscale(0.2),
                new GaussianNoise(0.1),
                new Dequantisation(255),
                new Augmentation.InTurn(List.of(new Crop(1), new Flip(0.5))),
                new Flip(0.5).within(new PixelRange(-1, 1)));
    }

    private static Tensor images(long... shape) {
        return Tensors.uniform(Key.of(77), 0, 1, DType.FLOAT, Device.CPU, shape);
    }

    /** One image of 2 × 3 pixels: 1 2 3 / 4 5 6, repeated. */
    private static Tensor counted(int n) {
        return Tensors.of(new float[] {1, 2, 3, 4, 5, 6}, 1, 1, 2, 3).expand(n, 1, 2, 3);
    }

    @ParameterizedTest
    @MethodSource("all")
    void theKeyDecides(Augmentation augmentation) {
        Tensor x = images(16, 3, 6, 7);
        float[] before = x.toFloats();
        Tensor first = augmentation.apply(Key.of(1), x);
        assertThat(first.shape()).containsExactly(16, 3, 6, 7);
        assertThat(first.dtype()).isEqualTo(DType.FLOAT);
        assertThat(augmentation.apply(Key.of(1), x).toFloats()).isEqualTo(first.toFloats());
        assertThat(augmentation.apply(Key.of(2), x).toFloats()).isNotEqualTo(first.toFloats());
        assertThat(x.toFloats()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("all")
    void doublesGiveTheSameChange(Augmentation augmentation) {
        Tensor x = images(16, 3, 6, 7);
        double[] floats = augmentation.apply(Key.of(1), x).toDoubles();
        Tensor doubles = augmentation.apply(Key.of(1), x.to(DType.DOUBLE));
        assertThat(doubles.dtype()).isEqualTo(DType.DOUBLE);
        assertThat(doubles.toDoubles()).containsExactly(floats, within(2e-6)); // a few ulp of float at 1
    }

    @ParameterizedTest
    @MethodSource("all")
    void oneChannelIsEnough(Augmentation augmentation) {
        assertThat(augmentation.apply(Key.of(1), images(4, 1, 6, 7)).shape()).containsExactly(4, 1, 6, 7);
        assertThatThrownBy(() -> new Flip(0.5).apply(Key.of(1), images(4, 7)))
                .hasMessageContaining("images have the shape [n, channels, height, width]");
    }

    @ParameterizedTest
    @MethodSource("all")
    void channelsLastIsUnderstood(Augmentation augmentation) {
        Tensor x = images(4, 3, 6, 7);
        assertThat(augmentation.apply(Key.of(1), x.channelsLast()).toFloats())
                .containsExactly(augmentation.apply(Key.of(1), x).toFloats(), within(1e-6f));
    }

    @Test
    void cropsReflectWithoutTheEdge() {
        Tensor moved = new Crop(1).apply(Key.of(3), counted(400));
        Set<List<Float>> found = new HashSet<>();
        for (int i = 0; i < 400; i++) {
            float[] values = moved.select(0, i).toFloats();
            found.add(List.of(values[0], values[1], values[2], values[3], values[4], values[5]));
        }
        // rows: as they are, or each the other (one up and one down reflect to the same); columns: 123, 212, 232
        assertThat(found)
                .containsExactlyInAnyOrder(
                        List.of(1f, 2f, 3f, 4f, 5f, 6f),
                        List.of(2f, 1f, 2f, 5f, 4f, 5f),
                        List.of(2f, 3f, 2f, 5f, 6f, 5f),
                        List.of(4f, 5f, 6f, 1f, 2f, 3f),
                        List.of(5f, 4f, 5f, 2f, 1f, 2f),
                        List.of(5f, 6f, 5f, 2f, 3f, 2f));
        assertThat(new Crop(0).apply(Key.of(3), counted(2)).toFloats())
                .isEqualTo(counted(2).toFloats());
    }

    @Test
    void flipsTurnRows() {
        assertThat(new Flip(1).apply(Key.of(3), counted(1)).toFloats()).containsExactly(3, 2, 1, 6, 5, 4);
        assertThat(new Flip(0).apply(Key.of(3), counted(1)).toFloats()).containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void everyChannelMovesAlike() {
        Tensor plane = images(8, 1, 5, 5);
        Tensor moved = new Augmentation.InTurn(List.of(new Crop(2), new Flip(0.5), new ResizedCrop(0.3, 0.6, 4.0 / 3)))
                .apply(Key.of(5), Tensors.concat(1, plane, plane.times(2), plane.times(4)));
        float[] first = moved.select(1, 0).toFloats();
        assertThat(moved.select(1, 2).times(0.25).toFloats()).containsExactly(first, within(1e-6f));
    }

    @Test
    void aWholeWindowShowsTheImageAndASmallOneItsPart() {
        Tensor x = images(3, 2, 6, 6);
        assertThat(new ResizedCrop(1, 1, 1).apply(Key.of(1), x).toFloats())
                .containsExactly(x.toFloats(), within(1e-6f));
        // x = column/10: a window of half the side shows columns at half the distance, from its left edge + 1/4
        float[] ramp = new float[64];
        for (int i = 0; i < 64; i++) {
            ramp[i] = i % 8 / 10f;
        }
        float[] shown = new ResizedCrop(0.25, 0.25, 1)
                .apply(Key.of(8), Tensors.of(ramp, 1, 1, 8, 8))
                .toFloats();
        int left = new ResizedCrop(0.25, 0.25, 1).window(Key.of(8).stream(), 8, 8)[1];
        for (int i = 0; i < 8; i++) {
            double column = Math.max(0, Math.min(7, left + (i + 0.5) / 2 - 0.5));
            assertThat((double) shown[i]).isEqualTo(column / 10, within(1e-6));
        }
    }

    @Test
    void jitterIsTheMatrixThatItsJavadocSays() {
        Tensor x = images(1, 3, 2, 2).times(0.2).plus(0.3); // far from the clamp
        double[] v = x.toDoubles();
        double b = 1 + 0.1 * (2 * draw(1) - 1);
        double c = 1 + 0.2 * (2 * draw(2) - 1);
        double s = 1 + 0.3 * (2 * draw(3) - 1);
        double m = 0;
        for (int p = 0; p < 4; p++) {
            m += b * (0.299 * v[p] + 0.587 * v[4 + p] + 0.114 * v[8 + p]) / 4;
        }
        double[] found =
                new ColourJitter(1, 0.1, 0.2, 0.3, 0, 1).apply(Key.of(6), x).toDoubles();
        for (int p = 0; p < 4; p++) {
            double[] light = new double[3];
            for (int k = 0; k < 3; k++) {
                light[k] = c * b * v[4 * k + p] + (1 - c) * m;
            }
            double grey = 0.299 * light[0] + 0.587 * light[1] + 0.114 * light[2];
            for (int k = 0; k < 3; k++) {
                assertThat(found[4 * k + p]).isEqualTo(s * light[k] + (1 - s) * grey, within(1e-6));
            }
        }
    }

    /** The jitter's draws: whether, b, c, s, t. */
    private static double draw(int index) {
        var random = Key.of(6).stream();
        for (int i = 0; i < index; i++) {
            random.nextDouble();
        }
        return random.nextDouble();
    }

    @Test
    void aThirdOfATurnTakesRedToGreenAndGreyStaysGrey() {
        double[] third = ColourMatrix.hue(1.0 / 3);
        assertThat(new double[] {third[0], third[3], third[6]}).containsExactly(new double[] {0, 1, 0}, within(1e-12));
        double[] any = ColourMatrix.times(ColourMatrix.hue(0.17), ColourMatrix.saturation(0.4));
        for (int row = 0; row < 3; row++) {
            assertThat(any[3 * row] + any[3 * row + 1] + any[3 * row + 2]).isEqualTo(1, within(1e-12));
        }
    }

    @Test
    void greyHasThreeEqualChannelsOfLuminance() {
        Tensor x = Tensors.of(new float[] {1, 0.5f, 0.25f}, 1, 3, 1, 1);
        double grey = 0.299 + 0.587 * 0.5 + 0.114 * 0.25;
        assertThat(new Greyscale(1).apply(Key.of(1), x).toDoubles())
                .containsExactly(new double[] {grey, grey, grey}, within(1e-6));
        assertThat(new Greyscale(0).apply(Key.of(1), x).toFloats()).containsExactly(1, 0.5f, 0.25f);
    }

    @Test
    void jitterStaysInRangeAndDequantisationInItsBins() {
        Tensor x = images(64, 3, 4, 4);
        Tensor jittered = new ColourJitter(1, 1, 1, 1, 0.5, 1).apply(Key.of(1), x);
        assertThat(jittered.min().item()).isGreaterThanOrEqualTo(0);
        assertThat(jittered.max().item()).isLessThanOrEqualTo(1);
        float[] shades = new float[17 * 100];
        for (int i = 0; i < shades.length; i++) {
            shades[i] = i % 17 / 16f;
        }
        double[] spread = new Dequantisation(16)
                .apply(Key.of(1), Tensors.of(shades, 100, 1, 1, 17))
                .toDoubles();
        for (int i = 0; i < spread.length; i++) {
            assertThat(spread[i]).isBetween(i % 17 / 17.0 - 1e-6, (i % 17 + 1) / 17.0 + 1e-6);
        }
        assertThat(Arrays.stream(spread).distinct().count()).isGreaterThan(1690);
    }

    @Test
    void anotherRangeIsGoneThroughAndBack() {
        Tensor x = images(8, 3, 4, 4);
        PixelRange range = new PixelRange(-1, 1);
        Augmentation jitter = new ColourJitter(1, 0.4, 0.4, 0.4, 0.1, 1);
        double[] expected = range.fromUnit(jitter.apply(Key.of(2), x)).toDoubles();
        assertThat(jitter.within(range).apply(Key.of(2), range.fromUnit(x)).toDoubles())
                .containsExactly(expected, within(1e-5));
        assertThat(range.fromUnit(Tensors.of(new float[] {0, 0.5f, 1})).toFloats())
                .containsExactly(-1, 0, 1);
        assertThatThrownBy(() -> new PixelRange(1, 1)).isInstanceOf(SettingException.class);
    }

    @ParameterizedTest
    @MethodSource("all")
    void worksInAnyRange(Augmentation augmentation) {
        Tensor x = images(16, 3, 6, 7);
        PixelRange range = new PixelRange(-3, 2);
        double[] expected = range.fromUnit(augmentation.apply(Key.of(2), x)).toDoubles();
        assertThat(augmentation
                        .within(range)
                        .apply(Key.of(2), range.fromUnit(x))
                        .toDoubles())
                .containsExactly(expected, within(1e-5)); // some tens of roundings of float at 3, 2.4e-7 each
    }

    @Test
    void movedPixelsKeepTheirValuesInAnyRange() {
        Tensor x = images(16, 3, 6, 7).times(0.3).minus(7);
        Augmentation moves = new Augmentation.InTurn(List.of(new Flip(0.5), new Crop(2)));
        float[] moved = moves.within(new PixelRange(-1, 1)).apply(Key.of(3), x).toFloats();
        assertThat(moved).isEqualTo(moves.apply(Key.of(3), x).toFloats());
    }

    @Test
    void unchangedImagesAreNotClamped() {
        Tensor x = images(64, 3, 4, 4).times(3).minus(1); // as a chain leaves them
        assertThat(new ColourJitter(1, 0.4, 0.4, 0.4, 0.1, 0)
                        .apply(Key.of(4), x)
                        .toFloats())
                .isEqualTo(x.toFloats());
        Tensor half = new ColourJitter(1, 0.4, 0.4, 0.4, 0.1, 0.5).apply(Key.of(4), x);
        int kept = 0;
        for (int i = 0; i < 64; i++) {
            Tensor image = half.select(0, i);
            if (Arrays.equals(image.toFloats(), x.select(0, i).toFloats())) {
                kept++;
            } else {
                assertThat(image.min().item()).isGreaterThanOrEqualTo(0);
                assertThat(image.max().item()).isLessThanOrEqualTo(1);
            }
        }
        assertThat(kept).isBetween(8, 56); // six standard deviations, 4 images, from 32
    }

    @Test
    void strengthScalesEveryRangeOfTheJitter() {
        Tensor x = images(16, 3, 4, 4);
        double by = 0.8 * 0.37;
        assertThat(new ColourJitter(0.37, 0.8, 0.8, 0.8, 0.2, 0.8)
                        .apply(Key.of(1), x)
                        .toFloats())
                .isEqualTo(new ColourJitter(1, by, by, by, by / 4, 0.8)
                        .apply(Key.of(1), x)
                        .toFloats());
    }

    @Test
    void areFoundByNameWithTheirSettings() {
        Map<String, Class<? extends Augmentation>> found = Catalogue.of(Augmentation.class);
        assertThat(found.keySet())
                .containsExactly(
                        "flip",
                        "crop",
                        "resized-crop",
                        "colour-jitter",
                        "greyscale",
                        "gaussian-noise",
                        "dequantisation");
        found.forEach((name, type) -> {
            assertThat(type.isAnnotationPresent(Doc.class)).as(name).isTrue();
            for (RecordComponent setting : type.getRecordComponents()) {
                assertThat(setting.isAnnotationPresent(Doc.class) || setting.isAnnotationPresent(Given.class))
                        .as(name + "." + setting.getName())
                        .isTrue();
            }
        });
    }

    @Test
    void saysWhatItDoes() {
        assertThat(new Augmentation.InTurn(List.of(new Flip(0.5), new Crop(4))).words())
                .isEqualTo("random horizontal flip, random crop after padding by 4 pixels");
        assertThat(new ResizedCrop(0.08, 1, 4.0 / 3)
                        .within(new PixelRange(-1, 1))
                        .words())
                .isEqualTo("random resized crop of 8% to 100% of the area");
        assertThat(new Greyscale(0.2).words()).isEqualTo("random greyscale of 20% of images");
        all().forEach(each -> assertThat(each.words()).isNotBlank());
    }

    @Test
    void settingsAreChecked() {
        assertThatThrownBy(() -> new Flip(1.1)).isInstanceOf(SettingException.class);
        assertThatThrownBy(() -> new Crop(-1)).isInstanceOf(SettingException.class);
        assertThatThrownBy(() -> new ResizedCrop(0, 1, 4.0 / 3)).isInstanceOf(SettingException.class);
        assertThatThrownBy(() -> new ResizedCrop(0.5, 0.4, 4.0 / 3))
                .hasMessage("most must not be below least, 0.5, found 0.4");
        assertThat(catchThrowable(() -> new ResizedCrop(0, 2, 0.5)).getSuppressed())
                .hasSize(2);
        assertThatThrownBy(() -> new ResizedCrop(0.5, 1, 0.9)).isInstanceOf(SettingException.class);
        assertThatThrownBy(() -> new ColourJitter(1, 0, 0, 0, 0.6, 1)).isInstanceOf(SettingException.class);
        assertThatThrownBy(() -> new Dequantisation(0)).isInstanceOf(SettingException.class);
        assertThatThrownBy(() -> new GaussianNoise(-1)).isInstanceOf(SettingException.class);
    }
}
