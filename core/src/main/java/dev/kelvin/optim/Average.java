package dev.kelvin.optim;

import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;

/**
 * The exponential moving average of the parameters, which evaluation and sampling use where there is one.
 *
 * <p>θ̄ ← dθ̄ + (1 − d)θ, d = min(decay, (1 + t)/(10 + t)) after t steps, so that a young average is not held back by the
 * first parameters.
 */
public final class Average implements AutoCloseable {
    private static final double YOUNG = 10; // as in TensorFlow's ExponentialMovingAverage

    private final Parameters parameters;
    private final double decay;

    /** Starts at a copy of these. */
    public Average(Parameters parameters, double decay) {
        this.parameters = parameters.copy();
        this.decay = Check.within("ema", decay, 0, 1);
    }

    /** Takes in the parameters after step {@code step}, counted from 0. */
    public void add(Parameters current, long step) {
        double d = Math.min(decay, (1 + step) / (YOUNG + step));
        parameters.flat().timesInPlace(d).addInPlace(current.flat(), 1 - d);
    }

    /** The averaged parameters, which this owns. */
    public Parameters parameters() {
        return parameters;
    }

    @Override
    public void close() {
        parameters.close();
    }
}
