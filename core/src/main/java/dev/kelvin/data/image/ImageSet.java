package dev.kelvin.data.image;

import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * Images of one size in memory, one byte a value, outside of the Java heap until {@link #close()}; with a label for each
 * image, or with none for any.
 */
public final class ImageSet implements AutoCloseable {
    private static final int LARGEST_BYTE = 255;

    private final String name;
    private final Tensor pixels;
    private final int[] labels;
    private final List<String> classes;
    private final int maximum;

    /**
     * Takes the tensor over: it lives until this set is closed.
     *
     * @param pixels whole numbers of type byte, [n, channels, height, width]
     * @param labels the number of each image's class among {@code classes}, or nothing
     * @param maximum the value of white: 255, or less for sets that have fewer shades
     */
    public ImageSet(String name, Tensor pixels, int[] labels, List<String> classes, int maximum) {
        if (pixels.dim() != 4 || pixels.dtype() != DType.BYTE) {
            throw new IllegalArgumentException(
                    "an image set takes bytes of shape [images, channels, height, width], found " + pixels);
        }
        Check.within("maximum", maximum, 1, LARGEST_BYTE);
        Check.atLeast("images", pixels.size(0), 1);
        if (labels.length != 0 && labels.length != pixels.size(0)) {
            throw new IllegalArgumentException(labels.length + " labels do not fit " + pixels.size(0) + " images");
        }
        for (int label : labels) {
            if (label < 0 || label >= classes.size()) {
                throw new IllegalArgumentException(
                        "there is no class " + label + " among " + classes.size() + " (" + classes + ")");
            }
        }
        this.name = name;
        this.pixels = Scope.detach(pixels);
        this.labels = labels.clone();
        this.classes = List.copyOf(classes);
        this.maximum = maximum;
    }

    /** What people call the set. */
    public String name() {
        return name;
    }

    /** How many images there are. */
    public int count() {
        return Math.toIntExact(pixels.size(0));
    }

    /** How many channels an image has: 1 of grey, 3 of colours. */
    public int channels() {
        return (int) pixels.size(1);
    }

    /** Pixels of an image from top to bottom. */
    public int height() {
        return (int) pixels.size(2);
    }

    /** Pixels of an image from left to right. */
    public int width() {
        return (int) pixels.size(3);
    }

    /** The classes' names in the order of their numbers. */
    public List<String> classes() {
        return classes;
    }

    /** Whether the images have classes. */
    public boolean labelled() {
        return labels.length > 0;
    }

    /** The number of an image's class. */
    public int label(long index) {
        if (!labelled()) {
            throw new IllegalStateException("the images of " + name + " have no labels");
        }
        return labels[(int) Objects.checkIndex(index, (long) labels.length)];
    }

    /** Every image's class, or nothing. */
    public int[] labels() {
        return labels.clone();
    }

    /** The value of white. */
    public int maximum() {
        return maximum;
    }

    /** The values as they are stored, [n, channels, height, width], of type byte; this set's own. */
    public Tensor pixels() {
        return pixels;
    }

    /** These images as floats in [0, 1], value / maximum: [k, channels, height, width]. */
    public Tensor images(long... indices) {
        try (Scope scope = Scope.open()) {
            return scope.keep(unit(pixels.rows(indices), maximum));
        }
    }

    /** Bytes as floats in [0, 1]. */
    public static Tensor unit(Tensor bytes, int maximum) {
        return bytes.to(DType.FLOAT).over(maximum);
    }

    /** A set of these images, in this order, with memory of its own. */
    public ImageSet subset(long... indices) {
        int[] kept = labelled() ? LongStream.of(indices).mapToInt(this::label).toArray() : new int[0];
        try (Scope scope = Scope.open()) {
            return new ImageSet(name, scope.keep(pixels.rows(indices)), kept, classes, maximum);
        }
    }

    /** Two parts that share no image, drawn by the key: the first has this share of the images, rounded. */
    public List<ImageSet> split(Key key, double share) {
        long[] order = key.permutation(count());
        int first = (int) Math.round(Check.within("share", share, 0, 1) * count());
        if (first == 0 || first == count()) {
            throw new SettingException("share", "must give both parts an image, found " + share + " of " + count());
        }
        return List.of(subset(Arrays.copyOfRange(order, 0, first)), subset(Arrays.copyOfRange(order, first, count())));
    }

    /** Frees the images. */
    @Override
    public void close() {
        pixels.close();
    }

    @Override
    public String toString() {
        return name + ": " + count() + " images, " + channels() + "x" + height() + "x" + width()
                + (labelled() ? ", " + classes.size() + " classes" : ", without labels");
    }
}
