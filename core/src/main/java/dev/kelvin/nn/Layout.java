package dev.kelvin.nn;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Which parameters a network has: their names, shapes and first values, in the order of the flat vector. */
public record Layout(List<Entry> entries) {
    /** One parameter tensor; what is not trained has gradient 0, and {@link Network#advance} moves it. */
    public record Entry(String name, List<Long> shape, Initialisation initialisation, boolean trained) {
        public Entry {
            shape = List.copyOf(shape);
        }

        /** How many numbers it holds. */
        public long count() {
            return Memory.count(sizes());
        }

        long[] sizes() {
            return shape.stream().mapToLong(Long::longValue).toArray();
        }
    }

    public Layout {
        entries = List.copyOf(entries);
    }

    /** These parameters and then those of another layout. */
    public Layout and(Layout other) {
        return new Layout(
                Stream.concat(entries.stream(), other.entries.stream()).toList());
    }

    /** How many numbers the vector has. */
    public long count() {
        return entries.stream().mapToLong(Entry::count).sum();
    }

    /** How many of them are trained: what papers call the number of parameters. */
    public long trainedCount() {
        return entries.stream().filter(Entry::trained).mapToLong(Entry::count).sum();
    }

    /** Fresh parameters. Every entry has a key of its own, so that adding one does not change the others' values. */
    public Parameters init(Key key, DType type) {
        try (Scope scope = Scope.open()) {
            List<Tensor> parts = new ArrayList<>();
            for (Entry entry : entries) {
                Tensor drawn = entry.initialisation().draw(key.child(parts.size()), type, entry.sizes());
                parts.add(drawn.reshape(-1));
            }
            return new Parameters(this, Scope.detach(Tensors.concat(0, parts)));
        }
    }

    /** Collects entries. */
    public static final class Builder {
        private final List<Entry> entries = new ArrayList<>();

        /** A parameter of this name and shape. */
        public Builder add(String name, Initialisation initialisation, Long... shape) {
            entries.add(new Entry(name, List.of(shape), initialisation, true));
            return this;
        }

        /** Numbers of this name and shape that are kept with the parameters, but not trained. */
        public Builder addState(String name, Initialisation initialisation, Long... shape) {
            entries.add(new Entry(name, List.of(shape), initialisation, false));
            return this;
        }

        /** A linear layer's {@code name.weight} [outputs, inputs] and {@code name.bias} [outputs]. */
        public Builder linear(String name, long inputs, long outputs) {
            Initialisation start = Initialisation.fanIn(inputs);
            return add(name + ".weight", start, outputs, inputs).add(name + ".bias", start, outputs);
        }

        /** The layout of all that was added, in that order. */
        public Layout build() {
            return new Layout(entries);
        }
    }
}
