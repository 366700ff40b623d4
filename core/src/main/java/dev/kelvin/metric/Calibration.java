package dev.kelvin.metric;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Is a classifier right, and does it know when it is not? Over labelled samples,
 *
 * <pre>
 * accuracy = share of samples whose likeliest class is the label y
 * NLL      = −mean log p(y|x)
 * Brier    = mean Σ_k (p(k|x) − [k = y])²
 * ECE      of {@link Reliability}, with the likeliest class's probability as the confidence,
 * </pre>
 *
 * streamed in double: only sums are kept. Of several likeliest classes the first counts. Sources: Brier 1950, eq. 2,
 * between 0 and 2; Guo et al. 2017.
 */
public final class Calibration {
    /** The bins of {@link #ECE_20}. */
    private static final int FINER = 20;

    public static final Figure ACCURACY = Figure.of("accuracy", "Accuracy")
            .meaning("The fraction of held-out images that are classified correctly: by the model's own p(y|x) where"
                    + " it has classes, otherwise by the classifier whose features are compared.")
            .higher();

    public static final Figure ERROR = Figure.of("error", "Held-out error")
            .meaning("The fraction of held-out images that the model's own p(y|x) misclassifies.")
            .lower();

    public static final Figure BEST_ACCURACY = Figure.of("best_accuracy", "Best accuracy of a checkpoint")
            .meaning(
                    "The largest accuracy on the held-out images at any checkpoint of the run, as papers report it: it is"
                            + " chosen by the images that it is measured on.")
            .higher();

    public static final Figure NLL = Figure.of("nll", "Negative log-likelihood of the labels", "nats")
            .meaning("−mean log p(y|x) over the held-out images, y being the right class; 0 is perfect.")
            .lower();

    public static final Figure BRIER = Figure.of("brier", "Brier score")
            .meaning(
                    "Mean squared distance of p(y|x) from the one-hot label: 0 is perfect, 2 is certainty of a wrong class.")
            .lower()
            .citing("brier1950");

    public static final Figure ECE = Figure.of("ece", "Expected calibration error")
            .meaning("The mean difference between confidence and accuracy over bins of confidence;"
                    + " 0 is perfect, and below 0.05 hard to see.")
            .lower(0.05, 0.15)
            .citing("guo2017");

    public static final Figure ECE_20 = Figure.of("ece_20", "Expected calibration error, 20 bins")
            .meaning("The expected calibration error over 20 bins instead of 15, as in some papers.")
            .lower(0.05, 0.15)
            .citing("guo2017");

    public static final Figure ECE_LOW =
            bound("ece_low", "Expected calibration error, lower bound", "lower", Reliability.BINS);
    public static final Figure ECE_HIGH =
            bound("ece_high", "Expected calibration error, upper bound", "upper", Reliability.BINS);
    public static final Figure ECE_20_LOW =
            bound("ece_20_low", "Expected calibration error, 20 bins, lower bound", "lower", FINER);
    public static final Figure ECE_20_HIGH =
            bound("ece_20_high", "Expected calibration error, 20 bins, upper bound", "upper", FINER);

    public static final Figure OVERCONFIDENCE = Figure.of("overconfidence", "Mean confidence minus accuracy")
            .meaning(
                    "The calibration error with its sign: above 0 the classifier is over-confident, below 0 under-confident;"
                            + " it is never further from 0 than the expected calibration error.")
            .nearZero();

    public static final Figure CLASS_SAMPLE_ACCURACY = Figure.of(
                    "class_sample_accuracy", "Accuracy on samples of given classes")
            .meaning(
                    "For a model whose chains run on the marginal of x: the fraction of samples from chains on f(x, y) of one class, all classes in turn, that the feature classifier assigns to that class.")
            .higher(0.8, 0.5);

    public static final Figure ACCURACY_REFINED = Figure.of("accuracy_refined", "Accuracy after refinement")
            .meaning("Accuracy on held-out images that were first moved by some steps of the recipe's kernel on f.")
            .higher();

    public static final Figure SAMPLE_ACCURACY = Figure.of("sample_accuracy", "Accuracy on class-conditional samples")
            .meaning(
                    "The fraction of samples that the feature classifier assigns to the class that they were sampled for.")
            .higher();

