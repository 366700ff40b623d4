package dev.kelvin.dataset;

import dev.kelvin.data.format.Rows;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Samples of files as the model sees them. */
record SeenRows(Rows stored, UnaryOperator<Tensor> seen) implements Rows {
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
