package dev.kelvin.metric;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
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

    /** Draws of the bootstrap, and how many of them lie beyond either end of a 95 % interval. */
    private static final int DRAWS = 2000;

    private static final int OUTSIDE = DRAWS / 40;

    /** The variance of a binomial from which it is normal for our purpose. */
    private static final double MANY = 100;

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

    /**
     * The interval of ECE, low and high, that holds with 95 %, by a bootstrap over the bins: in each, the number of right
     * predictions is drawn anew from its binomial, with the share of those that were and one more by its confidence: so chance
     * has a part where all were right. An ECE of few predictions is too high, because chance alone sets accuracy and
     * confidence apart; the bootstrap's are by as much higher again, so that the interval is [2·ECE − q₉₇.₅, 2·ECE − q₂.₅], cut
     * off at 0 (the basic bootstrap, Davison and Hinkley 1997, section 5.2). Near 0, where that is too narrow, its lower end is 0
     * if a perfectly calibrated classifier with these confidences would have so large an ECE once in 40 times or more often
     * (consistency resampling, Bröcker and Smith 2007). Always the same for the same bins.
     */
    public double[] interval() {
        long n = Arrays.stream(counts).sum();
        RandomGenerator random = Key.of(DRAWS).stream();
        double[] errors = errors(random, b -> (correct[b] + confidences[b] / counts[b]) / (counts[b] + 1));
        double[] calibrated = errors(random, b -> confidences[b] / counts[b]);
        double error = expectedError();
        double low =
                error <= calibrated[DRAWS - 1 - OUTSIDE] ? 0 : Math.max(0, 2 * error - errors[DRAWS - 1 - OUTSIDE]);
        return n == 0
                ? new double[] {Double.NaN, Double.NaN}
                : new double[] {low, Math.max(low, 2 * error - errors[OUTSIDE])};
    }

    /** Many ECEs in ascending order, each of right predictions drawn by these probabilities of the bins. */
    private double[] errors(RandomGenerator random, IntToDoubleFunction probability) {
        long n = Arrays.stream(counts).sum();
        double[] errors = new double[DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            double sum = 0;
            for (int b = 0; b < counts.length; b++) {
                sum += counts[b] == 0
                        ? 0
                        : Math.abs(binomial(random, counts[b], probability.applyAsDouble(b)) - confidences[b]);
            }
            errors[draw] = sum / n;
        }
        Arrays.sort(errors);
        return errors;
    }

    /** How many of n trials succeed; normal where there are many of either kind. */
    private static double binomial(RandomGenerator random, long n, double p) {
        double variance = n * p * (1 - p);
        if (variance > MANY) {
            return Math.max(0, Math.min((double) n, Math.rint(n * p + Math.sqrt(variance) * random.nextGaussian())));
        }
        boolean rather = p > 0.5; // the rarer kind is counted, by the gaps between its members
        double rare = rather ? 1 - p : p;
        long found = 0;
        if (rare > 0) {
            double scale = Math.log1p(-rare);
            for (double at = gap(random, scale); at < n; at += 1 + gap(random, scale)) {
                found++;
            }
        }
        return rather ? n - found : found;
    }

    /** How many trials fail before the next that succeeds. */
    private static double gap(RandomGenerator random, double scale) {
        return Math.floor(Math.log1p(-random.nextDouble()) / scale);
    }

    /** Mean confidence minus accuracy: above 0 the classifier is over-confident. NaN without predictions. */
    public double overconfidence() {
        double n = Arrays.stream(counts).sum();
        return (Arrays.stream(confidences).sum() - Arrays.stream(correct).sum()) / n;
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
