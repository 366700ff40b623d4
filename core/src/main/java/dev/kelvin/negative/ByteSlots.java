package dev.kelvin.negative;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Samples held as bytes, a quarter of the memory of floats: round(255·(x − low)/(high − low)), so that a value is off by up
 * to half of 1/255 of the range, and those outside [low, high] are cut off.
 */
record ByteSlots(PixelRange range) {
    private static final int MOST = 255;

    /** Samples that are drawn at a time, so that floats never take the room that bytes are to save. */
    private static final int CHUNK = 1000;

    Tensor bytes(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor shades = x.minus(range.low())
                    .timesInPlace(MOST / (range.high() - range.low()))
                    .addNumberInPlace(0.5);
            return scope.keep(shades.floor().clampInPlace(0, MOST).to(DType.BYTE));
        }
    }

    Tensor floats(Tensor bytes) {
        try (Scope scope = Scope.open()) {
            return scope.keep(bytes.to(DType.FLOAT)
                    .timesInPlace((range.high() - range.low()) / MOST)
                    .addNumberInPlace(range.low()));
        }
    }

    Tensor filled(Key key, SampleSource start, long... k) {
        return inChunks(key, k, (child, some) -> bytes(start.drawGiven(child, some)));
    }

    /** What is made of some components at a time, each time with a key of its own. */
    static Tensor inChunks(Key key, long[] k, BiFunction<Key, long[], Tensor> made) {
        try (Scope scope = Scope.open()) {
            List<Tensor> chunks = new ArrayList<>();
            for (int from = 0; from < k.length; from += CHUNK) {
                try (Scope chunk = Scope.open()) {
                    long[] some = Arrays.copyOfRange(k, from, Math.min(k.length, from + CHUNK));
                    chunks.add(chunk.keep(made.apply(key.child(from / CHUNK), some)));
                }
            }
            return scope.keep(chunks.size() == 1 ? chunks.get(0) : Tensors.concat(0, chunks));
        }
    }
}
