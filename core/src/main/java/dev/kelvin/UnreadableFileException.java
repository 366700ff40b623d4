package dev.kelvin;

import java.io.IOException;
import java.nio.file.Path;

/** A file is not as its format says, or not there. The message is one line: the file's name, then what is wrong. */
public final class UnreadableFileException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final String problem;

    public UnreadableFileException(Path file, String problem) {
        super(file + ": " + problem);
        this.file = file;
        this.problem = problem;
    }

    public Path file() {
        return file;
    }

    /** What is wrong, without the file's name. */
    public String problem() {
        return problem;
    }
}
