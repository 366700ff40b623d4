package dev.kelvin.judge;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Components;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.component.ComponentJudge.Measured;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.OutOfDistribution;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.image.Features;
import dev.kelvin.metric.image.ScriptFeatures;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A model of images: its samples' features against the training images', and its f on images that it was trained on, on
 * others, on its own samples, on noise and on the out-of-distribution sets that the recipe names.
 *
 * @param f the values of f, by what they were taken at
 * @param components what the model's components add
 * @param script a TorchScript file whose features are compared; otherwise a classifier's that is trained on the set
 * @param attack accuracies under attack, where they are asked for
 */
public record ImageJudgement(
        Experiment experiment,
        ImageDataset data,
        Map<String, double[]> f,
        Measured components,
        Optional<Path> script,
        Optional<Attack> attack)
        implements Judgement {
    /** What values of f were taken at: training images. */
    public static final String TRAIN = "training";
    /** Held-out images. */
    public static final String TEST = "held-out";
    /** The model's own samples. */
    public static final String SAMPLES = "samples";
    /** Samples of chains with larger steps. */
    public static final String LARGER_STEPS = "samples, larger steps";
    /** Uniform noise. */
    public static final String NOISE = "noise";

    /** How much larger those steps are: Robust to Inaccurate SGLD Samples, figure 14. */
    public static final int LARGER = 4;

    /** Images of a kind, at most. */
    public static final int SCORED = 512;

    private static final int SHOWN = 100; // images of a kind in a report

    /** Images in a row of a report. */
    public static final int COLUMNS = 10;

    /** Chains in a film. */
    public static final int FILM = 16;

    private static final int BLOCK = 1000; // training images at a time
    private static final int SCORED_ANNEALED = 128; // of samples whose chains are long
    /** The largest distance of the bounds of log Z, in nats, at which log p is reported. */
    private static final double AGREE = 0.5;

    static ImageJudgement of(Experiment experiment, ImageDataset data, Supplier<Measured> components) {
        Map<String, double[]> values = new LinkedHashMap<>();
        try (Scope scope = Scope.open()) {
            LogDensity f = experiment.model().logDensity();
            Sampler.Traits traits = experiment.sampler().traits();
            values.put(TRAIN, scores(f, data, data.train()));
            values.put(TEST, scores(f, data, data.test()));
            int scored = traits.annealed() ? SCORED_ANNEALED : SCORED;
            values.put(SAMPLES, at(f, experiment.drawn(SampleRequest.of(KeyDomain.SCORED_SAMPLES.key(), scored))));
            if (traits.largerSteps()) {
                SampleRequest request = SampleRequest.fresh(KeyDomain.LARGER_STEPS.key(), SCORED);
                values.put(LARGER_STEPS, at(f, experiment.drawn(request.withStepFactor(LARGER))));
            }
            int count = Math.min(SCORED, data.train().count());
            Tensor like = data.train().images(ImageDataset.range(0, count));
            Tensor noise = Tensors.uniform(KeyDomain.SCORED_NOISE.key(), 0, 1, like.dtype(), Device.CPU, like.shape());
            values.put(NOISE, at(f, data.learnt(noise)));
            data.others().forEach((name, set) -> {
                values.put(OutOfDistributionEvaluation.free(values.keySet(), name), scores(f, data, set));
            });
        }
        return new ImageJudgement(experiment, data, values, components.get(), Optional.empty(), Optional.empty());
    }

    @Override
    public ImageJudgement withFeatures(Path file) {
        return new ImageJudgement(experiment, data, f, components, Optional.of(file), attack);
    }

    @Override
    public ImageJudgement withAttack(Attack wanted) {
        return new ImageJudgement(experiment, data, f, components, script, Optional.of(wanted));
    }

    /**
     * f of held-out images; log Z is only known of a time-joint model whose normaliser is pinned, in the recipe's units of
     * pixels, and where the bounds that were measured agree.
     */
    @Override
    public Optional<HeldOutReference> reference(Evaluation evaluation, long step) {
        double lower = evaluation.value(ModelFigures.LOG_Z_LOWER);
        double upper = evaluation.value(ModelFigures.LOG_Z_UPPER);
        boolean known = experiment.normalised() && Math.abs(upper - lower) <= AGREE;
        Optional<HeldOutReference.Bounds> bounds =
                known ? Optional.of(HeldOutReference.Bounds.of(lower, upper)) : Optional.empty();
        return HeldOutReference.of(step, experiment.model().temperature(), bounds, values(TEST));
    }

    private static double[] scores(LogDensity f, ImageDataset data, ImageSet set) {
        return at(f, data.learnt(ImageDataset.some(KeyDomain.SCORED_IMAGES.key(), set, SCORED)));
    }

    private static double[] at(LogDensity f, Tensor x) {
        try (Scope scope = Scope.open()) {
            return f.at(x).toDoubles();
        }
    }

    @Override
    public Evaluation evaluate(Key key, Path runs, WorkListener listener) {
        Map<String, Double> figures = new LinkedHashMap<>();
        Map<String, String> notes = new LinkedHashMap<>();
        attack.ifPresent(
                wanted -> { // first: it may be refused
                    figures.putAll(wanted.figures(experiment, data, listener));
                    notes.put("attack", wanted.words(data));
                });
        Optional<Calibration.Report> judged = components.calibration();
        judged.ifPresent(own -> notes.put(Evaluation.ACCURACY_OF, "the model's own p(y|x), on the held-out images"));
        if (script.isPresent() || data.classes().size() > 1) {
            try (Features features = script.isPresent()
                    ? ScriptFeatures.load(script.get(), experiment.device())
                    : Classifier.of(runs, data, listener)) {
                figures.putAll(new FeatureDistances(experiment, data, features, listener).figures(key));
                notes.put("features", features.name());
                if (judged.isEmpty()) {
                    judged = features.judged();
                    judged.ifPresent(own -> notes.put(Evaluation.ACCURACY_OF, Evaluation.FEATURES_CLASSIFIER));
                }
                ImageSet train = data.train();
                notes.put("reference", "the " + train.count() + " training images of " + train.name());
            } catch (IOException e) {
                throw new UserException(String.valueOf(e.getMessage()));
            }
        }
        judged.ifPresent(report -> figures.putAll(report.figures()));
        notes.put("samples", components.samplesWords());
        f.forEach((name, values) -> figures.put("f_" + Evaluation.word(name), mean(values)));
        for (String name : others()) {
            OutOfDistribution told = OutOfDistribution.of(values(TEST), values(name));
            figures.putAll(told.figures(OodScore.F, Evaluation.word(name)));
            figures.put("auroc", told.auroc());
            notes.put("auroc_against", name); // the last: an out-of-distribution set where the recipe names one
        }
        figures.putAll(OutOfDistributionEvaluation.figures(experiment, data, others(), f.keySet()));
        OutOfDistribution both = OutOfDistribution.of(values(TRAIN), values(TEST));
        figures.put("auroc_test_train", both.auroc());
        Judgement.addTemperature(experiment, figures);
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

    /** Samples of the model: of classes in turn, as many of each as a row of a report shows. */
    public Drawn drawn() {
        return ReportSamples.drawn(experiment, shown());
    }

    private int shown() {
        return classes() == 1 ? SHOWN : classes() * Math.min(COLUMNS, Math.max(1, SHOWN / classes()));
    }

    /** All that a report shows of samples. */
    public ReportSamples samples() {
        return ReportSamples.of(experiment, shown(), FILM, false);
    }

    /** How many classes its samples are of in turn; 1 if they are of none. */
    public int classes() {
        Components components = experiment.components();
        return components.classesOf(0).isPresent() ? components.count() : 1;
    }

    /** Training images, to show beside samples, in [0, 1]. */
    public Drawn trainingImages() {
        try (Scope scope = Scope.open()) {
            return Drawn.of(ImageDataset.some(ReportSamples.KEY.child(2), data.train(), SHOWN));
        }
    }

    /** Samples by class, of a model that draws them only on request. */
    public Optional<ClassSamples> classSamples() {
        return ClassSamples.wanted(experiment);
    }

    /** The training image that is nearest to each of some images in [0, 1], by squared distance. */
    public Drawn nearest(Drawn images) {
        long[] best = new long[images.count()];
        double[] least = new double[best.length];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        ImageSet train = data.train();
        try (Scope whole = Scope.open()) {
            Tensor samples = images.tensor().to(experiment.device()).flattenSamples();
            for (int from = 0; from < train.count(); from += BLOCK) {
                try (Scope scope = Scope.open()) {
                    int count = Math.min(train.count() - from, BLOCK);
                    Tensor some =
                            train.images(ImageDataset.range(from, from + count)).flattenSamples();
                    float[] distances =
                            samples.distances(some.to(samples.device())).toFloats();
                    for (int i = 0; i < distances.length; i++) {
                        if (distances[i] < least[i / count]) {
                            least[i / count] = distances[i];
                            best[i / count] = from + i % count;
                        }
                    }
                }
            }
            return Drawn.of(train.images(best));
        }
    }
}
