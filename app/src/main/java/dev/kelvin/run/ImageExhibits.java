package dev.kelvin.run;

import dev.kelvin.data.ImageSet;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.metric.FeatureKernel;
import dev.kelvin.metric.Features;
import dev.kelvin.metric.FrechetDistance;
import dev.kelvin.metric.InceptionScore;
import dev.kelvin.metric.KernelDistance;
import dev.kelvin.metric.Moments;
import dev.kelvin.metric.OutOfDistribution;
import dev.kelvin.metric.ScriptFeatures;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A model of images: its samples' features against the training images', and its f on images that it was trained on, on
 * others, on its own samples and on noise.
 *
 * @param f the values of f, by what they were taken at
 * @param script a TorchScript file whose features are compared; otherwise a classifier's that is trained on the set
 */
public record ImageExhibits(Map<String, double[]> f, Optional<Path> script) implements Exhibits {
    public static final String TRAIN = "training";
    public static final String TEST = "held-out";
    public static final String SAMPLES = "samples";
    public static final String NOISE = "noise";

    private static final Key KEY = Key.of(0).child(-5);
    private static final int SCORED = 512;
    private static final int BATCH = 256;

    /** Samples for the figures: as many as training images, up to this. */
    private static final int MOST = 10_000;

    /** Added to the pixels' variances: sets have pixels that never change, and those have no Gaussian. */
    private static final double RIDGE = 1e-6;

    static ImageExhibits of(Parts parts, Device device) {
        ImageData data = parts.images().orElseThrow();
        LogDensity f = parts.logDensity();
        Map<String, double[]> values = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            values.put(TRAIN, scores(f, data, data.train()));
            values.put(TEST, scores(f, data, data.test()));
            values.put(SAMPLES, at(f, parts.sampler().draw(KEY.child(0), SCORED).x()));
            Tensor like = data.train()
                    .images(ImageData.range(0, Math.min(SCORED, data.train().count())));
            Tensor noise = Tensors.uniform(KEY.child(1), 0, 1, like.dtype(), Device.CPU, like.shape());
            values.put(NOISE, at(f, data.learnt(noise)));
        }
        return new ImageExhibits(values, Optional.empty());
    }

    /** The same, judged by the features of a TorchScript file. */
    public ImageExhibits with(Path file) {
        return new ImageExhibits(f, Optional.of(file));
    }

    private static double[] scores(LogDensity f, ImageData data, ImageSet set) {
        return at(f, data.learnt(set.images(ImageData.range(0, Math.min(SCORED, set.count())))));
    }

    private static double[] at(LogDensity f, Tensor x) {
        try (NoGrad noGrad = NoGrad.open()) {
            return f.at(x).toDoubles();
        }
    }

    @Override
    public Evaluation evaluate(Key key, Parts parts, Device device) {
        ImageData data = parts.images().orElseThrow();
        Map<String, Double> figures = new LinkedHashMap<>();
        Map<String, String> notes = new LinkedHashMap<>();
        if (script.isPresent() || data.train().labelled()) {
            try (Features features = features(data, device)) {
                addDistances(key, parts, features, device, figures);
                notes.put("features", features.name());
                notes.put(
                        "reference",
                        "the " + data.train().count() + " training images of "
                                + data.train().name());
            } catch (IOException e) {
                throw new RunException(String.valueOf(e.getMessage()));
            }
        }
        f.forEach((name, values) -> figures.put("f_" + name.replaceAll("\\W+", "_"), mean(values)));
        OutOfDistribution noise = OutOfDistribution.of(values(TEST), values(NOISE));
        figures.put("auroc_noise", noise.auroc());
        figures.put(
                "auroc_test_train",
                OutOfDistribution.of(values(TRAIN), values(TEST)).auroc());
        return new Evaluation(figures, notes);
    }

    private double[] values(String name) {
        return f.getOrDefault(name, new double[0]);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value / values.length;
        }
        return sum;
    }

    /** The features' classifier of this set, trained if it is not there yet; all runs in the folder share it. */
    private Features features(ImageData data, Device device) throws IOException {
        return script.isPresent()
                ? ScriptFeatures.load(script.get(), device)
                : Classifier.of(Classifier.file(data.train()), data.train(), data.test(), device);
    }

    private static void addDistances(
            Key key, Parts parts, Features network, Device device, Map<String, Double> figures) {
        ImageData data = parts.images().orElseThrow();
        int n = Math.min(MOST, data.train().count());
        Key[] keys = key.split(5);
        try (Scope scope = Scope.open()) {
            Tensor reference = batches(
                    data.train().count(),
                    (from, count) -> network.features(data.train()
                            .images(ImageData.range(from, from + count))
                            .to(device)));
            InceptionScore score =
                    new InceptionScore(Math.max(2, data.train().classes().size()));
            // as in training: from fresh starts, or on from the buffer's chains
            Tensor samples = batches(n, (from, count) -> {
                Tensor images = data.unit(
                        parts.sampler().draw(keys[0].child(from), count).x());
                if (network.classifies()) {
                    score.addLogits(network.logits(images));
                }
                return network.features(images);
            });
            Moments truth = Moments.of(reference);
            figures.put("fid", FrechetDistance.of(Moments.of(samples), truth).value());
            int size = Math.min(KernelDistance.SIZE, n);
            KernelDistance kid = KernelDistance.of(
                    keys[1], samples, reference, new FeatureKernel.Cubic(), KernelDistance.SUBSETS, size);
            figures.put("kid", kid.mean());
            figures.put("kid_spread", kid.spread());
            if (network.classifies()) {
                figures.put("is", score.score().mean());
            }
            Gaussian fitted = gaussian(data.train());
            long[] shape = data.train().images(0).shape();
            Tensor drawn = batches(
                    n,
                    (from, count) -> network.features(fitted.draw(keys[3].child(from), count)
                            .reshape(count, shape[1], shape[2], shape[3])
                            .clampInPlace(0, 1)
                            .to(device)));
            figures.put(
                    "fid_gaussian", FrechetDistance.of(Moments.of(drawn), truth).value());
            figures.put("n", (double) n);
        }
    }

    /** The Gaussian with the pixels' mean and covariance. */
    private static Gaussian gaussian(ImageSet set) {
        try (Scope scope = Scope.open();
                Moments moments = new Moments(set.channels() * set.height() * set.width())) {
            for (int from = 0; from < set.count(); from += BATCH) {
                try (Scope batch = Scope.open()) {
                    moments.add(set.images(ImageData.range(from, Math.min(set.count(), from + BATCH)))
                            .flattenSamples());
                }
            }
            double[] mean = moments.mean().toDoubles();
            double[] flat = moments.covariance().toDoubles();
            double[][] covariance = new double[mean.length][mean.length];
            for (int i = 0; i < flat.length; i++) {
                int row = i / mean.length;
                int column = i % mean.length;
                covariance[row][column] = flat[i] + (row == column ? RIDGE : 0);
            }
            return new Gaussian(mean, covariance);
        }
    }

    /** The features of images from one number on. */
    private interface Batch {
        Tensor features(int from, int count);
    }

    /** The features of so many images, a batch at a time, on the CPU. */
    private static Tensor batches(int count, Batch batch) {
        List<Tensor> parts = new ArrayList<>();
        for (int from = 0; from < count; from += BATCH) {
            try (Scope scope = Scope.open()) {
                parts.add(scope.keep(
                        batch.features(from, Math.min(BATCH, count - from)).to(Device.CPU)));
            }
        }
        return Tensors.concat(0, parts);
    }
}
