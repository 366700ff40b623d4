package dev.kelvin.train;

import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.metric.figure.TrainingFigures;
import dev.kelvin.objective.Loss;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers of one step by name, in the order of the log. Always there: {@code loss} and
 * {@code gap}, the mean of f at the positives minus that at the negatives.
 */
public record StepReport(Map<String, Double> values) {
    public static final String LOSS = TrainingFigures.LOSS.name();
    public static final String GAP = TrainingFigures.GAP.name();
    public static final String POSITIVE = TrainingFigures.POSITIVE.name();
    public static final String NEGATIVE = TrainingFigures.NEGATIVE.name();
    public static final String GRADIENT_NORM = TrainingFigures.GRADIENT_NORM.name();
    public static final String LEARNING_RATE = TrainingFigures.LEARNING_RATE.name();
    public static final String ALPHA = TrainingFigures.ALPHA.name();
    public static final String SHARPNESS = TrainingFigures.SHARPNESS.name();
    public static final String DISPLACEMENT = TrainingFigures.DISPLACEMENT.name();
    public static final String ACCEPTANCE = ChainFigures.ACCEPTANCE.name();

    public StepReport {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** A loss with its parts, and the mean of f at the positives and at the negatives. */
    public static Map<String, Double> values(Loss loss, double[] positives, double[] negatives) {
        double positive = Arrays.stream(positives).average().orElse(Double.NaN);
        double negative = Arrays.stream(negatives).average().orElse(Double.NaN);
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(LOSS, loss.value());
        loss.parts().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(part -> values.put(part.getKey(), part.getValue()));
        values.put(GAP, positive - negative);
        values.put(POSITIVE, positive);
        values.put(NEGATIVE, negative);
        return values;
    }

    /** f of the positives minus f of the negatives; NaN where there are no negatives. */
    public double gap() {
        return values.getOrDefault(GAP, Double.NaN);
    }
}
