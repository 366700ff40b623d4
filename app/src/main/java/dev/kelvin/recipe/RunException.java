package dev.kelvin.recipe;

/** A run that is not there, is not whole, or is in use; the message says what to do. */
public final class RunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RunException(String message) {
        super(message);
    }
}
