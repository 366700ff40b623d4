package dev.kelvin.dataset;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.PointRows;
import dev.kelvin.data.format.Rows;
import dev.kelvin.data.toy.ToyData;
import dev.kelvin.io.Sha256;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Points of the plane from a toy set, whose density is known. */
public record PlaneDataset(ToyData toy, Device device) implements Data {
    /** Enough draws to tell two versions of a toy set apart. */
    private static final int HASHED_DRAWS = 1000;

    @Override
    public List<Long> shape() {
        return List.of((long) toy.dimension());
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
    public SampleSource drawsByClass() {
        throw new UserException("toy sets have no classes");
    }

    @Override
    public BatchSource batches(boolean labelled) {
        return BatchSource.fresh(draws());
    }

    @Override
    public List<String> classes() {
        return List.of();
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
    public Rows rows(String place, Optional<ImageFiles.Part> part) throws IOException {
        return new SeenRows(PointRows.open(Path.of(place), toy.dimension()), points -> points.to(device));
    }

    @Override
    public void close() {}
}
