package dev.kelvin.judge;

import dev.kelvin.model.SampleRequest;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.KeyDomain;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Timeline;
import dev.kelvin.experiment.Components;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.OutOfDistribution;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.image.FeatureKernel;
import dev.kelvin.metric.image.Features;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.metric.image.InceptionScore;
import dev.kelvin.metric.image.KernelDistance;
import dev.kelvin.metric.image.Moments;
import dev.kelvin.metric.image.SampleSizes;
import dev.kelvin.metric.image.ScriptFeatures;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.panel.ImagePanels;
import dev.kelvin.report.Picture;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A model of images: its samples' features against the training images', and its f on images that it was trained on, on
 * others, on its own samples, on noise and on the out-of-distribution sets that the recipe names.
 *
 * @param f the values of f, by what they were taken at
 * @param components what the model's components add
 * @param script a TorchScript file whose features are compared; otherwise a classifier's that is trained on the set
 * @param attack accuracies under attack, where they are asked for
 */
public record ImageJudge(
        Experiment experiment,
        ImageDataset data,
        Map<String, double[]> f,
        Components.Seen components,
        Optional<Path> script,
        Optional<Attack> attack)
        implements Judgement {
    public static final String TRAIN = "training";
    public static final String TEST = "held-out";
    public static final String SAMPLES = "samples";
    public static final String LARGER_STEPS = "samples, larger steps";
    public static final String NOISE = "noise";

    /** How much larger those steps are: Robust to Inaccurate SGLD Samples, figure 14. */
    public static final int LARGER = 4;

    private static final Key KEY = KeyDomain.SCORES.key();
    public static final int SCORED = 512;
    private static final int SCORED_ANNEALED = 128; // of samples whose chains are long
    private static final int BATCH = 256;
    private static final int BATCH_ON_GPU = 2048; // where a step takes as long for more chains

    /** Samples for the figures: as many as training images, up to this. */
    private static final int MOST = 10_000;

    /** With fewer samples than this a line through figures at several sizes says nothing. */
    private static final int FEWEST_EXTRAPOLATED = 300;

    /** Added to the pixels' variances: sets have pixels that never change, and those have no Gaussian. */
    private static final double RIDGE = 1e-6;

    /** The largest distance of the bounds of log Z, in nats, at which log p is told. */
    private static final double AGREE = 0.5;

    public static ImageJudge of(Experiment experiment, ImageDataset data) {
        Map<String, double[]> values = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            LogDensity f = experiment.model().logDensity();
            int scored = experiment.model().sampler().traits().annealed() ? SCORED_ANNEALED : SCORED;
            values.put(TRAIN, scores(f, data, data.train()));
            values.put(TEST, scores(f, data, data.test()));
            values.put(
                    SAMPLES,
                    at(f, experiment.model().sampler().draw(SampleRequest.of(KEY.child(0), scored)).x()));
            if (experiment.model().sampler().traits().largerSteps()) {
                ChainRun walk = experiment
                        .model()
                        .sampler()
                        .draw(SampleRequest.fresh(KEY.child(4), SCORED).withStepFactor(LARGER));
                values.put(LARGER_STEPS, at(f, walk.x()));
            }
            Tensor like = data.train()
                    .images(ImageDataset.range(0, Math.min(SCORED, data.train().count())));
            Tensor noise = Tensors.uniform(KEY.child(1), 0, 1, like.dtype(), Device.CPU, like.shape());
            values.put(NOISE, at(f, data.learnt(noise)));
            data.others().forEach((name, set) -> values.put(free(values.keySet(), name), scores(f, data, set)));
        }
        return new ImageJudge(
                experiment,
                data,
                values,
                experiment.components().judge(experiment),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public ImageJudge withFeatures(Path file) {
        return new ImageJudge(experiment, data, f, components, Optional.of(file), attack);
    }

    @Override
    public ImageJudge withAttack(Attack wanted) {
        return new ImageJudge(experiment, data, f, components, script, Optional.of(wanted));
    }

    @Override
    public Shown show(Path samples, Evaluation evaluation) throws IOException {
        return new ImagePanels(samples, this, evaluation).shown();
    }

    @Override
    public Picture picture(String caption) {
        return data.picture(experiment, caption);
    }

    /**
     * f of held-out images; log Z is only known of a time-joint model whose normaliser is pinned, in the recipe's units of
     * pixels, and where the bounds that were measured agree.
     */
    @Override
    public Optional<HeldOutReference> reference(Evaluation evaluation, long step) {
        double lower = evaluation.figure(ModelFigures.LOG_Z_LOWER.name()).orElse(Double.NaN);
        double upper = evaluation.figure(ModelFigures.LOG_Z_UPPER.name()).orElse(Double.NaN);
        boolean known = experiment.model().timeline().filter(Timeline::pinned).isPresent() && Math.abs(upper - lower) <= AGREE;
        return HeldOutReference.of(
                step,
                experiment.model().temperature(),
                known ? Optional.of(HeldOutReference.Bounds.of(lower, upper)) : Optional.empty(),
                values(TEST));
    }

    private static double[] scores(LogDensity f, ImageDataset data, ImageSet set) {
        return at(f, data.learnt(some(KEY.child(3), set, SCORED)));
    }

    /** Images of a set at random, at most so many: sets may be sorted by class. */
    public static Tensor some(Key key, ImageSet set, int most) {
        return set.images(Arrays.copyOf(key.permutation(set.count()), Math.min(most, set.count())));
    }

    private static double[] at(LogDensity f, Tensor x) {
        try (Scope scope = Scope.open()) {
            return f.at(x).toDoubles();
        }
    }

    @Override
    public Evaluation evaluate(Key key, WorkListener listener) {
        Map<String, Double> figures = new LinkedHashMap<>();
        Map<String, String> notes = new LinkedHashMap<>();
        attack.ifPresent(
                wanted -> { // first: it may be refused
                    figures.putAll(wanted.figures(experiment, data, listener));
                    notes.put("attack", wanted.words(data));
                });
        Optional<Calibration.Report> judged = components.own();
        judged.ifPresent(own -> notes.put(Evaluation.ACCURACY_OF, "the model's own p(y|x), on the held-out images"));
        if (script.isPresent() || data.classes().size() > 1) {
            try (Features features = features(listener)) {
                addDistances(key, features, figures, listener);
                notes.put("features", features.name());
                if (judged.isEmpty()) {
                    judged = features.judged();
                    judged.ifPresent(own -> notes.put(Evaluation.ACCURACY_OF, Evaluation.FEATURES_CLASSIFIER));
                }
                notes.put(
                        "reference",
                        "the " + data.train().count() + " training images of "
                                + data.train().name());
            } catch (IOException e) {
                throw new UserException(String.valueOf(e.getMessage()));
            }
        }
        judged.ifPresent(report -> figures.putAll(report.figures()));
        notes.put("samples", experiment.components().samplesWords(experiment.recipe()));
        f.forEach((name, values) -> figures.put("f_" + word(name), mean(values)));
        for (String name : others()) {
            OutOfDistribution told = OutOfDistribution.of(values(TEST), values(name));
            figures.putAll(told.figures(OodScore.F, word(name)));
            figures.put("auroc", told.auroc());
            notes.put("auroc_against", name); // the last: an out-of-distribution set where the recipe names one
        }
        figures.putAll(OutOfDistributionEvaluation.figures(experiment, data, others(), f.keySet()));
        figures.put(
                "auroc_test_train",
                OutOfDistribution.of(values(TRAIN), values(TEST)).auroc());
        if (experiment.model().chainSettings().hasTemperature()) {
            figures.put("temperature", experiment.model().temperature());
        }
        if (experiment.kernel().traits().adjusted() || experiment.objective().weighs()) { // what else asks for f/T
            figures.putAll(experiment.rounding(values(TRAIN)));
        }
        figures.putAll(components.figures());
        return new Evaluation(
                figures, notes, judged.map(Calibration.Report::bins).orElse(List.of()));
    }

    /** What is no data: noise, and the out-of-distribution sets. */
    private List<String> others() {
        return f.keySet().stream()
                .filter(name -> !List.of(TRAIN, TEST, SAMPLES, LARGER_STEPS).contains(name))
                .toList();
    }

    /** An out-of-distribution set's name, with "other" before it where its figures would have the names of another's. */
    static String free(Set<String> taken, String name) {
        return taken.stream().anyMatch(other -> word(other).equals(word(name))) ? free(taken, "other " + name) : name;
    }

    /** The end of a figure's name. */
    static String word(String name) {
        return name.replaceAll("[^\\p{L}\\p{N}_]+", "_");
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

    /** The feature classifier of this set, trained if it is not there yet; all runs in the folder share it. */
    private Features features(WorkListener listener) throws IOException {
        Device device = experiment.device();
        return script.isPresent()
                ? ScriptFeatures.load(script.get(), device)
                : Classifier.of(Classifier.file(data.train()), data.train(), data.test(), device, listener);
    }

    private void addDistances(Key key, Features network, Map<String, Double> figures, WorkListener listener) {
        Device device = experiment.device();
        int n = Math.min(Math.min(MOST, data.train().count()), experiment.model().sampler().traits().most());
        Key[] keys = key.split(8);
        try (Scope scope = Scope.open()) {
            Scores ofData = new Scores(data.train().count());
            Tensor reference = batches(data.train().count(), (from, count) -> {
                Features.Outputs seen = network.outputs(data.train()
                        .images(ImageDataset.range(from, from + count))
                        .to(device));
                seen.logits().ifPresent(ofData::add);
                return seen.features();
            });
            Scores score = new Scores(n);
            SampleClasses classes = new SampleClasses();
            List<Double> accepted = new ArrayList<>();
            Tensor samples = batches(n, (from, count) -> {
                listener.at("samples for the figures", from, n);
                ChainRun walk = experiment.model().sampler().draw(SampleRequest.fresh(keys[0].child(from), count));
                walk.acceptance().ifPresent(accepted::add);
                Features.Outputs seen = network.outputs(data.unit(walk.x()));
                seen.logits().ifPresent(logits -> {
                    score.add(logits);
                    experiment.components().classesOf(count).ifPresent(drawn -> classes.add(logits, drawn));
                });
                return seen.features();
            });
            try (Moments truth = Moments.of(reference)) {
                figures.put("fid", distance(samples, truth));
                figures.put("fid_gaussian", distance(gaussian(keys[3], n, data.train(), network, device), truth));
                figures.put("fid_share", figures.get("fid") / figures.get("fid_gaussian"));
                experiment
                        .model()
                        .latent()
                        .map(body -> body.generatedOfGaussian(keys[6], n))
                        .ifPresent(x -> figures.put(
                                ModelFigures.FID_WITHOUT_PRIOR.name(),
                                distance(
                                        batches(
                                                n,
                                                (from, count) -> network.features(data.unit(x.narrow(0, from, count)))),
                                        truth)));
                if (experiment.model().sampler().traits().negativesDiffer()
                        && experiment.model().buffer().isEmpty()) {
                    Tensor negatives = batches(n, (from, count) -> {
                        listener.at("training's chains for the figures", from, n);
                        return network.features(data.unit(experiment
                                .model().sampler()
                                .draw(SampleRequest.negatives(keys[7].child(from), count))
                                .x()));
                    });
                    figures.put("fid_training", distance(negatives, truth));
                }
                experiment.model().buffer().filter(buffer -> hasChainsOfTheData()).ifPresent(buffer -> {
                    long[] k = experiment.model().inTurn(Math.min(n, buffer.size()));
                    Tensor slots = buffer.chains(keys[5], 0, k);
                    int held = (int) slots.size(0);
                    if (held > 1) { // a covariance takes two
                        Tensor chains = batches(
                                held,
                                (from, count) -> network.features(
                                        data.unit(experiment.model().fromChains(slots.narrow(0, from, count)))));
                        figures.put("fid_buffer", distance(chains, truth));
                        figures.put("n_buffer", (double) held);
                    }
                });
                if (n >= FEWEST_EXTRAPOLATED) {
                    figures.put(
                            "fid_infinity",
                            sizes(n).frechet(keys[2], samples, truth).value());
                }
            }
            FeatureKernel kernel = new FeatureKernel.Cubic();
            KernelDistance kid = KernelDistance.of(
                    keys[1], samples, reference, kernel, KernelDistance.SUBSETS, Math.min(KernelDistance.SIZE, n));
            figures.put("kid", kid.mean());
            figures.put("kid_spread", kid.spread());
            if (n >= FEWEST_EXTRAPOLATED) {
                figures.put(
                        "kid_infinity",
                        sizes(n).kernel(keys[4], samples, reference, kernel).value());
            }
            score.put(InceptionScore.INCEPTION_SCORE, figures);
            ofData.put(InceptionScore.OF_DATA, figures);
            if (network.classifiesAsTheData()) {
                classes.accuracy().ifPresent(share -> figures.put("sample_accuracy", share));
                ClassSamples.wanted(experiment)
                        .map(asked -> asked.accuracy(data, network))
                        .ifPresent(share -> figures.put(Calibration.CLASS_SAMPLE_ACCURACY.name(), share));
            }
            accepted.stream()
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .ifPresent(rate -> figures.put("acceptance", rate));
            figures.put("n", (double) n);
        }
    }

    /** The Inception score of so many images, where the network has classes; it is made when those are seen. */
    private static final class Scores {
        private final int images;
        private Optional<InceptionScore> score = Optional.empty();

        Scores(int images) {
            this.images = images;
        }

        void add(Tensor logits) {
            if (score.isEmpty()) {
                score = Optional.of(new InceptionScore((int) logits.size(1), splits(images)));
            }
            score.get().addLogits(logits);
        }

        /** As published figures have, or as many as have two samples each. */
        private static int splits(int n) {
            return Math.max(1, Math.min(InceptionScore.SPLITS, n / 2));
        }

        void put(Figure figure, Map<String, Double> figures) {
            score.ifPresent(found -> figures.put(figure.name(), found.score().mean()));
        }
    }

    /** Whether a buffer's chains, or some, are known to be of the data: on the marginal of all times they have any noise. */
    private boolean hasChainsOfTheData() {
        return !experiment.model().sampler().traits().annealed()
                || experiment.recipe().objective().compares() == ContrastedDensity.GIVEN;
    }

    /** Ten sizes up to the number of samples. */
    private static SampleSizes sizes(int n) {
        return new SampleSizes(n / 3, n, 10);
    }

    /** The features of samples of the Gaussian that is fitted to the pixels. */
    private Tensor gaussian(Key key, int n, ImageSet set, Features network, Device device) {
        Gaussian fitted = gaussian(set);
        return batches(
                n,
                (from, count) -> network.features(fitted.draw(key.child(from), count)
                        .reshape(count, set.channels(), set.height(), set.width())
                        .clampInPlace(0, 1)
                        .to(device)));
    }

    private static double distance(Tensor features, Moments reference) {
        try (Moments moments = Moments.of(features)) {
            return FrechetDistance.of(moments, reference).value();
        }
    }

    /** The Gaussian with the pixels' mean and covariance. */
    private static Gaussian gaussian(ImageSet set) {
        try (Scope scope = Scope.open();
                Moments moments = new Moments(set.channels() * set.height() * set.width())) {
            for (int from = 0; from < set.count(); from += BATCH) {
                try (Scope batch = Scope.open()) {
                    moments.add(set.images(ImageDataset.range(from, Math.min(set.count(), from + BATCH)))
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
    private Tensor batches(int count, Batch batch) {
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