    /** What a {@link Report} of any classifier says. */
    public static final List<Figure> OF_CLASSIFIERS =
            List.of(ACCURACY, NLL, BRIER, ECE, ECE_LOW, ECE_HIGH, ECE_20, ECE_20_LOW, ECE_20_HIGH, OVERCONFIDENCE);

    private final Reliability reliability = new Reliability(Reliability.BINS);
    private final Reliability finer = new Reliability(FINER);
    private final int classes;
    private long count;
    private long correct;
    private boolean finite = true;
    private double negativeLogLikelihood;
    private double brier;

    /**
     * All figures by their names; NaN each if a probability is not finite.
     *
     * @param bins for the reliability diagram, over the samples that are finite
     */
    public record Report(Map<String, Double> figures, List<Reliability.Bin> bins) {
        /** The share of samples that are classified correctly. */
        public double accuracy() {
            return ACCURACY.value(figures);
        }
    }

    /** Of {@code classes} classes. */
    public Calibration(int classes) {
        this.classes = (int) Check.atLeast("classes", classes, 2);
    }

    /** Takes in the logits of some samples, [n, classes], and their labels, counted from 0. */
    public void add(Tensor logits, long... labels) {
        ClassProbabilities batch = new ClassProbabilities(logits);
        batch.checkClasses(classes);
        check(batch.rows(), labels);
        for (int row = 0; row < labels.length; row++) {
            count++;
            if (batch.finite(row)) {
                addRow(batch, row, (int) labels[row]);
            } else {
                finite = false;
            }
        }
    }

    private void check(int rows, long... labels) {
        if (labels.length != rows) {
            throw new InvalidInputException(
                    "each sample takes a label; found " + rows + " samples and " + labels.length + " labels");
        }
        for (long label : labels) {
            if (label < 0 || label >= classes) {
                throw new InvalidInputException(
                        "labels of " + classes + " classes run from 0 to " + (classes - 1) + "; found " + label);
            }
        }
    }

    private void addRow(ClassProbabilities batch, int row, int label) {
        int likeliest = batch.likeliest(row);
        correct += likeliest == label ? 1 : 0;
        // rounded probabilities may sum to a little more than 1
        double confidence = Math.min(1, batch.probability(row, likeliest));
        reliability.add(confidence, likeliest == label);
        finer.add(confidence, likeliest == label);
        negativeLogLikelihood -= batch.log(row, label);
        for (int k = 0; k < classes; k++) {
            double difference = batch.probability(row, k) - (k == label ? 1 : 0);
            brier += difference * difference;
        }
    }

    private void put(Map<String, Double> figures, Reliability of, Figure low, Figure high) {
        double[] interval = finite ? of.interval() : new double[] {Double.NaN, Double.NaN};
        figures.put(low.name(), interval[0]);
        figures.put(high.name(), interval[1]);
    }

    private static Figure bound(String name, String title, String which, int bins) {
        return Figure.of(name, title)
                .meaning(
                        "The " + which + " end of a 95 % interval of the expected calibration error over " + bins
                                + " bins, by a bootstrap over the bins: with few images it reaches down to 0 whatever the model.")
                .lower();
    }

    /** Of all that was taken in: one sample or more. */
    public Report report() {
        if (count == 0) {
            throw new InvalidInputException("a calibration takes one sample or more, found none");
        }
        double n = finite ? count : Double.NaN;
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(ACCURACY.name(), correct / n);
        figures.put(NLL.name(), negativeLogLikelihood / n);
        figures.put(BRIER.name(), brier / n);
        figures.put(ECE.name(), finite ? reliability.expectedError() : Double.NaN);
        put(figures, reliability, ECE_LOW, ECE_HIGH);
        figures.put(ECE_20.name(), finite ? finer.expectedError() : Double.NaN);
        put(figures, finer, ECE_20_LOW, ECE_20_HIGH);
        figures.put(OVERCONFIDENCE.name(), finite ? reliability.overconfidence() : Double.NaN);
        return new Report(figures, reliability.bins());
    }
}
