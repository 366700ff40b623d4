package dev.kelvin.data.format;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.Check;
import java.nio.file.Path;

/**
 * Pictures (PNG, JPEG, WebP) whose bytes are in memory, brought to the pixels that a model takes, as those of a folder are: in grey
 * where it has one channel and, where that is asked for, cropped to their central square and resized.
 *
 * @param channels 1 of grey, 3 of colours
 * @param resized whether pictures of another size are cropped and resized; they are refused otherwise
 */
public record PictureBytes(int channels, int height, int width, boolean resized) {
    private static final Path NAMELESS = Path.of("picture");

    public PictureBytes {
        Check.require(channels == 1 || channels == 3, "channels", "must be 1 or 3, found " + channels);
        Check.atLeast("height", height, 1);
        Check.atLeast("width", width, 1);
        Check.require(!resized || height == width, "resized", "is for square images");
    }

    /**
     * The pixels of a picture, [channels, height, width] one after the other, a byte each.
     *
     * @throws UnreadableFileException if it cannot be decoded or is of another size; its {@link
     *     UnreadableFileException#problem} names no file
     */
    public byte[] pixels(byte[] file) throws UnreadableFileException {
        PictureFile picture = PictureFile.of(NAMELESS, file);
        if (resized) {
            picture = picture.square().resized(height, width);
        } else if (picture.height() != height || picture.width() != width) {
            throw new UnreadableFileException(
                    NAMELESS,
                    "is " + picture.width() + " wide and " + picture.height() + " high; the model's images are " + width
                            + " and " + height);
        }
        return channels == 1 ? picture.grey() : picture.planes();
    }
}
