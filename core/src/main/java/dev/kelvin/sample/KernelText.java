package dev.kelvin.sample;

import dev.kelvin.Words;
import java.util.OptionalDouble;

/** What kernels say of themselves in the same words. */
final class KernelText {
    private KernelText() {}

    static String step(double stepSize) {
        return "step size " + Words.number(stepSize);
    }

    /** A target temperature; none is a kernel without noise. */
    static String at(OptionalDouble temperature) {
        return temperature.isPresent() ? " at temperature " + Words.number(temperature.getAsDouble()) : " and no noise";
    }
}
