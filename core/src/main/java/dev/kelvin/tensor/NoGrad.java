package dev.kelvin.tensor;

import org.bytedeco.pytorch.AutoDispatchBelowADInplaceOrView;

/**
 * While one is open, this thread's operations build no graph, and don't pass through the machinery that would: small ones
 * are a tenth faster for it. Nothing may be differentiated inside.
 */
public final class NoGrad implements AutoCloseable {
    private final AutoDispatchBelowADInplaceOrView guard;

    private NoGrad() {
        Backend.load();
        guard = new AutoDispatchBelowADInplaceOrView();
    }

    /** Gradients are not recorded on this thread until it is closed. */
    public static NoGrad open() {
        return new NoGrad();
    }

    @Override
    public void close() {
        guard.close();
    }
}
