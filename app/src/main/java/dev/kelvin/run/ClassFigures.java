package dev.kelvin.run;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.metric.Calibration;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;

/** What a model with classes knows of them: its own p(y|x), and whether its samples are of the class they were drawn for. */
final class ClassFigures {
    private static final int BATCH = 64;

    private long samples;
    private long recognised;

    /** How often the model's own p(y|x) is right on these images, and how far it can be believed. */
    static Calibration.Report own(Experiment parts, ImageSet test) {
        ClassEnergy model = (ClassEnergy) parts.learner().model();
        ImageData data = parts.images().orElseThrow();
        Calibration calibration = new Calibration(model.classes());
        for (int from = 0; from < test.count(); from += BATCH) {
            try (Scope scope = Scope.open();
                    NoGrad noGrad = NoGrad.open()) {
                long[] rows = ImageData.range(from, Math.min(test.count(), from + BATCH));
                Tensor f = model.joint(parts.learner().averaged(), data.learnt(test.images(rows)));
                calibration.addLogits(
                        f.to(Device.CPU), Arrays.stream(rows).map(test::label).toArray());
            }
        }
        return calibration.report();
    }

    /** Takes in what another classifier says of samples, logits [n, classes], that were drawn for these classes. */
    void add(Tensor logits, long... labels) {
        int classes = (int) logits.size(1);
        double[] all = logits.toDoubles();
        for (int i = 0; i < labels.length; i++) {
            double[] row = Arrays.copyOfRange(all, i * classes, (i + 1) * classes);
            double highest = Arrays.stream(row).max().orElseThrow();
            samples++;
            recognised += row[(int) labels[i]] == highest ? 1 : 0;
        }
    }

    /** The share of them whose likeliest class is the one that they were drawn for. */
    double sampleAccuracy() {
        return (double) recognised / samples;
    }
}
