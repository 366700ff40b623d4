package dev.kelvin.energy;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/** f / T with a temperature for each sample, [n]; the value in double, as {@link Linear} has it. */
record Tempered(LogDensity f, Tensor temperatures) implements LogDensity {
    @Override
    public Tensor at(Tensor x) {
        return Scope.kept(() -> f.at(x).to(DType.DOUBLE).over(temperatures));
    }

    @Override
    public ValueAndGradient valueAndGradient(Tensor x) {
        try (Scope scope = Scope.open()) {
            ValueAndGradient at = f.valueAndGradient(x);
            return new ValueAndGradient(
                    scope.keep(at.value().to(DType.DOUBLE).over(temperatures)),
                    scope.keep(at.gradient().over(temperatures.reshape(x.rowShape()))));
        }
    }

    @Override
    public Tensor gradient(Tensor x) {
        return Scope.kept(() -> f.gradient(x).over(temperatures.reshape(x.rowShape())));
    }

    @Override
    public Tensor clip(Tensor gradient, double limit) {
        try (Scope scope = Scope.open()) {
            Tensor column = temperatures.reshape(gradient.rowShape());
            return scope.keep(f.clip(gradient.times(column), limit).over(column));
        }
    }

    @Override
    public Tensor clamp(Tensor x, double low, double high) {
        return f.clamp(x, low, high);
    }

    @Override
    public LogDensity rows(long... rows) {
        return new Tempered(f.rows(rows), temperatures.rows(rows));
    }
}
