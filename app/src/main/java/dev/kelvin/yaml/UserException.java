package dev.kelvin.yaml;

import dev.kelvin.part.InvalidInputException;

/** A run that is not there, is not whole, or is in use; the message says what to do. */
public final class UserException extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    /** With what is wrong, and what to do. */
    public UserException(String message) {
        super(message);
    }
}
