package dev.kelvin.tensor;

import org.bytedeco.pytorch.NoGradGuard;

/** While one is open, this thread's operations build no graph. */
public final class NoGrad implements AutoCloseable {
    private final NoGradGuard guard;

    private NoGrad() {
        Backend.load();
        guard = new NoGradGuard();
    }

    public static NoGrad open() {
        return new NoGrad();
    }

    @Override
    public void close() {
        guard.close();
    }
}
