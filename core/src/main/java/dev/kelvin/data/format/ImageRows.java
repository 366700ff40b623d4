package dev.kelvin.data.format;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.tensor.Tensor;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/** A set's images in their order: bytes [k, channels, height, width], of which {@link #maximum()} is white. */
public final class ImageRows implements Rows {
    private static final int WHITE = 255;

    private final long images;
    private final int[] shape;
    private final int maximum;
    private final Part part;
    private final Closeable source;
    private long at;

    /** Reads {@code count} images from number {@code from} on; they are asked for in their order. */
    @FunctionalInterface
    interface Part {
        Tensor read(long from, int count) throws IOException;
    }

    private ImageRows(long images, int[] shape, int maximum, Part part, Closeable source) {
        this.images = images;
        this.shape = shape.clone();
        this.maximum = maximum;
        this.part = part;
        this.source = source;
    }

    /** Of images whose white is 255. */
    static ImageRows of(long images, int channels, int height, int width, Part part, Closeable source) {
        return new ImageRows(images, new int[] {channels, height, width}, WHITE, part, source);
    }

    /** Of a set that is in memory, which is closed with them. */
    public static ImageRows of(ImageSet set) {
        return new ImageRows(
                set.count(),
                new int[] {set.channels(), set.height(), set.width()},
                set.maximum(),
                (from, count) -> set.pixels().narrow(0, from, count),
                set::close);
    }

    @Override
    public OptionalLong count() {
        return OptionalLong.of(images);
    }

    /** How many channels an image has: 1 of grey, 3 of colours. */
    public int channels() {
        return shape[0];
    }

    /** Pixels of an image from top to bottom. */
    public int height() {
        return shape[1];
    }

    /** Pixels of an image from left to right. */
    public int width() {
        return shape[2];
    }

    /** The value of white. */
    public int maximum() {
        return maximum;
    }

    @Override
    public Optional<Tensor> next(int most) throws IOException {
        int count = (int) Math.min(most, images - at);
        if (count == 0) {
            return Optional.empty();
        }
        Tensor read = part.read(at, count);
        at += count;
        return Optional.of(read);
    }

    /** All of them at once, in the current scope. */
    Tensor all() throws IOException {
        return part.read(0, Math.toIntExact(images));
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
