package dev.kelvin.optim;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/**
 * Stochastic gradient descent with momentum.
 *
 * <p>g ← g + λθ; b ← μb + g; θ ← θ − η·b, or with Nesterov's look-ahead θ ← θ − η(g + μb). λ = weightDecay, μ = momentum,
 * η = learning rate, b₀ = 0. As PyTorch's SGD without dampening.
 */
final class SgdState implements OptimiserState {
    private final double momentum;
    private final boolean nesterov;
    private final double weightDecay;
    private final Tensor velocity;

    /** For a vector like this one. */
    SgdState(Tensor parameters, double momentum, boolean nesterov, double weightDecay) {
        this.momentum = momentum;
        this.weightDecay = weightDecay;
        this.nesterov = nesterov;
        this.velocity = Scope.detach(Tensors.zerosLike(parameters));
    }

    @Override
    public void step(Tensor parameters, Tensor gradient, double learningRate) {
        try (Scope scope = Scope.open()) {
            Tensor g = weightDecay == 0 ? gradient : gradient.copy().addInPlace(parameters, weightDecay);
            velocity.timesInPlace(momentum).addInPlace(g);
            Tensor direction = nesterov ? velocity.times(momentum).addInPlace(g) : velocity;
            parameters.addInPlace(direction, -learningRate);
        }
    }

    @Override
    public void save(State state) {
        state.put("velocity", velocity);
    }

    @Override
    public void load(State state) {
        state.restore("velocity", velocity);
    }

    @Override
    public void close() {
        velocity.close();
    }
}
