package dev.kelvin.draw;

import dev.kelvin.io.AtomicFile;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** A finished picture: the PNG file's bytes, and the image that they show. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Png(byte[] bytes, BufferedImage image) {
    private static final int MOST_COLOURS = 256;

    /** Encodes an image, which is kept and must not change any more. */
    public static Png of(BufferedImage image) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // In memory: ImageIO's own stream would put each picture through a file in the temporary folder.
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            ImageIO.write(indexed(image), "png", out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new Png(bytes.toByteArray(), image);
    }

    /** The image by numbers of its colours, where one byte is enough for them: the file is half as large. */
    private static BufferedImage indexed(BufferedImage image) {
        int width = image.getWidth();
        int[] pixels = image.getRGB(0, 0, width, image.getHeight(), null, 0, width);
        // by green first, which rises along a scale of colours: neighbours in the picture are neighbours here
        Arrays.setAll(pixels, i -> Integer.rotateLeft(pixels[i], 16) ^ Integer.MIN_VALUE);
        int[] sorted = Arrays.stream(pixels)
                .distinct()
                .limit(MOST_COLOURS + 1)
                .sorted()
                .toArray();
        if (sorted.length > MOST_COLOURS) {
            return image;
        }
        int[] colours = Arrays.stream(sorted)
                .map(each -> Integer.rotateRight(each ^ Integer.MIN_VALUE, 16))
                .toArray();
        IndexColorModel model = new IndexColorModel(8, colours.length, colours, 0, true, -1, DataBuffer.TYPE_BYTE);
        BufferedImage indexed = new BufferedImage(width, image.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, model);
        byte[] numbers = ((DataBufferByte) indexed.getRaster().getDataBuffer()).getData();
        for (int i = 0; i < pixels.length; i++) {
            numbers[i] = (byte) Arrays.binarySearch(sorted, pixels[i]);
        }
        return indexed;
    }

    /** In pixels. */
    public int width() {
        return image.getWidth();
    }

    /** In pixels. */
    public int height() {
        return image.getHeight();
    }

    /** Writes the file: under a temporary name first, then renamed. */
    public void write(Path file) throws IOException {
        AtomicFile.write(file, out -> out.write(bytes));
    }

    /** The file as the address of an image in a page. */
    public String dataUri() {
        return "data:image/png;base64," + Base64.getEncoder().encodeToString(bytes);
    }
}
