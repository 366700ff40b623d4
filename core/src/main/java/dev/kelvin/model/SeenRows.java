package dev.kelvin.model;

import dev.kelvin.data.format.ImageRows;
import dev.kelvin.data.format.Rows;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Points or images of files, changed when they are read, such as to what a model sees. */
public record SeenRows(Rows stored, UnaryOperator<Tensor> seen) implements Rows {
    /** Images in [0, 1], changed. */
    public static SeenRows of(ImageRows images, UnaryOperator<Tensor> seen) {
        return new SeenRows(images, bytes -> seen.apply(ImageSet.unit(bytes, images.maximum())));
    }

    @Override
    public OptionalLong count() {
        return stored.count();
    }

    @Override
    public Optional<Tensor> next(int most) throws IOException {
        try (Scope scope = Scope.open()) {
            return stored.next(most).map(seen).map(scope::keep);
        }
    }

    @Override
    public void close() throws IOException {
        stored.close();
    }
}
