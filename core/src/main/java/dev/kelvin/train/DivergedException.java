package dev.kelvin.train;

/** The numbers broke, and going back did not help. */
public final class DivergedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DivergedException(String message) {
        super(message);
    }
}
