package dev.kelvin.metric;

import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.stream.IntStream;

/** What a classifier says of a batch, in double: the classes' probabilities for each sample, and their logarithms. */
public final class ClassProbabilities {
    private final double[] probabilities;
    private final double[] logs;
    private final int classes;

    /** Of logits [n, classes]: log p = h − logsumexp h, in double. */
    public ClassProbabilities(Tensor logits) {
        if (logits.dim() != 2 || logits.size(1) < 2) {
            throw new InvalidInputException("logits are [n, classes] with two or more classes; found " + logits);
        }
        classes = Math.toIntExact(logits.size(1));
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            logs = logits.to(DType.DOUBLE).logSoftmax(1).toDoubles();
        }
        // an infinite logit is as little a probability as NaN
        probabilities = Arrays.stream(logs)
                .map(log -> Double.isFinite(log) ? Math.exp(log) : Double.NaN)
                .toArray();
    }

    /** Samples of the batch. */
    public int rows() {
        return probabilities.length / classes;
    }

    /** How many classes there are. */
    public int classes() {
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
        return IntStream.range(0, classes).allMatch(k -> Double.isFinite(probability(row, k)));
    }

    /** The class with the highest probability; the first of several. */
    int likeliest(int row) {
        return Scores.likeliest(Arrays.copyOfRange(probabilities, row * classes, (row + 1) * classes));
    }

    /** Refuses another number of classes than before. */
    public void checkClasses(int expected) {
        if (classes != expected) {
            throw new InvalidInputException("there are " + expected + " classes; found a batch with " + classes);
        }
    }
}
