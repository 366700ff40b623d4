package dev.kelvin.report;

import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.ImageGrid;
import dev.kelvin.draw.Png;
import dev.kelvin.draw.Series;
import dev.kelvin.run.Evaluation;
import dev.kelvin.run.Experiment;
import dev.kelvin.run.ImageData;
import dev.kelvin.run.ImageExhibits;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Npy;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** What the report shows of a model of images: samples, how they come about, what they resemble, what f says. */
public final class ImageReport {
    /** The report's draws have a key of their own: looking at a run changes nothing in it. */
    private static final Key KEY = Key.of(0).child(-3);

    private static final int SHOWN = 100;
    private static final int COLUMNS = 10;
    private static final int FILM = 16;
    private static final int FILM_COLUMNS = 4;
    private static final int COMPARED = 10;
    private static final int BINS = 40;

    private final Path samples;
    private final Experiment parts;
    private final ImageData data;
    private final ImageExhibits exhibits;
    private final Evaluation evaluation;

    /** Samples are written to that folder. */
    ImageReport(Path samples, Experiment parts, ImageExhibits exhibits, Evaluation evaluation) {
        this.samples = samples;
        this.parts = parts;
        this.data = parts.images().orElseThrow();
        this.exhibits = exhibits;
        this.evaluation = evaluation;
    }

    /** A grid of samples. */
    public static Png samples(Experiment parts) {
        try (Scope scope = Scope.open()) {
            return byClass(
                    parts, parts.sampler().draw(KEY.child(0), shown(parts)).x());
        }
    }

    /** So many of each class that a row shows one class. */
    private static int shown(Experiment parts) {
        int classes = parts.classes();
        return classes == 1 ? SHOWN : classes * Math.min(COLUMNS, Math.max(1, SHOWN / classes));
    }

    /** Samples whose classes come in turn: a row or more for each class. */
    private static Png byClass(Experiment parts, Tensor x) {
        int classes = parts.classes();
        long each = x.size(0) / classes;
        return grid(parts, inRows(x, classes), classes > 1 && each > 1 ? (int) Math.min(COLUMNS, each) : COLUMNS);
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

    /** Images as the model sees them. */
    public static Png grid(Experiment parts, Tensor images, int columns) {
        return ImageGrid.of(parts.images().orElseThrow().unit(images), columns);
    }

    RunReport.Shown shown() throws IOException {
        List<Picture> film = film();
        Picture drawn;
        Picture real;
        Picture nearest;
        try (Scope scope = Scope.open()) {
            Tensor x = parts.sampler().draw(KEY.child(0), shown(parts)).x();
            Npy.write(samples.resolve("training-sampler.npy"), x);
            drawn = new Picture(x.size(0) + " samples of the model", "Samples of the model", byClass(parts, x));
            Tensor images = data.train()
                    .images(LongStream.range(0, Math.min(SHOWN, data.train().count()))
                            .toArray());
            real = new Picture(images.size(0) + " training images", "Training images", ImageGrid.of(images, COLUMNS));
            nearest = nearest(data.unit(x.narrow(0, 0, Math.min(COMPARED, x.size(0)))));
        }
        Map<String, Supplier<Png>> files = new LinkedHashMap<>();
        files.put("samples.png", drawn::png);
        files.put("data.png", real::png);
        files.put("nearest.png", nearest::png);
        files.put("chain.png", () -> Drawings.sheet(FILM_COLUMNS, film));
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(
                "What it samples",
                new Pictures(
                        (exhibits.times().isPresent()
                                        ? "Samples of the model"
                                        : "Samples of the model, made as in training,")
                                + " beside training images."
                                + (parts.classes() > 1
                                        ? " Each row of samples is of one class: "
                                                + String.join(", ", data.train().classes()) + "."
                                        : ""),
                        drawn,
                        real),
                new Film(
                        "How samples come about: " + FILM
                                + (exhibits.times().isPresent()
                                        ? " chains are led from the noise to the images, time by time."
                                        : " chains walk under the trained model."),
                        film)));
        exhibits.times().ifPresent(view -> sections.add(TimeSection.of(view)));
        sections.add(new Section(
                "Is it memory?",
                new Pictures(
                        "Samples in the upper row; under each the training image that is nearest to it, pixel by"
                                + " pixel. A model that only remembers would show the same image twice.",
                        nearest)));
        sections.add(new Section("What f says", histogram()));
        if (!evaluation.reliability().isEmpty()) {
            Pictures diagram = ReliabilityDiagram.of(evaluation, parts.classes() > 1);
            files.put("reliability.png", () -> Drawings.sheet(2, diagram.pictures()));
            sections.add(new Section("Does the classifier know when it errs?", diagram));
        }
        return new RunReport.Shown(sections, files);
    }

    private List<Picture> film() {
        List<Picture> film = new ArrayList<>();
        parts.sampler().film(KEY.child(1), FILM, (moment, x) -> {
            try (Scope scope = Scope.open()) {
                film.add(new Picture(moment, "The chains at " + moment, grid(parts, x, FILM_COLUMNS)));
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
                ImageGrid.of(both, n));
    }

    /** How f is distributed on each kind of image, as densities on common bins. */
    private Curves histogram() {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (double[] values : exhibits.f().values()) {
            double[] sorted =
                    Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
            if (sorted.length > 0) {
                low = Math.min(low, sorted[0]);
                high = Math.max(high, sorted[sorted.length - 1]);
            }
        }
        List<Series> series = new ArrayList<>();
        if (low < high) {
            for (Map.Entry<String, double[]> entry : exhibits.f().entrySet()) {
                series.add(new Series(entry.getKey(), histogram(entry.getValue(), low, high)));
            }
        }
        return new Curves(
                "f on images of several kinds",
                "The share of images in each bin of f, the unnormalised log-density. Training and held-out images should"
                        + " lie together, samples with them, and noise far below.",
                "f",
                series);
    }

    private static List<Series.Point> histogram(double[] values, double low, double high) {
        double[] counts = new double[BINS];
        for (double value : values) {
            if (Double.isFinite(value)) {
                counts[(int) Math.min(BINS - 1, (value - low) / (high - low) * BINS)]++;
            }
        }
        List<Series.Point> points = new ArrayList<>();
        for (int i = 0; i < BINS; i++) {
            points.add(new Series.Point(low + (i + 0.5) * (high - low) / BINS, counts[i] / values.length));
        }
        return points;
    }
}
