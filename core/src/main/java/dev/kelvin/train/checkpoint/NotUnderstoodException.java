package dev.kelvin.train.checkpoint;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A checkpoint is whole, but of a newer format or of parts that are not registered here. Nothing is lost: it is neither
 * passed over nor removed nor replaced. The message names the file, what is not understood, and what to do.
 */
public final class NotUnderstoodException extends IOException {
    private static final long serialVersionUID = 1L;

    NotUnderstoodException(Path file, String problem, String remedy) {
        super(file + " is not understood: " + problem + ". " + remedy + "; the checkpoint is left as it is");
    }
}
