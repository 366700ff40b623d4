package dev.kelvin.data.augment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;

/** How often each change happens. Alpha is 1e-3 for the class, divided by its 5 checks. */
final class AugmentationStatTest {
    private static final double ALPHA = 1e-3 / 5;
    private static final int N = 20_000;

    private static double pValue(long... counts) {
        double[] expected = new double[counts.length];
        Arrays.fill(expected, (double) N / counts.length);
        return ChiSquareTest.withDefaults().test(expected, counts).getPValue();
    }

    /** How often each of the 25 shifts of a 5 × 5 image by two pixels happens: the middle's value tells which. */
    private static long[] shifts(Key key, Augmentation augmentation) {
        float[] places = new float[25];
        for (int i = 0; i < 25; i++) {
            places[i] = i;
        }
        long[] counts = new long[25];
        try (Scope scope = Scope.open()) {
            Tensor images = Tensors.of(places, 1, 1, 5, 5).expand(N, 1, 5, 5);
            float[] middles =
                    augmentation.apply(key, images).reshape(N, 25).select(1, 12).toFloats();
            for (float middle : middles) {
                counts[(int) middle]++;
            }
        }
        return counts;
    }

    @Test
    void everyShiftIsAsLikely() {
        assertThat(pValue(shifts(Key.of(31), new Crop(2)))).isGreaterThan(ALPHA);
        // twice a crop by one reaches the same shifts, but not as often
        assertThat(pValue(shifts(Key.of(31), new Augmentation.InTurn(List.of(new Crop(1), new Crop(1))))))
                .isLessThan(ALPHA);
    }

    private static long[] flips(double probability) {
        try (Scope scope = Scope.open()) {
            Tensor images = Tensors.of(new float[] {0, 1}, 1, 1, 1, 2).expand(N, 1, 1, 2);
            Tensor left = new Flip(probability)
                    .apply(Key.of(32), images)
                    .reshape(N, 2)
                    .select(1, 0);
            long turned = (long) left.sum().item();
            return new long[] {turned, N - turned};
        }
    }

    @Test
    void halfOfTheImagesAreFlipped() {
        assertThat(pValue(flips(0.5))).isGreaterThan(ALPHA);
        assertThat(pValue(flips(0.53))).isLessThan(ALPHA);
    }

    private static long[] firsts(int epochs) {
        long[] counts = new long[10];
        for (int epoch = 0; epoch < epochs; epoch++) {
            counts[(int) Key.of(33).child(epoch).permutation(10)[3]]++;
        }
        return counts;
    }

    @Test
    void everyImageIsAsLikelyAtAPlace() {
        assertThat(pValue(firsts(N))).isGreaterThan(ALPHA);
        long[] worse = firsts(N);
        worse[0] += 300;
        worse[1] -= 300;
        assertThat(pValue(worse)).isLessThan(ALPHA);
    }

    @Test
    void windowsHaveUniformAreas() {
        assertThat(pValue(areas(new ResizedCrop(0.1, 0.5, 4.0 / 3)))).isGreaterThan(ALPHA);
        assertThat(pValue(areas(new ResizedCrop(0.1, 0.48, 4.0 / 3)))).isLessThan(ALPHA);
    }

    /** Areas of windows in ten equal bins from 0.1 to 0.5; the image is so large that rounding does not count. */
    private static long[] areas(ResizedCrop crop) {
        long[] counts = new long[10];
        var random = Key.of(34).stream();
        for (int i = 0; i < N; i++) {
            int[] window = crop.window(random, 10_000, 10_000);
            double share = window[2] * 1e-4 * window[3] * 1e-4;
            counts[(int) Math.max(0, Math.min(9, (share - 0.1) / 0.04))]++;
        }
        return counts;
    }

    @Test
    void dequantisedShadesAreUniform() {
        try (Scope scope = Scope.open()) {
            Tensor shades = Tensors.full(0.5, DType.FLOAT, Device.CPU, N, 1, 1, 1); // 2 of 4, in bin [.4, .6]
            double[] spread = new Dequantisation(4).apply(Key.of(35), shades).toDoubles();
            long[] counts = new long[20];
            for (double value : spread) {
                counts[(int) Math.max(0, Math.min(19, (value - 0.4) * 100))]++;
            }
            assertThat(pValue(counts)).isGreaterThan(ALPHA);
            counts[4] += 200;
            counts[5] -= 200;
            assertThat(pValue(counts)).isLessThan(ALPHA);
        }
    }
}
