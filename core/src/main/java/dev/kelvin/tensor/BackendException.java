package dev.kelvin.tensor;

/** libtorch can't be loaded here; the message says why and what to do. */
public final class BackendException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** With what is missing, and what to do. */
    public BackendException(String message) {
        super(message);
    }
}
