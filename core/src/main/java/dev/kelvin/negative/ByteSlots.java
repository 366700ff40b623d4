package dev.kelvin.negative;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;

/**
 * Samples held as bytes, a quarter of the memory of floats: round(255·(x − low)/(high − low)), so that a value is off by up
 * to half of 1/255 of the range, and those outside [low, high] are cut off.
 */
public record ByteSlots(double low, double high) {
    private static final int MOST = 255;

    /** Samples that are drawn at a time, so that floats never take the room that bytes are to save. */
    private static final int CHUNK = 1000;

    public ByteSlots {
        Check.all(() -> Check.finite("low", low), () -> Check.finite("high", high));
        Check.require(low < high, "high", "must be above low, " + low + ", found " + high);
    }

    Tensor bytes(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor shades = x.minus(low).timesInPlace(MOST / (high - low)).addNumberInPlace(0.5);
            return scope.keep(shades.floor().clampInPlace(0, MOST).to(DType.BYTE));
        }
    }

    Tensor floats(Tensor bytes) {
        try (Scope scope = Scope.open()) {
            return scope.keep(
                    bytes.to(DType.FLOAT).timesInPlace((high - low) / MOST).addNumberInPlace(low));
        }
    }

    /** Draws of these components, as bytes. */
    Tensor filled(Key key, SampleSource start, long... k) {
        try (Scope scope = Scope.open()) {
            Tensor first = bytes(start.drawGiven(key.child(0), Arrays.copyOf(k, Math.min(CHUNK, k.length))));
            if (k.length <= CHUNK) {
                return scope.keep(first);
            }
            long[] shape = first.shape();
            shape[0] = k.length;
            Tensor all = Tensors.zeros(DType.BYTE, first.device(), shape);
            all.narrow(0, 0, CHUNK).copyInPlace(first);
            for (int from = CHUNK; from < k.length; from += CHUNK) {
                int to = Math.min(k.length, from + CHUNK);
                try (Scope chunk = Scope.open()) {
                    Tensor some = start.drawGiven(key.child(from / CHUNK), Arrays.copyOfRange(k, from, to));
                    all.narrow(0, from, to - from).copyInPlace(bytes(some));
                }
            }
            return scope.keep(all);
        }
    }
}
