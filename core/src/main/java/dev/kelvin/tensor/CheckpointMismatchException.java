package dev.kelvin.tensor;

/** What was saved is whole, but of another model or of other settings than what it is loaded into; the message names what differs. */
public final class CheckpointMismatchException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** With what differs. */
    public CheckpointMismatchException(String message) {
        super(message);
    }
}
