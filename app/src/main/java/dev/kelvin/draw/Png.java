package dev.kelvin.draw;

import dev.kelvin.io.AtomicFile;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Base64;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** A finished picture: the PNG file's bytes, and the image that they show. */
public final class Png {
    private final byte[] bytes;
    private final BufferedImage image;

    private Png(byte[] bytes, BufferedImage image) {
        this.bytes = bytes;
        this.image = image;
    }

    /** Encodes an image, which is kept and must not change any more. */
    public static Png of(BufferedImage image) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // In memory: ImageIO's own stream would put each picture through a file in the temporary folder.
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            ImageIO.write(image, "png", out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new Png(bytes.toByteArray(), image);
    }

    /** In pixels. */
    public int width() {
        return image.getWidth();
    }

    /** In pixels. */
    public int height() {
        return image.getHeight();
    }

    /** A copy of the PNG file's bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Writes the file: under a temporary name first, then renamed. */
    public void write(Path file) throws IOException {
        AtomicFile.write(file, out -> out.write(bytes));
    }

    /** The file as the address of an image in a page. */
    public String dataUri() {
        return "data:image/png;base64," + Base64.getEncoder().encodeToString(bytes);
    }

    BufferedImage image() {
        return image;
    }
}
