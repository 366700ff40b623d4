package dev.kelvin.data.augment;

import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/**
 * Uniform dequantisation: spreads the m + 1 shades of an image over [0, 1]: x·m/(m + 1) + U(0, 1/(m + 1)), so that a
 * continuous density cannot
 * pile up on them (Theis et al. 2016, section 3.1).
 *
 * @param maximum m, the value of white in the set's files: 255 for bytes
 */
@Doc("uniform dequantisation: adds uniform noise of one grey level, so that the images have a density")
@Cites("theis2016")
public record Dequantisation(@Given("255") int maximum) implements Augmentation {
    public Dequantisation {
        Check.atLeast("maximum", maximum, 1);
    }

    @Override
    public String words() {
        return "uniform dequantisation";
    }

    @Override
    public Tensor apply(Key key, Tensor images) {
        double shades = maximum + 1.0;
        try (Scope scope = Scope.open()) {
            Tensor spread = Tensors.uniform(key, 0, 1 / shades, images.dtype(), images.device(), images.shape());
            return scope.keep(spread.addInPlace(images, maximum / shades));
        }
    }

    /** Each shade at the middle of what it is spread over: the images' mean. */
    public Tensor middle(Tensor images) {
        double shades = maximum + 1.0;
        return images.times(maximum / shades).plus(0.5 / shades);
    }

    /** Undoes {@link #middle} without rounding to shades, (x(m + 1) − ½)/m: for values that lie between them. */
    public Tensor unrounded(Tensor middle) {
        return middle.times((maximum + 1.0) / maximum).minus(0.5 / maximum);
    }

    /** The shade that each value was spread from, ⌊x(m + 1)⌋/m: undoes {@link #apply} and {@link #middle}. */
    public Tensor undone(Tensor spread) {
        try (Scope scope = Scope.open()) {
            return scope.keep(
                    spread.times(maximum + 1.0).floor().clampInPlace(0, maximum).timesInPlace(1.0 / maximum));
        }
    }
}
