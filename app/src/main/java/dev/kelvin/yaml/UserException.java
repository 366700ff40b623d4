package dev.kelvin.yaml;

/** A run that is not there, is not whole, or is in use; the message says what to do. */
public final class UserException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UserException(String message) {
        super(message);
    }
}
