package dev.kelvin.metric;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.InvalidInputException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * How well a score separates samples of the data from others; higher must mean more like the data. Samples are called in at a
 * threshold if their score is that or more; over all thresholds, which are the scores themselves,
 *
 * <pre>
 * AUROC = P(in &gt; out) + ½ P(in = out), for a random sample of each
 * AUPR  = Σ (recall_t − recall_{t−1}) precision_t, from the strictest threshold on: average precision
 * FPR95 = the least share of the others that is called in where 95 % of the data or more are.
 * </pre>
 *
 * AUROC does not depend on how many there are of each, AUPR does: its level for scores that tell nothing is the positives'
 * share. Both arrays are kept, copied and sorted: no more memory than that.
 *
 * <p>Sources: Hendrycks and Gimpel 2017; Liang et al. 2018 for FPR95.
 *
 * @param auroc every figure is NaN if a score is; infinite scores have their place in the order
 * @param auprIn AUPR with the data's samples as the positives
 * @param auprOut AUPR with the others as the positives, from the lowest score on
 * @param fprAt95 FPR95
 */
public record OutOfDistribution(double auroc, double auprIn, double auprOut, double fprAt95) {
    public static final Figure AUROC = Figure.of("auroc", "AUROC, out of distribution")
            .meaning(
                    "The probability that f is higher at a held-out image than at one of the out-of-distribution set that the"
                            + " recipe names last, or of noise where it names none; a half is chance.")
            .higher(0.95, 0.7)
            .citing("hendrycks2017");

    public static final Figure AUROC_AGAINST = Figure.of("auroc_*", "AUROC against *")
            .meaning("The probability that f is higher at a held-out image than at one of *; a half is chance.")
            .higher(0.95, 0.7)
            .citing("hendrycks2017");

    public static final Figure AUROC_TEST_TRAIN = Figure.of("auroc_test_train", "AUROC, training against held-out")
            .meaning(
                    "The probability that f is higher at a training image than at a held-out one: a half where nothing is memorised.")
            .citing("hendrycks2017");

    public static final Figure AUPR_AGAINST = Figure.of("aupr_*", "AUPR against *")
            .meaning(
                    "Area under the precision-recall curve of f, held-out images being the positives and * the negatives.")
            .higher()
            .citing("hendrycks2017");

    public static final Figure FPR95_AGAINST = Figure.of("fpr95_*", "FPR at 95 % against *")
            .meaning("The share of * that passes a threshold on f that 95 % of the held-out images pass; 0 is perfect.")
            .lower()
            .citing("liang2018");

    public static final Figure AUROC_BY_MAX_P =
            by(OodScore.MAX_P, "auroc", "AUROC").higher().citing("hendrycks2017");
    public static final Figure AUPR_BY_MAX_P =
            by(OodScore.MAX_P, "aupr", "AUPR").higher().citing("hendrycks2017");
    public static final Figure FPR95_BY_MAX_P =
            by(OodScore.MAX_P, "fpr95", "FPR at 95 %").lower().citing("liang2018");
    public static final Figure AUROC_BY_GRADIENT =
            by(OodScore.GRADIENT, "auroc", "AUROC").higher().citing("grathwohl2020", "hendrycks2017");
    public static final Figure AUPR_BY_GRADIENT =
            by(OodScore.GRADIENT, "aupr", "AUPR").higher().citing("grathwohl2020", "hendrycks2017");
    public static final Figure FPR95_BY_GRADIENT =
            by(OodScore.GRADIENT, "fpr95", "FPR at 95 %").lower().citing("grathwohl2020", "liang2018");

    public static final Figure F_AT = Figure.of("f_*", "Mean of f: *")
            .meaning("The mean log-density f, not normalised, over * images: only differences matter.");

    /** A family of figures by another score than f. */
    private static Figure by(OodScore score, String name, String title) {
        return Figure.of(name + score.suffix() + "_*", title + " against *, by " + score.words())
                .meaning("The same as " + title + " against *, but held-out images are separated from others by "
                        + score.words() + " instead of f.");
    }

    /** The figures by their names, against what is so called, by this score. */
    public Map<String, Double> figures(OodScore score, String against) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("auroc" + score.suffix() + "_" + against, auroc);
        figures.put("aupr" + score.suffix() + "_" + against, auprIn);
        figures.put("fpr95" + score.suffix() + "_" + against, fprAt95);
        return figures;
    }

    /** In whole numbers, as 0.95 n is not always exact. */
    private static final int RECALL_PERCENT = 95;

    /** Of the scores of the data's samples and of others, one or more each. */
    public static OutOfDistribution of(double[] in, double[] out) {
        if (in.length == 0 || out.length == 0) {
            throw new InvalidInputException("out-of-distribution figures take scores of both kinds; found " + in.length
                    + " of the data and " + out.length + " of others");
        }
        if (DoubleStream.concat(Arrays.stream(in), Arrays.stream(out)).anyMatch(Double::isNaN)) {
            return new OutOfDistribution(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        Curve curve = Curve.along(descending(in, 1), descending(out, 1));
        Curve turned = Curve.along(descending(out, -1), descending(in, -1));
        return new OutOfDistribution(curve.area, curve.precision, turned.precision, curve.falseRate);
    }

    /** sign · scores from the highest on. */
    private static double[] descending(double[] scores, int sign) {
        return Arrays.stream(scores)
                .map(score -> -sign * score)
                .sorted()
                .map(score -> -score)
                .toArray();
    }

    /** Area under the ROC curve, average precision, and the false positives' rate where 95 % of the positives are found. */
    private record Curve(double area, double precision, double falseRate) {
        /** From the highest threshold to the lowest; equal scores are one threshold. */
        static Curve along(double[] positives, double[] negatives) {
            long found = 0;
            long wrong = 0;
            double area = 0; // pairs in the right order
            double precision = 0;
            double falseRate = Double.NaN;
            while (found < positives.length) {
                double threshold = positives[(int) found];
                // negatives alone above the next positive move recall not at all
                wrong = count(negatives, wrong, threshold, false);
                long below = wrong;
                long before = found;
                found = count(positives, found, threshold, true);
                wrong = count(negatives, wrong, threshold, true);
                double more = found - before;
                area += more * (negatives.length - wrong + (wrong - below) / 2.0);
                precision += more / positives.length * found / (found + wrong);
                if (Double.isNaN(falseRate) && 100 * found >= (long) RECALL_PERCENT * positives.length) {
                    falseRate = (double) wrong / negatives.length;
                }
            }
            return new Curve(area / positives.length / negatives.length, precision, falseRate);
        }

        /** How many scores lie above the threshold, or at it too, of which {@code from} are known to. */
        private static long count(double[] scores, long from, double threshold, boolean atToo) {
            int next = (int) from;
            while (next < scores.length && (scores[next] > threshold || (atToo && scores[next] == threshold))) {
                next++;
            }
            return next;
        }
    }
}
