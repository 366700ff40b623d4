package dev.kelvin.panel;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.draw.ImageGrid;
import dev.kelvin.draw.Png;
import dev.kelvin.judge.ClassSamples;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.ImageJudge;
import dev.kelvin.judge.OutOfDistributionEvaluation;
import dev.kelvin.judge.ReportSamples;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.metric.Calibration;
import dev.kelvin.part.Words;
import dev.kelvin.report.Block;
import dev.kelvin.report.Block.Film;
import dev.kelvin.report.Block.Fold;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Curves;
import dev.kelvin.report.Measure;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What the report shows of a model of images: samples, how they come about, what they resemble, what f says. */
record ImagePanels(ImageJudge judge, ImageDataset data) implements Panels {
    private static final int COLUMNS = ImageJudge.COLUMNS;
    private static final int FILM_COLUMNS = 4;
    private static final int COMPARED = 10;

    ImagePanels(ImageJudge judge) {
        this(judge, judge.data());
    }

    @Override
    public Picture picture(String caption) {
        return new Picture(caption, "Samples of " + caption, byClass(judge.drawn()));
    }

    /** Samples whose classes come in turn: a row or more for each class. */
    private Png byClass(Drawn x) {
        int classes = judge.classes();
        int each = x.count() / classes;
        try (Scope scope = Scope.open()) {
            Tensor images = data.unit(inRows(x.tensor(), classes));
            boolean rows = classes > 1 && each > 1 && each <= COLUMNS;
            return rows ? ImageGrid.of(images, each, data.classes()) : ImageGrid.of(images, COLUMNS);
        }
    }

    /** Samples whose classes come in turn, put together by class; what is left over comes last. */
    static Tensor inRows(Tensor x, int classes) {
        long[] order = LongStream.range(0, x.size(0))
                .boxed()
                .sorted(Comparator.comparing(row -> row % classes))
                .mapToLong(Long::longValue)
                .toArray();
        return classes == 1 ? x : x.rows(order);
    }

    @Override
    public Shown show(Path folder, Evaluation evaluation) throws IOException {
        ReportSamples samples = judge.samples();
        List<Picture> film = samples.film().stream()
                .map(frame -> picture(frame.moment(), "The chains at " + frame.moment(), frame.x()))
                .toList();
        boolean differ = samples.negatives().isPresent();
        List<Picture> pictures = new ArrayList<>();
        pictures.add(new Picture(
                samples.model().count() + " samples of the model" + (differ ? ": chains on f" : ""),
                "Samples of the model",
                byClass(samples.model())));
        samples.negatives()
                .ifPresent(negatives -> pictures.add(new Picture(
                        negatives.count() + " of training's negatives: chains on (1 − β)f",
                        "Training's negatives",
                        byClass(negatives))));
        Picture real;
        Picture nearest;
        try (Scope scope = Scope.open()) {
            Tensor x = samples.model().tensor();
            Npy.write(folder.resolve("model.npy"), x);
            Drawn images = judge.trainingImages();
            real = new Picture(
                    images.count() + " training images", "Training images", ImageGrid.of(images.tensor(), COLUMNS));
            nearest = nearest(data.unit(x.narrow(0, 0, Math.min(COMPARED, x.size(0)))));
        }
        Map<String, Supplier<Png>> files = new LinkedHashMap<>();
        files.put("samples.png", pictures.get(0)::png);
        files.put("data.png", real::png);
        files.put("nearest.png", nearest::png);
        files.put("chain.png", () -> Pictures.sheet(FILM_COLUMNS, film));
        judge.components()
                .latent()
                .ifPresent(view -> files.put(
                        "temperatures.png",
                        () -> ThermodynamicPanels.integrand(view.likelihood().levels(), view.integration())
                                .drawn()
                                .file()));
        List<Section> sections = new ArrayList<>();
        String rows = judge.classes() > 1
                ? " Each row of samples is of one class: " + String.join(", ", data.classes()) + "."
                : "";
        sections.add(new Section(
                "What it samples",
                new Pictures(
                        "Samples of the model beside training images. "
                                + judge.components().samplesWords() + rows,
                        Stream.concat(pictures.stream(), Stream.of(real)).toList()),
                new Film(
                        "How chains reach their samples: " + ImageJudge.FILM
                                + judge.components().filmWords(),
                        film)));
        ImageKindTable.of(evaluation).ifPresent(sections::add);
        ClassSamples.wanted(judge.experiment()).ifPresent(asked -> {
            Picture grid = byClass(asked);
            files.put("classes.png", grid::png);
            sections.add(
                    new Section("Class-conditional samples", new Pictures(asked.words() + accuracy(evaluation), grid)));
        });
        sections.addAll(ComponentPanels.of(judge.components()));
        sections.add(new Section(
                "Has it memorised the training images?",
                new Pictures(
                        "Samples in the upper row; under each the training image that is nearest to it, pixel by"
                                + " pixel. A model that has memorised them would show the same image twice.",
                        nearest)));
        sections.add(new Section("What f says", ImageScorePanel.histogram(judge.f())));
        if (evaluation.figure("auroc_gradient_" + ImageJudge.NOISE).isPresent()) { // not in files of other versions
            sections.add(new Section("Out-of-distribution detection", toldApart(evaluation)));
        }
        if (!evaluation.reliability().isEmpty()) {
            Pictures diagram = Panels.reliability(
                    evaluation, judge.components().calibration().isPresent());
            files.put("reliability.png", () -> Pictures.sheet(2, diagram.pictures()));
            sections.add(classifier(evaluation, diagram));
        }
        List<Curves> attacks = ImageScorePanel.attacks(evaluation.figures());
        if (!attacks.isEmpty()) {
            sections.add(new Section("Accuracy under attack", List.copyOf(attacks)));
        }
        return new Shown(sections, files);
    }

