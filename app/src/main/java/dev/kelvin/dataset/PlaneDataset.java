package dev.kelvin.dataset;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.io.Sha256;
import dev.kelvin.model.SampleKind;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.BatchSource;
import java.nio.charset.StandardCharsets;

/** Points of the plane from a toy set, whose density is known. */
public record PlaneDataset(ToyData toy, Device device) implements Data {
    /** Enough draws to tell two versions of a toy set apart. */
    private static final int HASHED_DRAWS = 1000;

    @Override
    public SampleKind samples() {
        return SampleKind.Points.of(toy.dimension());
    }

    @Override
    public SampleSource draws() {
        return (key, count) -> {
            try (Scope scope = Scope.open()) {
                return scope.keep(toy.draw(key, count).to(device));
            }
        };
    }

    @Override
    public BatchSource batches(boolean labelled) {
        return BatchSource.fresh(draws());
    }

    /** Toy data has no file: the hash is of its first draws under a fixed key. */
    @Override
    public String hash() {
        try (Scope scope = Scope.open()) {
            StringBuilder bits = new StringBuilder();
            for (float draw : toy.draw(Key.of(0), HASHED_DRAWS).toFloats()) {
                bits.append(Float.floatToIntBits(draw));
            }
            return Sha256.of(bits.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Override
    public void close() {}
}
