package dev.kelvin.tensor;

import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What libtorch objected to, in one line: shapes that don't fit, a device that is not there. */
public final class TensorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Of main memory, and of a GPU's. */
    private static final Pattern ALLOCATE =
            Pattern.compile("tried to allocate (?:([0-9]+) bytes|([0-9.]+ [KMGT]iB))", Pattern.CASE_INSENSITIVE);

    /** With libtorch's message, in one line. */
    public TensorException(String message) {
        super(message);
    }

    private TensorException(String message, Throwable cause) {
        super(message, cause);
    }

    /** A native operation's result; its error keeps the first line of libtorch's message. */
    static <T> T translated(Supplier<T> operation) {
        try {
            return operation.get();
        } catch (RuntimeException e) {
            throw of(e);
        }
    }

    /** libtorch's error by the first of its many lines; our own, of a freed tensor or a missing device, as it is. */
    static RuntimeException of(RuntimeException nativeError) {
        if (nativeError instanceof IllegalStateException
                || nativeError instanceof IllegalArgumentException
                || nativeError instanceof TensorException) {
            return nativeError;
        }
        String message = String.valueOf(nativeError.getMessage());
        Matcher asked = ALLOCATE.matcher(message);
        if (asked.find()) {
            String what =
                    asked.group(1) == null ? asked.group(2) : Memory.gigabytes(Double.parseDouble(asked.group(1)));
            return new TensorException(
                    "there is not enough memory: libtorch asked for " + what + " more; take a smaller batch or model",
                    nativeError);
        }
        if (message.contains("std::bad_alloc")) {
            return new TensorException(
                    "there is not enough memory for libtorch; take a smaller batch or model", nativeError);
        }
        return new TensorException(
                message.lines().findFirst().orElse("libtorch failed without a message"), nativeError);
    }
}