    /** How sure the model is of classes; where it has none, the feature classifier, folded away. */
    private static Section classifier(Evaluation evaluation, Pictures diagram) {
        Map<String, Double> apart = evaluation.ofFeatures();
        return apart.isEmpty()
                ? new Section("Calibration of the classifier", diagram)
                : new Section(
                        "The classifier behind FID and KID",
                        new Fold(
                                "The model has no classes; how good is the classifier whose features are compared?",
                                "",
                                List.of(
                                        diagram,
                                        TableBlock.of(
                                                "Of that classifier, not of the model",
                                                Measure.all(apart).stream()
                                                        .map(Measure::unjudged)
                                                        .toList()))));
    }

    private static String accuracy(Evaluation evaluation) {
        OptionalDouble share = evaluation.figure(Calibration.CLASS_SAMPLE_ACCURACY);
        return share.isEmpty()
                ? ""
                : Words.say(
                        " The feature classifier assigns %.1f %% of such samples to the class that was asked for.",
                        100 * share.getAsDouble());
    }

    private List<Block> toldApart(Evaluation evaluation) {
        return List.of(
                new Paragraphs(
                        "A score should be higher at held-out images than at others: f(x), "
                                + (judge.components().calibration().isPresent() ? "the highest p(y|x), " : "")
                                + "and −‖∇f(x)‖, because f is flat where the data are dense. AUROC is the probability that"
                                + " it is, AUPR the area under the precision-recall curve, and FPR95 the share of the others"
                                + " that pass where 95 % of the held-out images do.",
                        "Noise is uniform, or Gaussian with the pixels' mean and deviation. Of the held-out images, inverted ones"
                                + " are their negatives, shuffled ones have their pixels in another order, interpolated ones"
                                + " are the mean of two; grey images have one shade each. There are up to "
                                + OutOfDistributionEvaluation.MOST + " of each kind"
                                + "; f against noise and the recipe's own sets is of up to " + ImageJudge.SCORED
                                + "."),
                ImageScorePanel.outOfDistribution(evaluation.figures()));
    }

    private Picture picture(String caption, String description, Drawn x) {
        try (Scope scope = Scope.open()) {
            return new Picture(caption, description, ImageGrid.of(data.unit(x.tensor()), FILM_COLUMNS));
        }
    }

    /** A row for each class. */
    private Picture byClass(ClassSamples asked) {
        try (Scope scope = Scope.open()) {
            Tensor x = inRows(asked.draw().tensor(), data.classes().size());
            return new Picture(
                    "Samples by class",
                    "Samples by class: a row for each",
                    ImageGrid.of(data.unit(x), ClassSamples.COLUMNS, data.classes()));
        }
    }

    /** Samples in [0, 1], and the training image that is nearest to each. */
    private Picture nearest(Tensor samples) {
        Tensor both = Tensors.concat(
                0, samples, judge.nearest(Drawn.of(samples)).tensor().to(samples.device()));
        return new Picture(
                "Samples and their nearest training images",
                "Two rows: samples, and the nearest training image of each",
                ImageGrid.of(both, (int) samples.size(0), List.of("sample", "nearest")));
    }
}
