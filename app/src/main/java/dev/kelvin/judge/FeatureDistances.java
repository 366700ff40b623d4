package dev.kelvin.judge;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.figure.Figure;
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

/** How far samples' features lie from the training images': FID, KID and Inception score, by one network. */
record FeatureDistances(Experiment experiment, ImageDataset data, Features network, WorkListener listener) {
    private static final int BATCH = 256;
    private static final int BATCH_ON_GPU = 2048; // where a step takes as long for more chains

    /** With fewer samples than this a line through figures at several sizes says nothing. */
    private static final int FEWEST_EXTRAPOLATED = 300;

    /** Images as the network sees them. */
    private record Seen(Tensor features, InceptionScore score) {
        int count() {
            return (int) features.size(0);
        }
    }

    /** What a batch of images is to the network; the numbers of its images are those from {@code from} on. */
    private interface Batch {
        Features.Outputs outputs(int from, int count);
    }

    /** The training images: what all others are compared with. */
    private record Reference(Moments moments, Tensor features) {}

    /**
     * All figures.
     *
     * @param key decides the draws
     * @param most images of each kind, at most
     */
    Map<String, Double> figures(Key key, int most) {
        Map<String, Double> figures = new LinkedHashMap<>();
        Model model = experiment.model();
        int n = Math.min(
                Math.min(most, data.train().count()),
                experiment.sampler().traits().most());
        Key[] keys = key.split(12);
        try (Scope scope = Scope.open()) {
            Seen training = seen(data.train().count(), (from, count) -> network.outputs(images(from, count)));
            Drawn drawn = draw(keys[0], n);
            Tensor samples = drawn.seen.features;
            try (Moments truth = Moments.of(training.features)) {
                Reference reference = new Reference(truth, training.features);
                Seen gaussian = ofGaussian(keys[3], n);
                double ofGaussian = add(ImageKind.GAUSSIAN, gaussian, truth, figures);
                addKernel(keys[9], ImageKind.GAUSSIAN, gaussian, reference, figures);
                double fid = add(ImageKind.FRESH, drawn.seen, truth, figures);
                figures.put(FrechetDistance.FID_SHARE.name(), fid / ofGaussian);
                model.latent().ifPresent(body -> {
                    Tensor x = body.generatedOfGaussian(keys[6], n);
                    Seen withoutPrior = seen(n, (from, count) -> ofSamples(x.narrow(0, from, count)));
                    figures.put(ModelFigures.FID_WITHOUT_PRIOR.name(), distance(withoutPrior.features, truth));
                });
                if (model.sampler().traits().negativesDiffer() && model.buffer().isEmpty()) {
                    figures.put(FrechetDistance.FID_TRAINING.name(), distance(ofNegatives(keys[7], n).features, truth));
                }
                buffer().flatMap(buffer -> addBuffer(keys[5], n, buffer, truth, figures))
                        .ifPresent(chains -> {
                            addKernel(keys[10], ImageKind.BUFFER, chains, reference, figures);
                            addShare(ImageKind.BUFFER, FrechetDistance.FID_BUFFER_SHARE, gaussian, truth, figures);
                        });
                addHeldOut(keys[8], keys[11], gaussian, reference, figures);
                if (n >= FEWEST_EXTRAPOLATED) {
                    figures.put(
                            FrechetDistance.FID_INFINITY.name(),
                            Extrapolation.frechet(keys[2], samples, truth, sizes(n)));
                }
            }
            KernelDistance kid = kernel(keys[1], samples, training.features);
            figures.put(KernelDistance.KID.name(), kid.mean());
            figures.put(KernelDistance.KID_SPREAD.name(), kid.spread());
            if (n >= FEWEST_EXTRAPOLATED) {
                figures.put(
                        KernelDistance.KID_INFINITY.name(),
                        Extrapolation.kernel(keys[4], samples, training.features, sizes(n)));
            }
            if (network.classifies()) {
                figures.put(InceptionScore.OF_DATA.name(), training.score.score());
            }
            if (network.classifiesAsTheData()) {
                drawn.classes.accuracy().ifPresent(share -> figures.put(Calibration.SAMPLE_ACCURACY.name(), share));
                ClassSamples.wanted(experiment).ifPresent(asked -> {
                    figures.put(Calibration.CLASS_SAMPLE_ACCURACY.name(), asked.accuracy(data, network));
                    figures.put(ModelFigures.CLASS_SAMPLES.name(), (double) asked.judged());
                });
            }
            drawn.accepted.stream()
                    .mapToDouble(each -> each)
                    .average()
                    .ifPresent(rate -> figures.put(ChainFigures.ACCEPTANCE.name(), rate));
        }
        return figures;
    }

    /** The moments of the training images' features. */
    Moments truth() {
        return Moments.of(seen(data.train().count(), (from, count) -> network.outputs(images(from, count))).features);
    }

