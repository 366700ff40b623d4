package dev.kelvin.data.format;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.part.Kind;
import java.io.IOException;
import java.util.Optional;

/**
 * A way in which image sets are stored. It looks at a file or a folder and, where that is its own, gives what reads it;
 * {@link ImageFiles} asks every registered format in turn. A format without settings or state is registered by its class.
 */
@Kind("image format")
public interface ImageFormat {
    /** What messages call it. */
    String title();

    /** What reads this file; nothing if it is in another format. */
    default Optional<Source> file(FileStart file, ImageFiles.Options options) throws IOException {
        return Optional.empty();
    }

    /** Whether a file of this format holds a training part and a test part. */
    default boolean hasParts(FileStart file) throws IOException {
        return false;
    }

    /**
     * What reads the part that the options name of a folder in which this format has such a part by the files' names;
     * nothing if there is none.
     */
    default Optional<Source> part(Folder folder, ImageFiles.Options options) throws IOException {
        return Optional.empty();
    }

    /** What reads a folder that is one set without parts; nothing if it is not this format's. */
    default Optional<Source> whole(Folder folder, ImageFiles.Options options) throws IOException {
        return Optional.empty();
    }

    /** An image set that was found and can be read. */
    @FunctionalInterface
    interface Source {
        /** Reads it; the caller closes the set. */
        ImageSet read() throws IOException;

        /** Its images, some at a time: without more memory than that, unless the format can't but read all. */
        default ImageRows rows() throws IOException {
            return ImageRows.of(read());
        }
    }
}
