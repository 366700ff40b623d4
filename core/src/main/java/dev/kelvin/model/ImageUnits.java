package dev.kelvin.model;

import dev.kelvin.data.augment.Dequantisation;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Optional;

/**
 * Images in [0, 1] and a model of them.
 *
 * @param dequantised how shades were spread, of a model of dequantised images: a stored image is seen at the middle of its shades
 */
public record ImageUnits(PixelRange range, Optional<Dequantisation> dequantised) implements Units {
    @Override
    public Tensor toModel(Tensor unit) {
        return range.fromUnit(dequantised.map(spread -> spread.middle(unit)).orElse(unit));
    }

    /** Images in [0, 1], cut off where they leave it; of a model of dequantised images, in the files' own shades. */
    @Override
    public Tensor fromModel(Tensor z) {
        try (Scope scope = Scope.open()) {
            Tensor unit = range.toUnit(z);
            return scope.keep(dequantised.map(spread -> spread.undone(unit)).orElseGet(() -> unit.clamp(0, 1)));
        }
    }

    /** Images about [0, 1], neither cut off nor rounded to shades: those of noisy images. */
    public Tensor fromModelUnclipped(Tensor z) {
        Tensor unit = range.toUnit(z);
        return dequantised.map(spread -> spread.unrounded(unit)).orElse(unit);
    }

    /** A difference of values, of which white is 1, in the model. */
    public double scale(double difference) {
        double share = dequantised
                .map(spread -> spread.maximum() / (spread.maximum() + 1.0))
                .orElse(1.0);
        return difference * share * (range.high() - range.low());
    }
}
