package dev.kelvin.optim;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/**
 * Adam (Kingma and Ba 2015), and AdamW (Loshchilov and Hutter 2019) where the weight decay is decoupled.
 *
 * <p>m ← β₁m + (1 − β₁)g; v ← β₂v + (1 − β₂)g²; θ ← θ − η·m̂/(√v̂ + ε), m̂ = m/(1 − β₁ᵗ), v̂ = v/(1 − β₂ᵗ). Adam adds λθ to
 * g; AdamW first takes θ ← θ − ηλθ.
 */
final class AdamState implements OptimiserState {
    private final double b1;
    private final double b2;
    private final double epsilon;
    private final double decay;
    private final boolean decoupled;
    private final Tensor mean;
    private final Tensor square;
    private long steps;

    /** For a vector like this one. */
    AdamState(Tensor parameters, double b1, double b2, double epsilon, double decay, boolean decoupled) {
        this.b1 = b1;
        this.b2 = b2;
        this.epsilon = epsilon;
        this.decay = decay;
        this.decoupled = decoupled;
        this.mean = Scope.detach(Tensors.zerosLike(parameters));
        this.square = Scope.detach(Tensors.zerosLike(parameters));
    }

    @Override
    public void step(Tensor parameters, Tensor gradient, double learningRate) {
        steps++;
        try (Scope scope = Scope.open()) {
            double squareCorrection = Math.sqrt(1 - Math.pow(b2, (double) steps));
            Tensor g = gradient;
            if (decay > 0 && decoupled) {
                parameters.timesInPlace(1 - learningRate * decay);
            } else if (decay > 0) {
                g = g.copy().addInPlace(parameters, decay);
            }
            mean.timesInPlace(b1).addInPlace(g, 1 - b1);
            square.timesInPlace(b2).addProductInPlace(g, g, 1 - b2);
            // m^/(sqrt(v^) + eps), the corrections 1 - beta^t taken out of the vectors
            double meanCorrection = 1 - Math.pow(b1, (double) steps);
            Tensor root = square.sqrt().timesInPlace(1 / squareCorrection).addNumberInPlace(epsilon);
            parameters.addQuotientInPlace(mean, root, -learningRate / meanCorrection);
        }
    }

    @Override
    public void save(State state) {
        state.put("mean", mean);
        state.put("square", square);
        state.put("steps", steps);
    }

    @Override
    public void load(State state) {
        state.restore("mean", mean);
        state.restore("square", square);
        steps = state.number("steps");
    }

    @Override
    public void close() {
        mean.close();
        square.close();
    }
}
