package dev.kelvin.energy;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * factor · f + g, keeping each part's own way to its gradient. The value is in double: f may be large and the factor 1/T, and
 * a float's digits would be gone before two values are subtracted.
 */
record Linear(LogDensity f, double factor, @Nullable LogDensity g) implements LogDensity {
    @Override
    public Tensor at(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor scaled = f.at(x).to(DType.DOUBLE).times(factor);
            return scope.keep(g == null ? scaled : scaled.plus(g.at(x)));
        }
    }

    @Override
    public ValueAndGradient valueAndGradient(Tensor x) {
        try (Scope scope = Scope.open()) {
            ValueAndGradient first = f.valueAndGradient(x);
            Tensor value = first.value().to(DType.DOUBLE).times(factor);
            Tensor gradient = first.gradient().times(factor);
            if (g != null) {
                ValueAndGradient second = g.valueAndGradient(x);
                value = value.plus(second.value());
                gradient = gradient.plus(second.gradient());
            }
            return new ValueAndGradient(scope.keep(value), scope.keep(gradient));
        }
    }

    @Override
    public Tensor gradient(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor gradient = f.gradient(x).times(factor);
            return scope.keep(g == null ? gradient : gradient.plus(g.gradient(x)));
        }
    }

    /** The limit is on the gradient of the whole, in the coordinates that both parts are in. */
    @Override
    public Tensor clip(Tensor gradient, double limit) {
        return f.clip(gradient, limit);
    }

    @Override
    public Tensor clamp(Tensor x, double low, double high) {
        return f.clamp(x, low, high);
    }

    @Override
    public LogDensity rows(long... rows) {
        return new Linear(f.rows(rows), factor, g == null ? null : g.rows(rows));
    }
}
