package com.example.kelvin;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.sample.ChainState;
import dev.kelvin.sample.KernelTraits;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.Transition;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Random-walk Metropolis: a Gaussian proposal and an accept/reject step. It needs no gradient; choose it where f has none.
 *
 * <p>y = x + √(2h)ξ, ξ ~ N(0, I), accepted with probability min(1, exp((f(y) − f(x))/T)). h = stepSize, so that the noise is
 * that of a Langevin step of the same size.
 *
 * <p>Source: Metropolis et al. 1953.
 */
@Doc("random-walk Metropolis, exact for exp(f/T), without gradients")
@Cites("metropolis1953")
public record RandomWalk(
        @Doc("h, the step size: the noise is √(2h)") double stepSize,

        @Doc("T, the temperature") @Default("1") double temperature)
        implements StepSized<RandomWalk.State> {
    /** Where it moves furthest for its cost in many dimensions: Roberts, Gelman and Gilks 1997. */
    private static final double BEST_ACCEPTANCE = 0.234;

    /** Where the chains are, and f there. */
    public record State(Tensor x, Tensor value) implements ChainState {
        @Override
        public List<Tensor> tensors() {
            return List.of(x, value);
        }
    }

    public RandomWalk {
        Check.all(() -> Check.positive("stepSize", stepSize), () -> Check.positive("temperature", temperature));
    }

    @Override
    public RandomWalk withStepSize(double other) {
        return new RandomWalk(other, temperature);
    }

    @Override
    public State start(LogDensity target, Tensor x) {
        return new State(x, target.at(x));
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State state) {
        Key[] keys = key.split(2);
        try (Scope scope = Scope.open()) {
            Tensor y = Tensors.normalLike(keys[0], Math.sqrt(2 * stepSize), state.x())
                    .addInPlace(state.x());
            double[] here = state.value().toDoubles();
            double[] there = target.at(y).toDoubles();
            RandomGenerator random = keys[1].stream();
            boolean[] accepted = new boolean[here.length];
            double[] next = new double[here.length];
            float[] probability = new float[here.length];
            for (int i = 0; i < here.length; i++) {
                double log = (there[i] - here[i]) / temperature;
                accepted[i] = Math.log(random.nextDouble()) < log; // never where f(y) is NaN
                next[i] = accepted[i] ? there[i] : here[i];
                probability[i] = Double.isNaN(there[i]) ? 0 : (float) Math.exp(Math.min(0, log));
            }
            State to = new State(
                    scope.keep(y.rowsWhere(accepted, state.x())), scope.keep(Tensors.like(state.value(), next)));
            Tensor rates = scope.keep(Tensors.of(probability, probability.length));
            return new Transition<>(to, new StepInfo(Optional.of(rates), Map.of()));
        }
    }

    @Override
    public KernelTraits traits() {
        return KernelTraits.exact(temperature).withMemoryless(true).withBestAcceptance(BEST_ACCEPTANCE);
    }

    @Override
    public String words() {
        return "random-walk Metropolis with step size " + stepSize + " at temperature " + temperature;
    }
}
