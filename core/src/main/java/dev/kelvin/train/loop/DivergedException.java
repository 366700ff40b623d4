package dev.kelvin.train.loop;

/** The numbers broke, and going back did not help. */
public final class DivergedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long step;

    /** At a step, with why. */
    public DivergedException(long step, String message) {
        super("step " + step + ": " + message);
        this.step = step;
    }

    /** Where it broke for the last time. */
    public long step() {
        return step;
    }
}
