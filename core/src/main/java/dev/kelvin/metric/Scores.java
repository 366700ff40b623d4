package dev.kelvin.metric;

import dev.kelvin.energy.JointDensity;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a model says of each of some samples.
 *
 * @param f the unnormalised log-density of the data: f itself, whatever the temperature T at which exp(f/T) was learnt
 * @param p p(y|x), a row for each sample; without rows where the model has no classes
 * @param score the score that separates samples of the data from others; higher means more like the data
 */
public record Scores(double[] f, double[][] p, double[] score) {
    /** Of samples as the model sees them, on its device. */
    public static Scores of(JointDensity table, Tensor x, OodScore by) {
        try (Scope scope = Scope.open()) {
            double[] f;
            double[][] p = {};
            if (table.hasClasses()) { // the table is looked up once for both
                Tensor components = table.at(x);
                f = components.logSumExp(1).toDoubles();
                p = rows(components.softmax(1));
            } else {
                f = table.data().at(x).toDoubles();
            }
            return new Scores(
                    f,
                    p,
                    switch (by) {
                        case F -> f;
                        case MAX_P -> highest(p);
                        case GRADIENT ->
                            OodScore.minusGradientNorm(table.data(), x).toDoubles();
                    });
        }
    }

    /** Returns the scores in other units: f is larger by T·log |dz/dx| of each sample, and so is a score that is f. */
    public Scores plus(double temperature, double... logDeterminant) {
        double[] sum = new double[f.length];
        Arrays.setAll(sum, i -> f[i] + temperature * logDeterminant[i]);
        return new Scores(sum, p, score == f ? sum : score);
    }

    /** Those of several blocks of samples, one after the other. */
    public static Scores join(List<Scores> blocks) {
        return new Scores(
                blocks.stream().flatMapToDouble(block -> Arrays.stream(block.f)).toArray(),
                blocks.stream().flatMap(block -> Arrays.stream(block.p)).toArray(double[][]::new),
                blocks.stream()
                        .flatMapToDouble(block -> Arrays.stream(block.score))
                        .toArray());
    }

    private static double[][] rows(Tensor probabilities) {
        int classes = (int) probabilities.size(1);
        double[] all = probabilities.toDoubles();
        return IntStream.range(0, (int) probabilities.size(0))
                .mapToObj(i -> Arrays.copyOfRange(all, i * classes, (i + 1) * classes))
                .toArray(double[][]::new);
    }

    private static double[] highest(double[][] p) {
        if (p.length == 0) {
            throw new InvalidInputException("max p(y|x) takes a model with classes; this one has none");
        }
        return Arrays.stream(p).mapToDouble(row -> row[likeliest(row)]).toArray();
    }

    /** max p(y|x) of each sample, of a model that has classes. */
    public double[] highest() {
        return highest(p);
    }

    /** The likeliest class of a sample, the first of several; of a model that has classes. */
    public int predicted(int sample) {
        return likeliest(p[sample]);
    }

    static int likeliest(double[] row) {
        int best = 0;
        for (int k = 1; k < row.length; k++) {
            best = row[k] > row[best] ? k : best;
        }
        return best;
    }
}
