package dev.kelvin.part;

/** A part that is not registered was named or is to be saved: nothing is damaged, but its {@link PartProvider} is missing. */
public final class UnknownPartException extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    /** With what is not known, and what there is. */
    public UnknownPartException(String message) {
        super(message);
    }
}
