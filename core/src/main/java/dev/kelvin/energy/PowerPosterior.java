package dev.kelvin.energy;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;

/**
 * log p(z) + t·log p(x|z), with a t for each row: the prior at 0, the posterior at 1, and what lies between. The value is in
 * double, as the likelihood of an image is large.
 *
 * @param t [n]
 */
public record PowerPosterior(LogDensity prior, Likelihood likelihood, Tensor t) implements LogDensity {
    @Override
    public Tensor at(Tensor z) {
        try (Scope scope = Scope.open()) {
            Tensor weighed = likelihood.at(z).to(DType.DOUBLE).times(t);
            return scope.keep(weighed.plus(prior.at(z)));
        }
    }

    @Override
    public ValueAndGradient valueAndGradient(Tensor z) {
        try (Scope scope = Scope.open()) {
            ValueAndGradient ofPrior = prior.valueAndGradient(z);
            ValueAndGradient ofX = likelihood.valueAndGradient(z);
            Tensor value = ofX.value().to(DType.DOUBLE).times(t).plus(ofPrior.value());
            return new ValueAndGradient(scope.keep(value), scope.keep(sum(ofPrior.gradient(), ofX.gradient())));
        }
    }

    @Override
    public Tensor gradient(Tensor z) {
        return Scope.kept(() -> sum(prior.gradient(z), likelihood.gradient(z)));
    }

    private Tensor sum(Tensor ofPrior, Tensor ofX) {
        return ofX.times(t.to(ofX.dtype()).unsqueeze(1)).plus(ofPrior);
    }

    @Override
    public LogDensity rows(long... rows) {
        return new PowerPosterior(prior.rows(rows), likelihood.rows(rows), t.rows(rows));
    }
}
