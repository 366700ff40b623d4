package dev.kelvin.judge;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.experiment.Components;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.metric.image.Features;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/** Samples by class of a model whose chains run on all classes together: chains on f(·)_k, by the recipe's kernel. */
public record ClassSamples(Experiment experiment) {
    private static final Key KEY = KeyDomain.CLASS_SAMPLES.key();

    /** Judged samples of each class, and of all, at most. */
    private static final int EACH = 50;

    private static final int MOST = 1000;
    private static final int BATCH = 250;
    /** Samples of each class that are shown. */
    public static final int COLUMNS = 10;

    /** Where samples are of classes only if one asks for them. */
    public static Optional<ClassSamples> wanted(Experiment experiment) {
        Components components = experiment.components();
        return experiment.model().hasClasses() && components.classesOf(0).isEmpty()
                ? Optional.of(new ClassSamples(experiment))
                : Optional.empty();
    }

    private int steps() {
        return experiment.model().usualSteps() * experiment.sampler().traits().factorOfGiven();
    }

    private Tensor draw(Key key, int count) {
        return experiment.drawn(
                SampleRequest.given(key, steps(), experiment.model().inTurn(count)));
    }

    /** How many samples are judged: as many of each class. */
    int judged() {
        int classes = experiment.components().count();
        return Math.max(classes, Math.min(MOST, EACH * classes) / classes * classes);
    }

    /** The share that a classifier of the data assigns to the class that was asked for. */
    double accuracy(ImageDataset data, Features network) {
        int count = judged();
        Recognised seen = new Recognised();
        try (Scope scope = Scope.open()) {
            Tensor x = draw(KEY.child(0), count);
            long[] k = experiment.model().inTurn(count);
            for (int from = 0; from < count; from += BATCH) {
                try (Scope batch = Scope.open()) {
                    int some = Math.min(BATCH, count - from);
                    long[] labels = Arrays.copyOfRange(k, from, from + some);
                    network.outputs(data.unit(x.narrow(0, from, some)))
                            .logits()
                            .ifPresent(logits -> seen.add(logits, labels));
                }
            }
        }
        return seen.accuracy().orElse(Double.NaN);
    }

    /** As many of each class as a row shows, the classes in turn. */
    public Drawn draw() {
        try (Scope scope = Scope.open()) {
            return Drawn.of(draw(KEY.child(1), experiment.components().count() * COLUMNS));
        }
    }

    /** What they are, in sentences. */
    public String words() {
        return "Each row is of one class: chains of " + steps()
                + " steps of the recipe's kernel on f(x, y) of that class. "
                + (experiment.model().buffer().isPresent()
                        ? "They start at those chains of the replay buffer that the model itself assigns to the class; where it"
                                + " has too few, at fresh starts."
                        : "They start where the recipe's chains do.");
    }

    /** Whether samples are of the class that they were drawn for, by what a classifier says of them. */
    static final class Recognised {
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
}
