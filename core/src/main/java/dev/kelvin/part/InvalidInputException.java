package dev.kelvin.part;

/** What a caller asked for cannot be done with what was given: the message says why, and what can be done instead. */
public class InvalidInputException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** With why, and what can be done instead. */
    public InvalidInputException(String message) {
        super(message);
    }
}
