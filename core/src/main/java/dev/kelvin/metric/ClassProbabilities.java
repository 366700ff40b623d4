package dev.kelvin.metric;

import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** What a classifier says of a batch, in double: the classes' probabilities for each sample, and their logarithms. */
public final class ClassProbabilities {
    /** How far from 1 probabilities of 8 significant bits may sum. */
    private static final double SUM_TOLERANCE = 0.02;

    private final double[] probabilities;
    private final double[] logs;
    private final int classes;

    private ClassProbabilities(double[] probabilities, double[] logs, int classes) {
        this.probabilities = probabilities;
        this.logs = logs;
        this.classes = classes;
    }

    /** Of probabilities [n, classes], which are checked. */
    public static ClassProbabilities of(Tensor probabilities) {
        int classes = classes("probabilities", probabilities);
        double[] values = probabilities.toDoubles();
        double[] logs = new double[values.length];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = Math.log(values[i]);
        }
        ClassProbabilities made = new ClassProbabilities(values, logs, classes);
        for (int row = 0; row < made.rows(); row++) {
            made.checkRow(row);
        }
        return made;
    }

    /** Of logits [n, classes]: log p = h − logsumexp h, in double. */
    public static ClassProbabilities ofLogits(Tensor logits) {
        int classes = classes("logits", logits);
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            double[] logs = logits.to(DType.DOUBLE).logSoftmax(1).toDoubles();
            double[] values = new double[logs.length];
            for (int i = 0; i < logs.length; i++) {
                // an infinite logit is as little a probability as NaN
                values[i] = Double.isFinite(logs[i]) ? Math.exp(logs[i]) : Double.NaN;
            }
            return new ClassProbabilities(values, logs, classes);
        }
    }

    private static int classes(String what, Tensor batch) {
        if (batch.dim() != 2 || batch.size(1) < 2) {
            throw new InvalidInputException(what + " are [n, classes] with two or more classes; found " + batch);
        }
        return Math.toIntExact(batch.size(1));
    }

    private void checkRow(int row) {
        if (!finite(row)) {
            return;
        }
        double sum = 0;
        boolean negative = false;
        for (int k = 0; k < classes; k++) {
            sum += probability(row, k);
            negative |= probability(row, k) < 0;
        }
        if (negative || Math.abs(sum - 1) > SUM_TOLERANCE) {
            throw new InvalidInputException("row " + row + " is not a distribution over classes: "
                    + (negative ? "it has negative numbers" : "it sums to " + sum) + ". Are these logits?");
        }
    }

    /** Samples of the batch. */
    public int rows() {
        return probabilities.length / classes;
    }

    int classes() {
        return classes;
    }

    /** p of a class at a row. */
    public double probability(int row, int k) {
        return probabilities[row * classes + k];
    }

    /** log p of a class at a row. */
    public double log(int row, int k) {
        return logs[row * classes + k];
    }

    /** True if the row has neither NaN nor infinity. */
    public boolean finite(int row) {
        boolean finite = true;
        for (int k = 0; k < classes; k++) {
            finite &= Double.isFinite(probability(row, k));
        }
        return finite;
    }

    /** The class with the highest probability; the first of several. */
    int likeliest(int row) {
        int best = 0;
        for (int k = 1; k < classes; k++) {
            best = probability(row, k) > probability(row, best) ? k : best;
        }
        return best;
    }

    /** Refuses another number of classes than before. */
    public void checkClasses(int expected) {
        if (classes != expected) {
            throw new InvalidInputException("there are " + expected + " classes; found a batch with " + classes);
        }
    }
}
