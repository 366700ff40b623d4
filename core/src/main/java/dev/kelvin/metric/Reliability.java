package dev.kelvin.metric;

import dev.kelvin.part.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How confident a classifier is, against how often it is right: the bins of a reliability diagram and the expected
 * calibration error,
 *
 * <pre>ECE = Σ_b n_b/n · |accuracy_b − confidence_b|,</pre>
 *
 * over bins (lo, hi] of equal width on [0, 1]; a confidence of 0 is in the first. Source: Guo et al. 2017, eq. 3.
 */
public final class Reliability {
    /** As in Guo et al. */
    public static final int BINS = 15;

    private final long[] counts;
    private final long[] correct;
    private final double[] confidences;

    /**
     * The predictions whose confidence lies in (low, high].
     *
     * @param confidence their mean confidence; NaN where there are none
     * @param accuracy the share of those that were right; NaN where there are none
     */
    public record Bin(double low, double high, long count, double confidence, double accuracy) {}

    /** With confidences in {@code bins} bins. */
    public Reliability(int bins) {
        Check.atLeast("bins", bins, 1);
        counts = new long[bins];
        correct = new long[bins];
        confidences = new double[bins];
    }

    /** Takes in a prediction. */
    public void add(double confidence, boolean right) {
        int bin = bin(Check.within("confidence", confidence, 0, 1));
        counts[bin]++;
        correct[bin] += right ? 1 : 0;
        confidences[bin] += confidence;
    }

    private int bin(double confidence) {
        return IntStream.range(0, counts.length)
                .filter(bin -> confidence <= edge(bin + 1))
                .findFirst()
                .orElseThrow();
    }

    private double edge(int bin) {
        return (double) bin / counts.length;
    }

    /** In ascending order. */
    public List<Bin> bins() {
        List<Bin> bins = new ArrayList<>();
        for (int b = 0; b < counts.length; b++) {
            double n = counts[b]; // 0/0 is NaN
            bins.add(new Bin(edge(b), edge(b + 1), counts[b], confidences[b] / n, correct[b] / n));
        }
        return List.copyOf(bins);
    }

    /** ECE; NaN without predictions. */
    public double expectedError() {
        double sum = 0;
        long n = 0;
        for (int b = 0; b < counts.length; b++) {
            n += counts[b];
            sum += Math.abs(correct[b] - confidences[b]); // n_b times the difference of the means
        }
        return sum / n;
    }
}
