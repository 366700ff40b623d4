package dev.kelvin.judge;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.image.Extrapolation;
import dev.kelvin.metric.image.Features;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.metric.image.InceptionScore;
import dev.kelvin.metric.image.KernelDistance;
import dev.kelvin.metric.image.Moments;
import dev.kelvin.model.Model;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** How far samples' features lie from the training images': FID, KID and Inception score, by one network. */
record FeatureDistances(Experiment experiment, ImageDataset data, Features network, WorkListener listener) {
    private static final int BATCH = 256;
    private static final int BATCH_ON_GPU = 2048; // where a step takes as long for more chains

    /** Samples for the figures: as many as training images, up to this. */
    private static final int MOST = 10_000;

    /** With fewer samples than this a line through figures at several sizes says nothing. */
    private static final int FEWEST_EXTRAPOLATED = 300;

    /** Added to the pixels' variances: sets have pixels that never change, and those have no Gaussian. */
    private static final double RIDGE = 1e-6;

    /** All figures; the key decides the draws. */
    Map<String, Double> figures(Key key) {
        Map<String, Double> figures = new LinkedHashMap<>();
        Model model = experiment.model();
        int n = Math.min(
                Math.min(MOST, data.train().count()),
                experiment.sampler().traits().most());
        Key[] keys = key.split(8);
        try (Scope scope = Scope.open()) {
            InceptionScore ofData = score(data.train().count());
            Tensor reference = features(data.train().count(), (from, count) -> {
                Features.Outputs seen = network.outputs(images(from, count).to(experiment.device()));
                seen.logits().ifPresent(ofData::add);
                return seen.features();
            });
            Drawn drawn = draw(keys[0], n);
            Tensor samples = drawn.features;
            try (Moments truth = Moments.of(reference)) {
                double fid = distance(samples, truth);
                double ofGaussian = distance(ofGaussian(keys[3], n), truth);
                figures.put(FrechetDistance.FID.name(), fid);
                figures.put(FrechetDistance.FID_GAUSSIAN.name(), ofGaussian);
                figures.put(FrechetDistance.FID_SHARE.name(), fid / ofGaussian);
                model.latent().ifPresent(body -> {
                    Tensor features = of(body.generatedOfGaussian(keys[6], n), each -> each);
                    figures.put(ModelFigures.FID_WITHOUT_PRIOR.name(), distance(features, truth));
                });
                if (model.sampler().traits().negativesDiffer() && model.buffer().isEmpty()) {
                    figures.put(FrechetDistance.FID_TRAINING.name(), distance(ofNegatives(keys[7], n), truth));
                }
                buffer().ifPresent(buffer -> addBuffer(keys[5], n, buffer, truth, figures));
                if (n >= FEWEST_EXTRAPOLATED) {
                    figures.put(
                            FrechetDistance.FID_INFINITY.name(),
                            Extrapolation.frechet(keys[2], samples, truth, sizes(n)));
                }
            }
            KernelDistance kid = KernelDistance.of(
                    keys[1], samples, reference, KernelDistance.SUBSETS, Math.min(KernelDistance.SIZE, n));
            figures.put(KernelDistance.KID.name(), kid.mean());
            figures.put(KernelDistance.KID_SPREAD.name(), kid.spread());
            if (n >= FEWEST_EXTRAPOLATED) {
                figures.put(
                        KernelDistance.KID_INFINITY.name(),
                        Extrapolation.kernel(keys[4], samples, reference, sizes(n)));
            }
            if (network.classifies()) {
                figures.put(InceptionScore.INCEPTION_SCORE.name(), drawn.score.score());
                figures.put(InceptionScore.OF_DATA.name(), ofData.score());
            }
            if (network.classifiesAsTheData()) {
                drawn.classes.accuracy().ifPresent(share -> figures.put(Calibration.SAMPLE_ACCURACY.name(), share));
                ClassSamples.wanted(experiment)
                        .map(asked -> asked.accuracy(data, network))
                        .ifPresent(share -> figures.put(Calibration.CLASS_SAMPLE_ACCURACY.name(), share));
            }
            drawn.accepted.stream()
                    .mapToDouble(each -> each)
                    .average()
                    .ifPresent(rate -> figures.put(ChainFigures.ACCEPTANCE.name(), rate));
            figures.put(ModelFigures.SAMPLES.name(), (double) n);
        }
        return figures;
    }

    /** The moments of the training images' features. */
    Moments truth() {
        return Moments.of(features(
                data.train().count(),
                (from, count) -> network.features(images(from, count).to(experiment.device()))));
    }

