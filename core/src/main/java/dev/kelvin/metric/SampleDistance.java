package dev.kelvin.metric;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The total variation of samples' histogram from the data's, ½ Σ |pᵢ − qᵢ|, with the floor that even perfect samples
 * stand on: the same figure's mean for as many exact draws.
 *
 * @param floor estimated by drawing from the reference's shares 32 times; where the reference itself is a histogram of
 *     m samples, times √(1 + n/m), as the variances of both differences add
 */
public record SampleDistance(double totalVariation, double floor) {
    public static final Figure SAMPLE_TV_FLOOR = floor("sample_tv_floor", "Total variation of exact samples");

    public static final Figure SAMPLE_TV = Figure.of("sample_tv", "Total variation of samples")
            .meaning(
                    "Total variation distance between two histograms, of samples from chains on f as long as in training and of the data: 0 equal, 1 disjoint. It is judged by its excess over that of exact samples.")
            .lower(0.05, 0.15)
            .above(SAMPLE_TV_FLOOR);

    public static final Figure TRAINING_TV_FLOOR =
            floor("training_tv_floor", "Total variation of exact samples, as many as training's chains");

    public static final Figure TRAINING_TV = Figure.of(
                    "training_tv", "Total variation of training's chains, on (1 − β)f")
            .meaning(
                    "The same for chains as training draws its negatives, on (1 − β)f: they are meant to spread wider than the data, so a large value is expected.");

    public static final Figure LONG_SAMPLE_TV_FLOOR =
            floor("long_sample_tv_floor", "Total variation of exact samples, as many as long chains");

    public static final Figure LONG_SAMPLE_TV = Figure.of(
                    "long_sample_tv", "Total variation of samples, long chains (30×)")
            .meaning(
                    "The same for chains that take 30 times as many steps as in training. If it is much larger than that of"
                            + " short chains, the density is wrong although the samples look right.")
            .lower(0.05, 0.15)
            .above(LONG_SAMPLE_TV_FLOOR);

    public static final Figure SAMPLE_SHIFT_X = Figure.of("sample_shift_x", "Shift of the samples' mean, x")
            .meaning("The samples' mean minus the data's, in the first coordinate.")
            .nearZero();

    public static final Figure SAMPLE_SHIFT_Y = Figure.of("sample_shift_y", "Shift of the samples' mean, y")
            .meaning("The samples' mean minus the data's, in the second coordinate.")
            .nearZero();

    private static Figure floor(String name, String title) {
        return Figure.of(name, title).meaning("That of as many exact samples, from sampling noise alone.");
    }

    private static final int REPEATS = 32;

    /** The samples, [n, 2], against the reference, on its bins. */
    public static SampleDistance of(Key key, Tensor samples, Histogram reference) {
        Histogram found = Histogram.of(samples, reference.box(), reference.bins());
        double mean = IntStream.range(0, REPEATS)
                .mapToDouble(i -> exactDistance(key.child(i), found.samples(), reference.shares()))
                .average()
                .orElseThrow();
        double both = reference.samples() == 0 ? 1 : Math.sqrt(1 + (double) found.samples() / reference.samples());
        return new SampleDistance(found.totalVariation(reference), both * mean);
    }

    /** The distance of n draws from these shares to the shares themselves. */
    static double exactDistance(Key key, int n, double[] shares) {
        double[] cumulative = new double[shares.length];
        double total = 0;
        for (int i = 0; i < shares.length; i++) {
            total += shares[i];
            cumulative[i] = total;
        }
        RandomGenerator random = key.stream();
        int[] counts = new int[shares.length];
        for (int i = 0; i < n; i++) {
            int at = Arrays.binarySearch(cumulative, total * random.nextDouble());
            // on an edge, exactly: the bin after it
            int bin = at >= 0 ? at + 1 : -at - 1;
            counts[Math.min(bin, counts.length - 1)]++;
        }
        return Histogram.totalVariation(Histogram.shares(counts, n), shares);
    }
}
