package dev.kelvin.data.augment;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.part.Check;
import dev.kelvin.part.Kind;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A random change of images that leaves what they show. It takes and gives images [n, channels, height, width] with
 * values in [0, 1], and changes each by draws of its own; the same key gives the same changes.
 */
@Kind("augmentation")
public interface Augmentation {
    /** What it does, in one phrase. */
    String words();

    /** The changed images, in the images' type and place. */
    Tensor apply(Key key, Tensor images);

    /** Returns this augmentation for images whose values lie in another range than [0, 1]. */
    default Augmentation within(PixelRange range) {
        return new Within(this, range);
    }

    /** One augmentation after the other, each with a key of its own. */
    record InTurn(List<Augmentation> steps) implements Augmentation {
        public InTurn {
            Check.notEmpty("steps", steps);
            steps = List.copyOf(steps);
        }

        @Override
        public String words() {
            return steps.stream().map(Augmentation::words).collect(Collectors.joining(", "));
        }

        @Override
        public Augmentation within(PixelRange range) {
            return new InTurn(steps.stream().map(step -> step.within(range)).toList());
        }

        @Override
        public Tensor apply(Key key, Tensor images) {
            try (Scope scope = Scope.open()) {
                Tensor changed = images;
                for (int i = 0; i < steps.size(); i++) {
                    changed = steps.get(i).apply(key.child(i), changed);
                }
                return scope.keep(changed);
            }
        }
    }

    /** An augmentation of values in another range: to [0, 1] and back. */
    record Within(Augmentation inner, PixelRange range) implements Augmentation {
        @Override
        public String words() {
            return inner.words();
        }

        @Override
        public Tensor apply(Key key, Tensor images) {
            try (Scope scope = Scope.open()) {
                return scope.keep(range.fromUnit(inner.apply(key, range.toUnit(images))));
            }
        }
    }
}
