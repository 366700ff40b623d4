package dev.kelvin.panel;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.KeyDomain;
import dev.kelvin.draw.ImageGrid;
import dev.kelvin.draw.Png;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Attack;
import dev.kelvin.judge.ClassSamples;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.ImageJudge;
import dev.kelvin.judge.Judgement;
import dev.kelvin.judge.OutOfDistributionEvaluation;
import dev.kelvin.metric.Calibration;
import dev.kelvin.report.Block;
import dev.kelvin.report.Curves;
import dev.kelvin.report.Film;
import dev.kelvin.report.Fold;
import dev.kelvin.report.Measure;
import dev.kelvin.report.Paragraphs;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What the report shows of a model of images: samples, how they come about, what they resemble, what f says. */
public final class ImagePanels {
    /** The report's draws have a key of their own: looking at a run changes nothing in it. */
    private static final Key KEY = KeyDomain.REPORT.key();

    private static final int SHOWN = 100;
    private static final int COLUMNS = 10;
    private static final int FILM = 16;
    private static final int FILM_COLUMNS = 4;
    private static final int COMPARED = 10;

    private final Path samples;
    private final Experiment experiment;
    private final ImageDataset data;
    private final ImageJudge judge;
    private final Evaluation evaluation;

    /** Samples are written to that folder. */
    public ImagePanels(Path samples, ImageJudge judge, Evaluation evaluation) {
        this.samples = samples;
        this.experiment = judge.experiment();
        this.data = judge.data();
        this.judge = judge;
        this.evaluation = evaluation;
    }

    /** A grid of samples. */
    public static Png samples(Experiment experiment, ImageDataset data) {
        try (Scope scope = Scope.open()) {
            return byClass(
                    experiment,
                    data,
                    experiment.sampler().draw(KEY.child(0), shown(experiment)).x());
        }
    }

    /** So many of each class that a row shows one class. */
    private static int shown(Experiment experiment) {
        int classes = classes(experiment);
        return classes == 1 ? SHOWN : classes * Math.min(COLUMNS, Math.max(1, SHOWN / classes));
    }

    /** Of how many classes samples come in turn. */
    static int classes(Experiment experiment) {
        return experiment.components().classesOf(0).isPresent()
                ? experiment.components().count()
                : 1;
    }

    /** Samples whose classes come in turn: a row or more for each class. */
    private static Png byClass(Experiment experiment, ImageDataset data, Tensor x) {
        int classes = classes(experiment);
        long each = x.size(0) / classes;
        Tensor images = data.unit(inRows(x, classes));
        boolean rows = classes > 1 && each > 1 && each <= COLUMNS;
        return rows ? ImageGrid.of(images, (int) each, data.classes()) : ImageGrid.of(images, COLUMNS);
    }

    /** Samples whose classes come in turn, put together by class; what is left over comes last. */
    public static Tensor inRows(Tensor x, int classes) {
        long[] order = LongStream.range(0, x.size(0))
                .boxed()
                .sorted(Comparator.comparing(row -> row % classes))
                .mapToLong(Long::longValue)
                .toArray();
        return classes == 1 ? x : x.rows(order);
    }

    public Judgement.Shown shown() throws IOException {
        List<Picture> film = film();
        List<Picture> pictures = new ArrayList<>();
        Picture real;
        Picture nearest;
        try (Scope scope = Scope.open()) {
            Tensor x =
                    experiment.sampler().draw(KEY.child(0), shown(experiment)).x();
            Npy.write(samples.resolve("model.npy"), x);
            boolean differ = experiment.sampler().negativesDiffer();
            pictures.add(new Picture(
                    x.size(0) + " samples of the model" + (differ ? ": chains on f" : ""),
                    "Samples of the model",
                    byClass(experiment, data, x)));
            if (differ) {
                Tensor negatives = experiment
                        .sampler()
                        .drawNegatives(KEY.child(3), shown(experiment))
                        .x();
                pictures.add(new Picture(
                        negatives.size(0) + " of training's negatives: chains on (1 − β)f",
                        "Training's negatives",
                        byClass(experiment, data, negatives)));
            }
            Tensor images = ImageJudge.some(KEY.child(2), data.train(), SHOWN);
            real = new Picture(images.size(0) + " training images", "Training images", ImageGrid.of(images, COLUMNS));
            nearest = nearest(data.unit(x.narrow(0, 0, Math.min(COMPARED, x.size(0)))));
        }
        Map<String, Supplier<Png>> files = new LinkedHashMap<>();
        files.put("samples.png", pictures.get(0)::png);
        files.put("data.png", real::png);
        files.put("nearest.png", nearest::png);
        files.put("chain.png", () -> Pictures.sheet(FILM_COLUMNS, film));
        List<Section> sections = new ArrayList<>();
        String rows = classes(experiment) > 1
                ? " Each row of samples is of one class: " + String.join(", ", data.classes()) + "."
                : "";
        sections.add(new Section(
                "What it samples",
                new Pictures(
                        "Samples of the model beside training images. "
                                + experiment.components().samplesWords(experiment.recipe()) + rows,
                        Stream.concat(pictures.stream(), Stream.of(real)).toList()),
                new Film(
                        "How chains reach their samples: " + FILM
                                + experiment.components().filmWords(),
                        film)));
        ClassSamples.wanted(experiment).ifPresent(asked -> {
            Picture grid = asked.picture(data);
            files.put("classes.png", grid::png);
            sections.add(new Section("Class-conditional samples", new Pictures(asked.words() + accuracy(), grid)));
        });
        sections.addAll(judge.components().sections());
        sections.add(new Section(
                "Has it memorised the training images?",
                new Pictures(
                        "Samples in the upper row; under each the training image that is nearest to it, pixel by"
                                + " pixel. A model that has memorised them would show the same image twice.",
                        nearest)));
        sections.add(new Section("What f says", ImageScorePanel.histogram(judge.f())));
        if (evaluation.figure("auroc_gradient_" + ImageJudge.NOISE).isPresent()) { // not in files of other versions
            sections.add(new Section("Out-of-distribution detection", toldApart()));
        }
        if (!evaluation.reliability().isEmpty()) {
            Pictures diagram =
                    ReliabilityDiagram.of(evaluation, judge.components().own().isPresent());
            files.put("reliability.png", () -> Pictures.sheet(2, diagram.pictures()));
            sections.add(classifier(diagram));
        }
        List<Curves> attacks = Attack.charts(evaluation.figures());
        if (!attacks.isEmpty()) {
            sections.add(new Section("Accuracy under attack", List.copyOf(attacks)));
        }
        return new Judgement.Shown(sections, files);
    }

