package dev.kelvin.distributed;

/** Another rank has ended, cannot be reached or says nothing: this one cannot go on, and the run can be resumed. */
public final class LostRankException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostRankException(String message) {
        super(message);
    }

    LostRankException(String message, Throwable cause) {
        super(message, cause);
    }
}
