package dev.kelvin.judge;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.metric.image.Features;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Features of square images without labels: those of a {@link Classifier} of how many quarters of a circle an image is turned. Its
 * classes say nothing of the data: there is no Inception score by it.
 *
 * <p>Source: Gidaris, Singh and Komodakis 2018, "Unsupervised Representation Learning by Predicting Image Rotations".
 */
record TurnFeatures(Classifier classifier, List<ImageSet> sets) implements Features {
    /** Images of a set that are turned: each is kept in memory in every position. */
    private static final int MOST = 10_000;

    private static final int SMALLEST = 4; // pixels a side
    private static final int HEIGHT = 2; // dimensions of [n, channels, height, width]
    private static final int WIDTH = 3;

    /** Whether a set's images can be turned and seen by the classifier; of one alone there is no covariance. */
    static boolean fit(ImageSet set) {
        return set.count() > 1 && set.height() == set.width() && set.height() >= SMALLEST;
    }

    /** The data's, shared by the runs in a folder: read from its file or, if there is none yet, trained and written. */
    static TurnFeatures of(Path runs, ImageDataset data, WorkListener listener) throws IOException {
        List<ImageSet> sets = new ArrayList<>();
        try {
            sets.add(turned(data.train()));
            sets.add(turned(data.test()));
            Classifier classifier = Classifier.of(runs, sets.get(0), sets.get(1), data.device(), listener);
            return new TurnFeatures(classifier, List.copyOf(sets));
        } catch (IOException | RuntimeException e) {
            sets.forEach(ImageSet::close);
            throw e;
        }
    }

    /** The first images of a set in every position, whose number is the label: all of one, then all of the next. */
    static ImageSet turned(ImageSet set) {
        int count = Math.min(MOST, set.count());
        try (Scope scope = Scope.open()) {
            Tensor first = set.pixels().narrow(0, 0, count);
            Tensor across = first.transpose(HEIGHT, WIDTH);
            Tensor half = reversed(reversed(first, HEIGHT), WIDTH);
            Tensor pixels =
                    scope.keep(Tensors.concat(0, first, reversed(across, WIDTH), half, reversed(across, HEIGHT)));
            int[] labels = IntStream.range(0, 4 * count).map(i -> i / count).toArray();
            List<String> classes = List.of("0°", "90°", "180°", "270°");
            return new ImageSet("turns of " + set.name(), pixels, labels, classes, set.maximum());
        }
    }

    private static Tensor reversed(Tensor x, int dim) {
        long size = x.size(dim);
        long[] order = LongStream.range(0, size).map(i -> size - 1 - i).toArray();
        return x.transpose(0, dim).rows(order).transpose(0, dim);
    }

    @Override
    public String name() {
        return classifier.name();
    }

    @Override
    public Tensor features(Tensor images) {
        return classifier.features(images);
    }

    @Override
    public boolean classifies() {
        return false;
    }

    @Override
    public Outputs outputs(Tensor images) {
        return new Outputs(features(images), Optional.empty());
    }

    @Override
    public void close() {
        classifier.close();
        sets.forEach(ImageSet::close);
    }
}
