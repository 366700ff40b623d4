package dev.kelvin.tensor;

/** What libtorch objected to, in one line: shapes that don't fit, a device that is not there. */
public final class TensorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With libtorch's message, in one line. */
    public TensorException(String message) {
        super(message);
    }

    private TensorException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * What to throw for what a native operation threw. libtorch's messages carry a C++ stack trace of many lines; only
     * the first says what is wrong. Our own exceptions, of a freed tensor or a device that is not there, stay as they are.
     */
    static RuntimeException of(RuntimeException nativeError) {
        if (nativeError instanceof IllegalStateException
                || nativeError instanceof IllegalArgumentException
                || nativeError instanceof TensorException) {
            return nativeError;
        }
        String message = String.valueOf(nativeError.getMessage());
        return new TensorException(
                message.lines().findFirst().orElse("libtorch failed without a message"), nativeError);
    }
}
