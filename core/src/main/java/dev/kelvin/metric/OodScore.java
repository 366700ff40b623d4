package dev.kelvin.metric;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/**
 * A score that separates samples of the data from others: higher means more like the data. Source: Grathwohl et al. 2020, section 5.3.
 */
public enum OodScore {
    /** f(x), the unnormalised log-density: f itself, at any temperature. */
    F("f", "", "f"),
    /** The probability of the likeliest class, of a model that has classes. */
    MAX_P("max-p", "_maxp", "max p(y|x)"),
    /** −‖∇f(x)‖: where the data are dense, f is flat; unlike f it does not depend on volumes. */
    GRADIENT("gradient", "_gradient", "−‖∇f‖");

    private final String option;
    private final String suffix;
    private final String words;

    OodScore(String option, String suffix, String words) {
        this.option = option;
        this.suffix = suffix;
        this.words = words;
    }

    /** Its name on the command line. */
    public String option() {
        return option;
    }

    /** What figures by it have after their name. */
    public String suffix() {
        return suffix;
    }

    /** Its name, for people. */
    public String words() {
        return words;
    }

    /** −‖∇f(x)‖ of each sample, [n]. */
    static Tensor minusGradientNorm(LogDensity f, Tensor x) {
        try (Scope scope = Scope.open()) {
            return scope.keep(f.gradient(x).square().sumPerSample().sqrt().negate());
        }
    }
}
