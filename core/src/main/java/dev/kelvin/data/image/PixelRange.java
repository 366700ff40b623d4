package dev.kelvin.data.image;

import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** The values of black and white that a model wants: [0, 1], [−1, 1], [−½, ½]. */
public record PixelRange(double low, double high) {
    /** [0, 1], in which image sets give their values and augmentations work. */
    public static final PixelRange UNIT = new PixelRange(0, 1);

    public PixelRange {
        Check.finite("low", low);
        Check.finite("high", high);
        if (low >= high) {
            throw new SettingException("low", "must be below high, found " + low + " and " + high);
        }
    }

    /** low + (high − low)·x: values of [0, 1] in this range. */
    public Tensor fromUnit(Tensor x) {
        if (equals(UNIT)) {
            return x;
        }
        try (Scope scope = Scope.open()) {
            return scope.keep(x.times(high - low).addNumberInPlace(low));
        }
    }

    /** (x − low)/(high − low): values of this range in [0, 1]. */
    public Tensor toUnit(Tensor x) {
        if (equals(UNIT)) {
            return x;
        }
        try (Scope scope = Scope.open()) {
            return scope.keep(x.minus(low).timesInPlace(1 / (high - low)));
        }
    }
}