    /** Figures of the model while it trains: of {@code n} chains of its buffer, or of fresh ones. */
    Map<String, Double> inTraining(Key key, int n, Moments truth) {
        Map<String, Double> figures = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            Optional<ReplayBuffer> buffer = buffer();
            if (buffer.isPresent()) {
                addBuffer(key, n, buffer.get(), truth, figures);
                figures.remove(ModelFigures.BUFFER_SAMPLES.name());
            } else {
                Drawn drawn =
                        draw(key, Math.min(n, experiment.sampler().traits().most()));
                figures.put(FrechetDistance.FID.name(), distance(drawn.features, truth));
                if (network.classifies()) {
                    figures.put(InceptionScore.INCEPTION_SCORE.name(), drawn.score.score());
                }
            }
        }
        return figures;
    }

    /** The replay buffer whose chains are of the data, if there is one. */
    private Optional<ReplayBuffer> buffer() {
        return experiment.model().buffer().filter(buffer -> hasChainsOfTheData());
    }

    /** The model's samples, as the network sees them. */
    private record Drawn(
            Tensor features, InceptionScore score, ClassSamples.Recognised classes, List<Double> accepted) {}

    private Drawn draw(Key key, int n) {
        InceptionScore score = score(n);
        ClassSamples.Recognised classes = new ClassSamples.Recognised();
        List<Double> accepted = new ArrayList<>();
        Tensor features = features(n, (from, count) -> {
            listener.at("samples for the figures", from, n);
            ChainRun walk = experiment.sampler().draw(SampleRequest.fresh(key.child(from), count));
            walk.acceptance().ifPresent(accepted::add);
            Features.Outputs seen = network.outputs(data.unit(walk.x()));
            seen.logits().ifPresent(logits -> {
                score.add(logits);
                experiment.components().classesOf(count).ifPresent(drawn -> classes.add(logits, drawn));
            });
            return seen.features();
        });
        return new Drawn(features, score, classes, accepted);
    }

    private Tensor ofNegatives(Key key, int n) {
        return features(n, (from, count) -> {
            listener.at("training's chains for the figures", from, n);
            return ofSamples(experiment.drawn(SampleRequest.negatives(key.child(from), count)));
        });
    }

    private void addBuffer(Key key, int n, ReplayBuffer buffer, Moments truth, Map<String, Double> figures) {
        Tensor slots = buffer.chains(key, 0, experiment.model().inTurn(Math.min(n, buffer.size())));
        if (slots.size(0) > 1) { // a covariance takes two
            InceptionScore score = score((int) slots.size(0));
            Tensor seen = features((int) slots.size(0), (from, count) -> {
                Tensor images = experiment.model().fromChains(slots.narrow(0, from, count));
                Features.Outputs outputs = network.outputs(data.unit(images));
                outputs.logits().ifPresent(score::add);
                return outputs.features();
            });
            figures.put(FrechetDistance.FID_BUFFER.name(), distance(seen, truth));
            if (network.classifies()) {
                figures.put(InceptionScore.IS_BUFFER.name(), score.score());
            }
            if (experiment.model().latent().isEmpty()) {
                figures.put(ModelFigures.BUFFER_UNLIKELY.name(), unlikely(slots));
            }
            figures.put(ModelFigures.BUFFER_SAMPLES.name(), (double) slots.size(0));
        }
    }

    /** The share of some chains at which f is lower than at nearly all training images. */
    private double unlikely(Tensor chains) {
        LogDensity f = experiment.model().logDensity();
        int n = Math.min(ImageJudge.SCORED, (int) chains.size(0));
        double[] likely = f.at(ImageJudge.scored(data, data.train())).toDoubles();
        Arrays.sort(likely);
        double bound = likely[likely.length / 100];
        double[] found = f.at(chains.narrow(0, 0, n)).toDoubles();
        return Arrays.stream(found).filter(value -> !(value >= bound)).count() / (double) found.length;
    }

    private Tensor of(Tensor x, UnaryOperator<Tensor> samples) {
        return features((int) x.size(0), (from, count) -> ofSamples(samples.apply(x.narrow(0, from, count))));
    }

    private Tensor ofSamples(Tensor x) {
        return network.features(data.unit(x));
    }

    private Tensor images(int from, int count) {
        return data.train().images(ImageDataset.range(from, from + count));
    }

    /** In as many splits as published figures have, or as many as have two samples each. */
    private static InceptionScore score(int n) {
        return new InceptionScore(Math.max(1, Math.min(InceptionScore.SPLITS, n / 2)));
    }

    /** Whether a buffer's chains, or some, are known to be of the data: on the marginal of all times they have any noise. */
    private boolean hasChainsOfTheData() {
        return !experiment.sampler().traits().annealed()
                || experiment.recipe().objective().compares() == ContrastedDensity.GIVEN;
    }

    /** Ten sizes up to the number of samples. */
    private static int[] sizes(int n) {
        return Extrapolation.sizes(n / 3, n, 10);
    }

    /** The features of samples of the Gaussian that is fitted to the pixels. */
    private Tensor ofGaussian(Key key, int n) {
        ImageSet set = data.train();
        Gaussian fitted = gaussian(set);
        return features(n, (from, count) -> {
            Tensor x = fitted.draw(key.child(from), count).reshape(count, set.channels(), set.height(), set.width());
            return network.features(x.clampInPlace(0, 1).to(experiment.device()));
        });
    }

    private static double distance(Tensor features, Moments reference) {
        try (Moments moments = Moments.of(features)) {
            return FrechetDistance.of(moments, reference);
        }
    }

    /** The Gaussian with the pixels' mean and covariance. */
    private Gaussian gaussian(ImageSet set) {
        try (Scope scope = Scope.open();
                Moments moments = ImageDataset.moments(set, BATCH, ImageDataset.range(0, set.count()))) {
            return Gaussian.of(moments.mean(), moments.covariance(), variance -> variance + RIDGE);
        }
    }

    /** The features of images from one number on. */
    private interface Batch {
        Tensor features(int from, int count);
    }

    /** The features of {@code count} images, a batch at a time, on the CPU. */
    private Tensor features(int count, Batch batch) {
        int most = experiment.device().cuda() ? BATCH_ON_GPU : BATCH;
        List<Tensor> parts = new ArrayList<>();
        for (int from = 0; from < count; from += most) {
            try (Scope scope = Scope.open()) {
                parts.add(scope.keep(
                        batch.features(from, Math.min(most, count - from)).to(Device.CPU)));
            }
        }
        return Tensors.concat(0, parts);
    }
}
