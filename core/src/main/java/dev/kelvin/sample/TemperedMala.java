package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/**
 * MALA that heats itself: whenever a step's mean acceptance is at most {@code threshold}, the temperature is multiplied
 * by {@code factor} for the steps that follow. It gets moving at any step size, at the price of sampling exp(f/T) with
 * whatever T it has reached; as long as it stays at T = 1 it is exact.
 *
 * <p>{@link Mala} on f/T: y = x + (h/T)∇f(x) + √(2h)ξ, which in our convention is step size h/T at temperature T.
 *
 * <p>Source: paper 001, "tempered MALA" (tem = T, u = threshold = 0.5, factor 10).
 */
public record TemperedMala(double stepSize, double threshold, double factor) implements Kernel<TemperedMala.State> {
    /** Where the chains are and the temperature that they share. */
    public record State(Evaluated at, double temperature) implements ChainState {
        @Override
        public Tensor x() {
            return at.x();
        }

        @Override
        public List<Tensor> tensors() {
            return at.tensors();
        }
    }

    public TemperedMala {
        Check.positive("stepSize", stepSize);
        Check.within("threshold", threshold, 0, 1);
        Check.within("factor", factor, 1, Double.MAX_VALUE);
    }

    @Override
    public State start(LogDensity target, Tensor x) {
        return new State(Evaluated.at(target, x), 1);
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State state) {
        double temperature = state.temperature();
        Mala mala = new Mala(stepSize / temperature, temperature);
        Transition<Evaluated> step = mala.step(key, target, state.at());
        boolean stuck = step.info().acceptance().orElseThrow().mean().item() <= threshold;
        return new Transition<>(new State(step.state(), stuck ? temperature * factor : temperature), step.info());
    }

    @Override
    public boolean movesChainsAlone() {
        return false;
    }
}
