package dev.kelvin.tensor;

/** What libtorch objected to, in one line: shapes that don't fit, a device that is not there. */
public final class TensorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TensorException(String message) {
        super(message);
    }

    private TensorException(String message, Throwable cause) {
        super(message, cause);
    }

    /** libtorch's messages carry a C++ stack trace of many lines; only the first says what is wrong. */
    static TensorException firstLineOf(RuntimeException nativeError) {
        String message = String.valueOf(nativeError.getMessage());
        return new TensorException(
                message.lines().findFirst().orElse("libtorch failed without a message"), nativeError);
    }
}
