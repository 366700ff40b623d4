package dev.kelvin.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/** A file is not as its format says, or not there. The message is one line: the file's name, then what is wrong. */
public final class UnreadableFileException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final String problem;

    /** The file, and what is wrong with it in words that follow its name. */
    public UnreadableFileException(Path file, String problem) {
        super(file + ": " + problem);
        this.file = file;
        this.problem = problem;
    }

    /** An exception of reading as one that names the file. */
    public static UnreadableFileException of(Path path, IOException problem) {
        if (problem instanceof UnreadableFileException known) {
            return known;
        }
        if (problem instanceof NoSuchFileException) {
            return new UnreadableFileException(path, "there is no such file");
        }
        if (problem instanceof AccessDeniedException) {
            return new UnreadableFileException(path, "may not be read by this user");
        }
        if (problem instanceof EOFException) {
            return new UnreadableFileException(path, "ends too early: a part of it is missing");
        }
        String reason = Objects.requireNonNullElse(
                problem.getMessage(), problem.getClass().getSimpleName());
        return new UnreadableFileException(
                path, "cannot be read: " + reason.lines().findFirst().orElse("for no reason that is known"));
    }

    /** The file that can't be read. */
    public Path file() {
        return file;
    }

    /** What is wrong, without the file's name. */
    public String problem() {
        return problem;
    }
}