    /** How sure the model is of classes; where it has none, the feature classifier, folded away. */
    private Section classifier(Pictures diagram) {
        Map<String, Double> apart = evaluation.ofFeatures();
        return apart.isEmpty()
                ? new Section("Calibration of the classifier", diagram)
                : new Section(
                        "The classifier behind FID and KID",
                        new Fold(
                                "The model has no classes; how good is the classifier whose features are compared?",
                                List.of(
                                        diagram,
                                        TableBlock.of(
                                                "Of that classifier, not of the model",
                                                Measure.all(apart).stream()
                                                        .map(Measure::unjudged)
                                                        .toList()))));
    }

    private String accuracy() {
        OptionalDouble share = evaluation.figure(Calibration.CLASS_SAMPLE_ACCURACY.name());
        return share.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        " The feature classifier assigns %.1f %% of such samples to the class that was asked for.",
                        100 * share.getAsDouble());
    }

    private List<Block> toldApart() {
        return List.of(
                new Paragraphs(
                        "A score should be higher at held-out images than at others: f(x), "
                                + (judge.components().own().isPresent() ? "the highest p(y|x), " : "")
                                + "and −‖∇f(x)‖, because f is flat where the data are dense. AUROC is the probability that"
                                + " it is, AUPR the area under the precision-recall curve, and FPR95 the share of the others"
                                + " that pass where 95 % of the held-out images do.",
                        "Noise is uniform, or Gaussian with the pixels' mean and deviation. Of the held-out images, inverted ones"
                                + " are their negatives, shuffled ones have their pixels in another order, interpolated ones"
                                + " are the mean of two; grey images have one shade each. There are up to "
                                + OutOfDistributionEvaluation.MOST + " of each kind"
                                + "; f against noise and the recipe's own sets is of up to " + ImageJudge.SCORED + "."),
                OutOfDistributionEvaluation.table(evaluation.figures()));
    }

    private List<Picture> film() {
        List<Picture> film = new ArrayList<>();
        experiment.sampler().film(KEY.child(1), FILM, (moment, x) -> {
            try (Scope scope = Scope.open()) {
                film.add(new Picture(moment, "The chains at " + moment, ImageGrid.of(data.unit(x), FILM_COLUMNS)));
            }
        });
        return film;
    }

    /** Samples, and the training image that is nearest to each by squared distance. */
    private Picture nearest(Tensor samples) {
        int n = (int) samples.size(0);
        int[] best = new int[n];
        double[] least = new double[n];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        int block = 1000;
        for (int from = 0; from < data.train().count(); from += block) {
            try (Scope scope = Scope.open()) {
                int to = Math.min(data.train().count(), from + block);
                Tensor images = data.train().images(LongStream.range(from, to).toArray());
                float[] distances = samples.flattenSamples()
                        .distances(images.flattenSamples().to(samples.device()))
                        .toFloats();
                for (int i = 0; i < distances.length; i++) {
                    int sample = i / (to - from);
                    if (distances[i] < least[sample]) {
                        least[sample] = distances[i];
                        best[sample] = from + i % (to - from);
                    }
                }
            }
        }
        Tensor images = data.train().images(Arrays.stream(best).asLongStream().toArray());
        Tensor both = Tensors.concat(0, samples, images.to(samples.device()));
        return new Picture(
                "Samples and their nearest training images",
                "Two rows: samples, and the nearest training image of each",
                ImageGrid.of(both, n, List.of("sample", "nearest")));
    }
}
