package dev.kelvin.sample;

import dev.kelvin.part.Words;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What kernels say of themselves in the same words. */
final class KernelText {
    private KernelText() {}

    static String step(double stepSize) {
        return "step size " + Words.number(stepSize);
    }

    /** The limits on gradients and coordinates, where there are any. */
    static String within(OptionalDouble clip, Optional<List<Double>> clamp) {
        String gradients = clip.isPresent() ? ", gradients clipped to ±" + Words.number(clip.getAsDouble()) : "";
        return gradients
                + clamp.map(range ->
                                ", values to [" + Words.number(range.get(0)) + ", " + Words.number(range.get(1)) + "]")
                        .orElse("");
    }

    /** A target temperature; none is a kernel without noise. */
    static String at(OptionalDouble temperature) {
        return temperature.isPresent() ? " at temperature " + Words.number(temperature.getAsDouble()) : " and no noise";
    }
}
