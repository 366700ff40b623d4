package dev.kelvin.tensor;

import dev.kelvin.part.InvalidInputException;
import java.util.List;

/** What was asked for does not fit into memory. The message says how many numbers it is, and what there is. */
public final class TooLargeException extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    private final transient List<Long> sizes;

    /** With the sizes that were asked for, so that who knows the settings can say which these are. */
    public TooLargeException(String message, List<Long> sizes) {
        super(message);
        this.sizes = List.copyOf(sizes);
    }

    /** The factors of what was asked for; none where they are not known. */
    public List<Long> sizes() {
        return sizes;
    }
}
