package dev.kelvin.judge;

import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.OptionalDouble;

/** Whether samples are of the class that they were drawn for, by what a classifier says of them. */
final class SampleClasses {
    private long samples;
    private long recognised;

    /** Takes in logits [n, classes] of samples that were drawn for these classes. */
    void add(Tensor logits, long... labels) {
        int classes = (int) logits.size(1);
        double[] all = logits.toDoubles();
        for (int i = 0; i < labels.length; i++) {
            double[] row = Arrays.copyOfRange(all, i * classes, (i + 1) * classes);
            double highest = Arrays.stream(row).max().orElseThrow();
            samples++;
            recognised += labels[i] < classes && row[(int) labels[i]] == highest ? 1 : 0;
        }
    }

    /** The share of them whose likeliest class is the one that they were drawn for. */
    OptionalDouble accuracy() {
        return samples == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) recognised / samples);
    }
}
