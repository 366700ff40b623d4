package dev.kelvin.judge;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Components;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.judge.component.ComponentJudge.Measured;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.OutOfDistribution;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.image.Features;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.model.Sampler;
import dev.kelvin.objective.Integration;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.ImageFigures;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.recipe.Recipe;
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
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A model of images: its samples' features against the training images', and its f on images that it was trained on, on
 * others, on its own samples, on noise and on the out-of-distribution sets that the recipe names.
 *
 * @param f the values of f, by what they were taken at
 * @param components what the model's components add
 * @param by the file of a network whose features are compared, and of how many images; without a file a classifier's that is
 *     trained on the set: of its classes, or of how far its images are turned
 * @param attack accuracies under attack, where they are asked for
 */
public record ImageJudge(
        Experiment experiment,
        ImageDataset data,
        Map<String, double[]> f,
        Measured components,
        ImageFigures by,
        Optional<Attack> attack)
        implements Judge {
    ImageJudge(Experiment experiment, ImageDataset data) {
        this(
                experiment,
                data,
                Map.of(),
                Measured.NONE,
                experiment.recipe().train().figures(),
                Optional.empty());
    }

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

    private static final int PUBLISHED = 50_000; // samples of published figures

    private static final int BLOCK = 1000; // training images at a time
    private static final int SCORED_ANNEALED = 128; // of samples whose chains are long
    /** The largest distance of the bounds of log Z, in nats, at which log p is reported. */
    private static final double AGREE = 0.5;

    /** The weight of the prior's draws that a finding is made of; at p = 1 and N_t = 10 it is 0.05. */
    private static final double MUCH_OF_PRIOR = 0.1;

    @Override
    public ImageJudge measured() {
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
        Measured measured = ComponentJudge.of(experiment).evaluate(this::examples);
        return new ImageJudge(experiment, data, values, measured, by, attack);
    }

    @Override
    public ImageJudge with(Optional<Path> features, OptionalInt samples, Optional<Attack> wanted) {
        ImageFigures asked = by.with(features, samples);
        asked.file().ifPresent(file -> PretrainedFeatures.check(file, data));
        return new ImageJudge(experiment, data, f, components, asked, wanted);
    }

    /** f of held-out images; log Z where it is learnt with the model and its measured bounds agree. */
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
        return at(f, scored(data, set));
    }

    /** The images of a set at which f is measured: the same ones each time. */
    static Tensor scored(ImageDataset data, ImageSet set) {
        return data.learnt(ImageDataset.some(KeyDomain.SCORED_IMAGES.key(), set, SCORED));
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
        if (by.file().isPresent() || data.classes().size() > 1 || TurnFeatures.fit(data.train())) {
            try (Features features = features(runs, listener)) {
                figures.putAll(new FeatureDistances(experiment, data, features, listener).figures(key, by.samples()));
                notes.put("features", features.name());
                notes.put("comparable", comparable(features, ModelFigures.SAMPLES.value(figures)));
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
            figures.put(OutOfDistribution.AUROC.name(), told.auroc());
            notes.put("auroc_against", name); // the last: an out-of-distribution set where the recipe names one
        }
        figures.putAll(OutOfDistributionEvaluation.figures(experiment, data, others(), f.keySet()));
        OutOfDistribution both = OutOfDistribution.of(values(TRAIN), values(TEST));
        figures.put(OutOfDistribution.AUROC_TEST_TRAIN.name(), both.auroc());
        addTemperature(figures);
        if (experiment.kernel().traits().adjusted() || experiment.objective().weighs()) { // what else asks for f/T
            figures.putAll(experiment.rounding(values(TRAIN)));
        }
        figures.putAll(components.figures());
        return new Evaluation(
                figures, notes, judged.map(Calibration.Report::bins).orElse(List.of()));
    }

    /** Those that are asked for, or of a classifier: of the data's classes or, where there are none, of turned images. */
    private Features features(Path runs, WorkListener listener) throws IOException {
        Optional<Path> file = by.file();
        if (file.isPresent()) {
            return PretrainedFeatures.load(file.get(), data);
        }
        return data.classes().size() > 1 ? Classifier.of(runs, data, listener) : TurnFeatures.of(runs, data, listener);
    }

    /** Which figures compare with published ones, in a sentence. */
    static String comparable(Features features, double samples) {
        return !features.ofPublishedFigures()
                ? "none of FID, KID and Inception score with published ones, which are by the Inception network: compare with the"
                        + " fitted Gaussian's and the held-out images', and with runs that have the same features, training images and"
                        + " number of samples"
                : samples >= PUBLISHED
                        ? "FID, KID and Inception score with published ones, if those are against these training images too"
                        : Words.say(
                                "KID with published ones; FID and Inception score not, as published ones are of %d samples and"
                                        + " fewer have a higher FID",
                                PUBLISHED);
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
        return Arrays.stream(values).reduce(0, (sum, value) -> sum + value / values.length);
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
                            best[i / count] = (long) from + i % count;
                        }
                    }
                }
            }
            return Drawn.of(train.images(best));
        }
    }

    private Map<String, Tensor> examples() {
        PixelRange range = data.range().orElseThrow();
        Tensor image = data.learnt(data.test().images(ImageDataset.range(0, 1)));
        Tensor noise = Tensors.normalLike(KeyDomain.TIME_EXAMPLES.key(), (range.high() - range.low()) / 2, image);
        Map<String, Tensor> examples = new LinkedHashMap<>();
        examples.put("a held-out image", image);
        examples.put("half of each", image.plus(noise).times(0.5));
        examples.put("noise", noise);
        return examples;
    }

    @Override
    public Optional<CheckpointMetric> score() {
        return ComponentJudge.of(experiment).score();
    }

    @Override
    public Optional<TrainingJudge> inTraining(Path runs) throws IOException {
        if (experiment.recipe().train().judgeEvery() > 0) {
            return Optional.of(TrainingJudge.of(experiment, data, runs));
        }
        if (by.file().isPresent()) { // a file that will not do is refused before training, not after it
            PretrainedFeatures.load(by.file().get(), data).close();
        }
        return Optional.empty();
    }

    @Override
    public void requireFiles() {
        by.file().ifPresent(file -> PretrainedFeatures.check(file, data));
    }

    @Override
    public String lead(Evaluation evaluation) {
        // judged as a classifier that draws samples of each class
        boolean joint = evaluation.figure(Calibration.CLASS_SAMPLE_ACCURACY).isPresent();
        String model = joint
                ? Words.say(
                        "A joint energy model of %s: it names the class of %.1f %% of the held-out images (ECE %.1f %%)",
                        data.spec().title(),
                        100 * evaluation.value(Calibration.ACCURACY),
                        100 * evaluation.value(Calibration.ECE))
                : "An energy-based model of " + data.spec().title();
        return evaluation.figure(FrechetDistance.FID).isEmpty()
                ? model + "."
                : Words.say(
                        "%s %s samples lie %.3g from the training images (FID; a Gaussian fitted to the pixels lies"
                                + " %.3g away).",
                        model,
                        joint ? "and its" : "whose",
                        evaluation.value(FrechetDistance.FID),
                        evaluation.value(FrechetDistance.FID_GAUSSIAN));
    }

    @Override
    public List<Finding> findings(Evaluation evaluation) {
        Recipe recipe = experiment.recipe();
        Map<String, Double> figures = evaluation.figures();
        boolean poor = FrechetDistance.FID.isPoor(figures);
        OptionalDouble ofBuffer = evaluation.figure(FrechetDistance.FID_BUFFER);
        boolean buffer = ofBuffer.isPresent() && !FrechetDistance.FID_BUFFER.isPoor(figures);
        Optional<String> leaning = evaluation.leaning();
        double ofPrior = recipe.latent()
                .flatMap(LatentSettings::integration)
                .filter(by -> by.mode() != Integration.Mode.PAPER && !by.adaptive())
                .map(Integration::priorWeight)
                .orElse(0.0);
        return new Findings(recipe, figures)
                .add(
                        poor && buffer,
                        About.SAMPLER,
                        Words.say(
                                "Fresh chains do not reach the images in %d steps; those of the replay buffer, which have gone"
                                        + " further, do (FID %.3g).",
                                recipe.negatives().freshSteps()
                                        * recipe.negatives().sampleRounds().orElse(1),
                                ofBuffer.orElse(Double.NaN)),
                        Suggestions::judgeLongerChains)
                .add(
                        poor && !buffer,
                        About.MODEL,
                        "The samples are no nearer to the images than a fitted Gaussian's.",
                        Suggestions::trainLonger,
                        Suggestions::average)
                .add(
                        ofPrior > MUCH_OF_PRIOR,
                        About.MODEL,
                        Words.say(
                                "%.0f %% of the generator's gradient comes from draws of the prior, which know nothing of the"
                                        + " image (w₀ = t₁/2): its images lean towards the mean image.",
                                100 * ofPrior),
                        Suggestions::higherPower,
                        Suggestions::withoutPriorDraws)
                .add(
                        Figure.named("auroc_noise").isPoor(figures),
                        About.MODEL,
                        "f is hardly higher at images than at noise: it can't be used to detect what is out of distribution.",
                        Suggestions::trainLonger)
                .add(
                        evaluation.ofFeatures().isEmpty() && Calibration.ECE.isPoor(figures) && leaning.isPresent(),
                        About.MODEL,
                        Words.say(
                                "p(y|x) is not calibrated (ECE %.2f, with 95 %% between %.2f and %.2f). %s",
                                Calibration.ECE.value(figures),
                                Calibration.ECE_LOW.value(figures),
                                Calibration.ECE_HIGH.value(figures),
                                leaning.orElse("")))
                .all();
    }
}
