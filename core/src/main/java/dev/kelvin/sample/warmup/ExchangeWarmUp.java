package dev.kelvin.sample.warmup;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.sample.JitteredHmc;
import dev.kelvin.sample.ReplicaExchange;
import dev.kelvin.sample.StepInfo;
import dev.kelvin.sample.Transition;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.Objects;

/**
 * Leads chains to all modes before they are tuned: {@link ReplicaExchange} of short Hamiltonian paths, in rounds that double
 * in length. Each round adapts the step size to the cold chains' acceptance, and ends with temperatures at which neighbours
 * change places equally often ({@link ReplicaExchange#tuned}).
 *
 * @param steps exchanges in all
 * @param rungs temperatures
 * @param hottest the highest of them
 */
public record ExchangeWarmUp(int steps, int rungs, double hottest) {
    private static final int FIRST_ROUND = 25;
    private static final int LEAPS = 5;
    private static final int PATHS = 2; // between two exchanges
    private static final double ACCEPTANCE = 0.8;

    public ExchangeWarmUp {
        Check.atLeast("steps", steps, 1);
        Check.atLeast("rungs", rungs, 2);
        Check.require(hottest > 1 && Double.isFinite(hottest), "hottest", "must be above 1");
    }

    /** 300 exchanges of six temperatures up to 30. */
    public static ExchangeWarmUp of() {
        return new ExchangeWarmUp(300, 6, 30);
    }

    /** Runs the exchanges from x, [chains, ...]; returns where the chains arrived, at temperature 1. */
    public Tensor run(Key key, LogDensity target, Tensor x) {
        double first = WarmUp.find(key.child(-1), JitteredHmc.of(1), target, x, ACCEPTANCE);
        DualAveraging adaptation = new DualAveraging(ACCEPTANCE, first);
        ReplicaExchange exchange = new ReplicaExchange(paths(first), rungs, hottest, PATHS);
        int round = FIRST_ROUND;
        try (Scope all = Scope.open()) {
            ReplicaExchange.State state = exchange.start(target, x);
            for (int step = 0, end = 0; step < steps; ) {
                // a round that would leave too little for the next takes the rest
                end = end + 3 * round > steps ? steps : end + round;
                double[] rates = new double[rungs - 1];
                int exchanges = end - step;
                for (; step < end; step++) {
                    JitteredHmc inner = paths(adaptation.stepSize(0));
                    ReplicaExchange now = new ReplicaExchange(inner, rungs, hottest, PATHS, exchange.ladder());
                    try (Scope scope = Scope.open()) {
                        Transition<ReplicaExchange.State> next = now.step(key.child(step), target, state);
                        adaptation.update(
                                0, next.info().acceptance().orElseThrow().mean().item());
                        double[] found = Objects.requireNonNull(
                                        next.info().more().get(StepInfo.SWAPS))
                                .toDoubles();
                        Arrays.setAll(rates, i -> rates[i] + found[i]);
                        state = next.state();
                        state.tensors().forEach(scope::keep);
                    }
                }
                if (end < steps) {
                    Arrays.setAll(rates, i -> rates[i] / exchanges);
                    exchange = exchange.tuned(rates);
                }
                round *= 2;
            }
            return all.keep(state.x());
        }
    }

    private static JitteredHmc paths(double stepSize) {
        return JitteredHmc.of(stepSize).withPathLength(LEAPS * stepSize);
    }
}
