package dev.kelvin.train;

import dev.kelvin.objective.Smoothing;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;

/** The smoothing factor α as training goes on: {@link Smoothing.Adaptive} moves it, an α that stays has no state. */
final class Balance {
    /** log α stays between plus and minus this: at 1e6 one part of the loss is lost in the rounding of the other. */
    private static final double LIMIT = Math.log(1e6);

    private final Smoothing settings;
    private double logAlpha;
    private long measured;

    Balance(Smoothing settings) {
        this.settings = settings;
        this.logAlpha = Math.log(settings.start());
    }

    /** α now: the very number of the settings where it stays. */
    double alpha() {
        return adapts() ? Math.exp(logAlpha) : settings.start();
    }

    boolean adapts() {
        return settings.adaptive().isPresent();
    }

    /** Whether both gradients are wanted apart at this step. */
    boolean measures(long step) {
        return settings.adaptive().map(adaptive -> step % adaptive.every() == 0).orElse(false);
    }

    /** Takes in both parts' gradients, the generative one not yet divided. Where one has no length, α stays. */
    void measure(Tensor generative, Tensor labels) {
        Smoothing.Adaptive adaptive = settings.adaptive().orElseThrow();
        double wanted =
                Math.log(Descent.norm(generative)) - Math.log(Descent.norm(labels)) - Math.log(adaptive.ratio());
        if (!Double.isFinite(wanted)) {
            return;
        }
        double kept = Math.min(adaptive.decay(), measured / (measured + 1.0)); // a young average is a plain one
        logAlpha = Math.max(-LIMIT, Math.min(LIMIT, kept * logAlpha + (1 - kept) * wanted));
        measured++;
    }

    void save(State state) {
        if (adapts()) {
            state.put("log", Double.doubleToLongBits(logAlpha));
            state.put("measured", measured);
        }
    }

    void load(State state) {
        if (adapts()) {
            logAlpha = Double.longBitsToDouble(state.number("log"));
            measured = state.number("measured");
        }
    }
}
