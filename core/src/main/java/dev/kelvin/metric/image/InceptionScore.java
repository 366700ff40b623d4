package dev.kelvin.metric.image;

import dev.kelvin.metric.ClassProbabilities;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;

/**
 * Are samples clear and of many classes, as a classifier sees them? The Inception score, with that network's classes,
 *
 * <pre>IS = exp(mean_x KL(p(y|x) ‖ p(y))),   p(y) = mean_x p(y|x),</pre>
 *
 * between 1 and the number of classes, higher is better; the mean over splits of the samples, each with a p(y) of its own.
 * It knows no reference set and sees no lack of variety within a class.
 *
 * <p>Samples come in batches of any size, and only the classes' sums are kept. With s splits, each s² samples that follow
 * each other are dealt out by a random Latin square: every s neighbours go to different splits, and so do samples i, i + s,
 * i + 2s, .... So a split sees all classes whether samples come sorted by class or with their classes in turn. Differs from
 * the paper's code, which splits into runs of neighbours: for samples in random order that is the same, for samples sorted by
 * class runs are wrong, as sample i in split i mod s is where classes come in turn.
 *
 * <p>Source: Salimans et al. 2016, section 4.
 */
public final class InceptionScore {
    public static final Figure OF_DATA = Figure.of("is_data", "Inception score of the data")
            .meaning("The Inception score of the training images themselves: what good samples have.")
            .citing("salimans2016");

    public static final Figure INCEPTION_SCORE = Figure.of("is", "Inception score")
            .meaning(
                    "exp of the mean KL divergence between p(y|x) and p(y) over samples: high where the classifier is confident and the samples cover all classes; from 1 to the number of classes.")
            .higher()
            .shareOf(OF_DATA)
            .citing("salimans2016");

    public static final Figure IS_BUFFER = Figure.of("is_buffer", "Inception score of the replay buffer")
            .meaning(
                    "The Inception score of the replay buffer's persistent chains, as joint energy models are reported with.")
            .higher()
            .shareOf(OF_DATA)
            .citing("salimans2016");

    public static final Figure IS_GAUSSIAN = Figure.of("is_gaussian", "Inception score of a fitted Gaussian")
            .meaning(
                    "The Inception score of samples of a Gaussian with the pixels' mean and covariance: a baseline that a model must beat.")
            .citing("salimans2016");

    public static final Figure IS_TEST = Figure.of("is_test", "Inception score of held-out images")
            .meaning(
                    "The Inception score of real images that were not trained on: what perfect samples of their number have.")
            .citing("salimans2016");

    /** As published figures are made. */
    public static final int SPLITS = 10;

    /** Of the Latin squares: a sample's split depends on nothing but its number. */
    private static final Key DEAL = Key.of(0);

    private final double[] negativeEntropies; // Σ_x Σ_y p log p, for each split
    private double[][] sums = {}; // Σ_x p(y|x), for each split
    private final long[] counts;
    private long[] order; // the splits of a row of the Latin square
    private long[] shifts; // by how much each row is shifted
    private long count;
    private long notFinite;

    /** With samples in {@code splits} parts; the first batch says how many classes there are. */
    public InceptionScore(int splits) {
        Check.atLeast("splits", splits, 1);
        order = new long[splits];
        shifts = new long[splits];
        negativeEntropies = new double[splits];
        counts = new long[splits];
    }

    /** Takes in the logits of some samples: [n, classes]. */
    public void add(Tensor logits) {
        ClassProbabilities batch = new ClassProbabilities(logits);
        sums = count == 0 ? new double[counts.length][batch.classes()] : sums;
        batch.checkClasses(sums[0].length);
        for (int row = 0; row < batch.rows(); row++) {
            int split = nextSplit();
            counts[split]++;
            notFinite += batch.finite(row) ? 0 : 1;
            for (int k = 0; k < sums[split].length; k++) {
                double p = batch.probability(row, k);
                sums[split][k] += p;
                negativeEntropies[split] += p == 0 ? 0 : p * batch.log(row, k);
            }
        }
    }

    private int nextSplit() {
        int splits = counts.length;
        int column = (int) (count % splits);
        long row = count / splits;
        if (column == 0 && row % splits == 0) {
            Key[] keys = DEAL.child(row / splits).split(2);
            order = keys[0].permutation(splits);
            shifts = keys[1].permutation(splits);
        }
        count++;
        return (int) ((order[column] + shifts[(int) (row % splits)]) % splits);
    }

    /** The mean over the splits, of two samples or more each; NaN if a probability is not finite. */
    public double score() {
        if (count < 2L * counts.length) {
            throw new InvalidInputException("an Inception score in " + counts.length + " splits takes "
                    + 2 * counts.length + " or more samples, found " + count);
        }
        double[] scores = new double[counts.length];
        for (int split = 0; split < scores.length; split++) {
            double divergence = negativeEntropies[split] / counts[split];
            for (double sum : sums[split]) {
                double p = sum / counts[split];
                divergence -= p == 0 ? 0 : p * Math.log(p);
            }
            scores[split] = Math.exp(divergence);
        }
        return notFinite > 0 ? Double.NaN : Arrays.stream(scores).sum() / scores.length;
    }
}
