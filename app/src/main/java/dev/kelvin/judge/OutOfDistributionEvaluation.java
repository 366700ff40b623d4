package dev.kelvin.judge;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.OutOfDistribution;
import dev.kelvin.metric.Scores;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.recipe.ModelForm;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How well held-out images are separated from others by three scores. The others are the recipe's out-of-distribution sets, and
 * images made of held-out ones: noise, their negatives, and what has their pixels but not their sense.
 */
public final class OutOfDistributionEvaluation {
    /** Images of each kind, at most. */
    public static final int MOST = 1000;

    private static final Key KEY = KeyDomain.OUT_OF_DISTRIBUTION.key();
    private static final int BATCH = 256;

    private OutOfDistributionEvaluation() {}

    /**
     * All figures but those by f of what has them already.
     *
     * @param known the names of noise and of the recipe's sets, in their order, whose figures by f are there
     * @param taken all names that are taken
     */
    public static Map<String, Double> figures(
            Experiment experiment, ImageDataset data, List<String> known, Set<String> taken) {
        Map<String, Double> figures = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            JointDensity table = experiment.model().joint();
            Tensor held = ImageDataset.some(KEY.child(0), data.test(), MOST);
            ModelForm form = experiment.recipe().form();
            Map<OodScore, double[]> in = scores(table, data, held, form);
            Map<String, Tensor> others = new LinkedHashMap<>();
            Iterator<String> names = known.iterator();
            others.put(names.next(), uniform(KEY.child(1), held));
            for (ImageSet set : data.others().values()) {
                others.put(names.next(), ImageDataset.some(KEY.child(2), set, MOST));
            }
            made(KEY.child(3), held).forEach((name, images) -> others.put(free(taken, name), images));
            others.forEach((name, images) -> {
                Map<OodScore, double[]> out = scores(table, data, images, form);
                in.forEach((score, values) -> {
                    if (score != OodScore.F || !known.contains(name)) {
                        figures.putAll(OutOfDistribution.of(values, out.getOrDefault(score, new double[0]))
                                .figures(score, Evaluation.word(name)));
                    }
                });
            });
        }
        return figures;
    }

    /** Images in [0, 1] that are none of the data, by what they are called, from some that are. */
    public static Map<String, Tensor> made(Key key, Tensor held) {
        Map<String, Tensor> made = new LinkedHashMap<>();
        double mean = held.mean().item();
        double deviation = Math.sqrt(held.minus(mean).square().mean().item());
        made.put(
                "gaussian",
                Tensors.normalLike(key.child(0), deviation, held)
                        .addNumberInPlace(mean)
                        .clampInPlace(0, 1));
        made.put("inverted", held.negate().addNumberInPlace(1));
        made.put("shuffled", shuffled(key.child(1), held));
        int n = (int) held.size(0);
        if (n > 1) { // each with the next, so that they are two
            Tensor next = Tensors.concat(0, held.narrow(0, 1, n - 1), held.narrow(0, 0, 1));
            made.put("interpolated", held.plus(next).timesInPlace(0.5));
        }
        Tensor shades =
                uniform(key.child(2), held.narrow(1, 0, 1).narrow(2, 0, 1).narrow(3, 0, 1));
        made.put("grey", shades.expand(held.shape()).contiguous());
        return made;
    }

    /** An out-of-distribution set's name, with "other" before it if its figures would have the names of another's. */
    static String free(Set<String> taken, String name) {
        return taken.stream().anyMatch(other -> Evaluation.word(other).equals(Evaluation.word(name)))
                ? free(taken, "other " + name)
                : name;
    }

    private static Tensor uniform(Key key, Tensor like) {
        return Tensors.uniform(key, 0, 1, like.dtype(), Device.CPU, like.shape());
    }

    /** Each image's pixels in an order of its own, the same in all channels. */
    private static Tensor shuffled(Key key, Tensor held) {
        long n = held.size(0);
        long channels = held.size(1);
        int pixels = (int) (held.size(2) * held.size(3));
        long[] order = new long[(int) (n * pixels)];
        for (int i = 0; i < n; i++) {
            System.arraycopy(key.child(i).permutation(pixels), 0, order, i * pixels, pixels);
        }
        Tensor index = Tensors.of(order).reshape(n, 1, pixels).expand(n, channels, pixels);
        return held.reshape(n, channels, pixels).gather(2, index.contiguous()).reshape(held.shape());
    }

    /** Every score that the model has, of images in [0, 1]. */
    private static Map<OodScore, double[]> scores(
            JointDensity joint, ImageDataset data, Tensor images, ModelForm form) {
        List<Scores> parts = new ArrayList<>();
        OodScore closest = form.isOfSamples() ? OodScore.GRADIENT : OodScore.F;
        for (long from = 0; from < images.size(0); from += BATCH) {
            try (Scope scope = Scope.open()) {
                Tensor some = images.narrow(0, from, Math.min(BATCH, images.size(0) - from));
                parts.add(Scores.of(joint, data.learnt(some), closest));
            }
        }
        Scores whole = Scores.join(parts);
        Map<OodScore, double[]> scores = new EnumMap<>(OodScore.class);
        scores.put(OodScore.F, whole.f());
        if (form.hasLabels()) {
            scores.put(OodScore.MAX_P, whole.highest());
        }
        scores.put(closest, whole.score());
        return scores;
    }
}
