package dev.kelvin.energy;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/**
 * The log-likelihood of x where x + N(0, σ²I) was observed, one observation y for each sample: −‖x − y‖²/2σ². Added to a
 * model's log p(x) it gives the posterior log p(x|y) + const, from which noisy samples are denoised.
 */
public record Observation(Tensor y, double noise) implements LogDensity {
    public Observation {
        Check.positive("noise", noise);
    }

    @Override
    public Tensor at(Tensor x) {
        return Scope.kept(() -> value(x.minus(y.to(x.dtype()))));
    }

    @Override
    public ValueAndGradient valueAndGradient(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor off = x.minus(y.to(x.dtype()));
            return new ValueAndGradient(scope.keep(value(off)), scope.keep(off.times(-1 / (noise * noise))));
        }
    }

    private Tensor value(Tensor off) {
        return off.square().sumPerSample().times(-0.5 / (noise * noise));
    }

    @Override
    public LogDensity rows(long... rows) {
        return new Observation(y.rows(rows), noise);
    }
}