    /** Figures of the model while it trains: of {@code n} chains of its buffer, or of fresh ones. */
    Map<String, Double> inTraining(Key key, int n, Moments truth) {
        Map<String, Double> figures = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            Optional<ReplayBuffer> buffer = buffer();
            if (buffer.isPresent()) {
                addBuffer(key, n, buffer.get(), truth, figures);
            } else {
                int most = Math.min(n, experiment.sampler().traits().most());
                add(ImageKind.FRESH, draw(key, most).seen, truth, figures);
            }
        }
        ImageKind.in(figures).forEach(kind -> figures.remove(kind.count().name())); // as many at every step
        return figures;
    }

    /** Adds the number of images, FID and Inception score of one kind; returns FID. */
    private double add(ImageKind kind, Seen seen, Moments truth, Map<String, Double> figures) {
        double fid = distance(seen.features, truth);
        figures.put(kind.count().name(), (double) seen.count());
        figures.put(kind.fid().name(), fid);
        if (network.classifies()) {
            figures.put(kind.score().name(), seen.score.score());
        }
        return fid;
    }

    private static void addKernel(
            Key key, ImageKind kind, Seen seen, Reference reference, Map<String, Double> figures) {
        figures.put(
                kind.kid().name(),
                kernel(key, seen.features, reference.features).mean());
    }

    private static KernelDistance kernel(Key key, Tensor samples, Tensor reference) {
        int size = (int) Math.min(KernelDistance.SIZE, Math.min(samples.size(0), reference.size(0)));
        return KernelDistance.of(key, samples, reference, KernelDistance.SUBSETS, size);
    }

    /** Adds FID divided by that of as many samples of the Gaussian: of fewer images it is higher. */
    private static void addShare(
            ImageKind kind, Figure share, Seen gaussian, Moments truth, Map<String, Double> figures) {
        long n = (long) kind.count().value(figures);
        double ofGaussian = n == gaussian.count()
                ? FrechetDistance.FID_GAUSSIAN.value(figures)
                : distance(gaussian.features.narrow(0, 0, n), truth);
        figures.put(share.name(), kind.fid().value(figures) / ofGaussian);
    }

    /** As many held-out images as samples, where there are so many. */
    private void addHeldOut(Key choice, Key subsets, Seen gaussian, Reference reference, Map<String, Double> figures) {
        long[] rows = ImageDataset.rows(choice, data.test(), gaussian.count());
        if (rows.length > 1) { // a covariance takes two
            Seen heldOut = seen(
                    rows.length,
                    (from, count) -> network.outputs(data.test()
                            .images(Arrays.copyOfRange(rows, from, from + count))
                            .to(experiment.device())));
            add(ImageKind.TEST, heldOut, reference.moments, figures);
            addKernel(subsets, ImageKind.TEST, heldOut, reference, figures);
            addShare(ImageKind.TEST, FrechetDistance.FID_TEST_SHARE, gaussian, reference.moments, figures);
        }
    }

    /** The replay buffer whose chains are of the data, if there is one. */
    private Optional<ReplayBuffer> buffer() {
        return experiment.model().buffer().filter(buffer -> hasChainsOfTheData());
    }

    /** The model's samples, as the network sees them. */
    private record Drawn(Seen seen, ClassSamples.Recognised classes, List<Double> accepted) {}

    private Drawn draw(Key key, int n) {
        ClassSamples.Recognised classes = new ClassSamples.Recognised();
        List<Double> accepted = new ArrayList<>();
        Seen seen = seen(n, (from, count) -> {
            listener.at("samples for the figures", from, n);
            ChainRun walk = experiment.sampler().draw(SampleRequest.fresh(key.child(from), count));
            walk.acceptance().ifPresent(accepted::add);
            Features.Outputs outputs = ofSamples(walk.x());
            outputs.logits()
                    .ifPresent(logits ->
                            experiment.components().classesOf(count).ifPresent(drawn -> classes.add(logits, drawn)));
            return outputs;
        });
        return new Drawn(seen, classes, accepted);
    }

    private Seen ofNegatives(Key key, int n) {
        return seen(n, (from, count) -> {
            listener.at("training's chains for the figures", from, n);
            return ofSamples(experiment.drawn(SampleRequest.negatives(key.child(from), count)));
        });
    }

    private Optional<Seen> addBuffer(Key key, int n, ReplayBuffer buffer, Moments truth, Map<String, Double> figures) {
        Tensor slots = buffer.chains(key, 0, experiment.model().inTurn(Math.min(n, buffer.size())));
        if (slots.size(0) < 2) { // a covariance takes two
            return Optional.empty();
        }
        Seen seen = seen(
                (int) slots.size(0),
                (from, count) -> ofSamples(experiment.model().fromChains(slots.narrow(0, from, count))));
        add(ImageKind.BUFFER, seen, truth, figures);
        if (experiment.model().latent().isEmpty()) {
            figures.put(ModelFigures.BUFFER_UNLIKELY.name(), unlikely(slots));
        }
        return Optional.of(seen);
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

    private Features.Outputs ofSamples(Tensor x) {
        return network.outputs(data.unit(x));
    }

    private Tensor images(int from, int count) {
        return data.train().images(ImageDataset.range(from, from + count)).to(experiment.device());
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

    /** Samples of the Gaussian that is fitted to the pixels. */
    private Seen ofGaussian(Key key, int n) {
        FittedGaussian fitted = FittedGaussian.of(data.train());
        return seen(
                n,
                (from, count) ->
                        network.outputs(fitted.draw(key.child(from), count).to(experiment.device())));
    }

    private static double distance(Tensor features, Moments reference) {
        try (Moments moments = Moments.of(features)) {
            return FrechetDistance.of(moments, reference);
        }
    }

    /** {@code count} images as the network sees them, a batch at a time; their features on the CPU. */
    private Seen seen(int count, Batch batch) {
        int most = experiment.device().cuda() ? BATCH_ON_GPU : BATCH;
        InceptionScore score = score(count);
        List<Tensor> parts = new ArrayList<>();
        for (int from = 0; from < count; from += most) {
            try (Scope scope = Scope.open()) {
                Features.Outputs outputs = batch.outputs(from, Math.min(most, count - from));
                outputs.logits().ifPresent(score::add);
                parts.add(scope.keep(outputs.features().to(Device.CPU)));
            }
        }
        return new Seen(Tensors.concat(0, parts), score);
    }
}
