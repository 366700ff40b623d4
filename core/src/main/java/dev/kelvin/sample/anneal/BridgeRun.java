package dev.kelvin.sample.anneal;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.sample.Evaluated;
import dev.kelvin.sample.Ladder;
import dev.kelvin.sample.Mala;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Annealed importance sampling between N(0, I) and exp f, forwards or backwards, one move of {@link Mala} on each density on
 * the way.
 *
 * <pre>
 * f_t(u) = t·f(u) − (1 − t)·½‖u‖²,  d(u) = f(u) + ½‖u‖²
 * forwards  log w = Σᵢ (tᵢ − tᵢ₋₁) d(uᵢ₋₁),  uᵢ from uᵢ₋₁ by a move on f at tᵢ
 * backwards log v = Σᵢ (tᵢ₋₁ − tᵢ) d(uᵢ₋₁),  uᵢ₋₁ from uᵢ by a move on f at tᵢ
 * </pre>
 *
 * <p>What {@link AnnealedImportance} does on any path, at a third of its price: f and its gradient are kept with the chains,
 * so that a density costs one evaluation of f and not four.
 *
 * @param logWeights one for each chain
 * @param u where the chains ended
 * @param deviations the standard deviation of d over the chains at each t
 * @param logSteps log h of the move at each t but 0; where it was adapted, as it was adapted
 */
record BridgeRun(double[] logWeights, Tensor u, double[] deviations, double[] logSteps) {
    private static final double ACCEPTANCE = 0.6;

    /** How fast an adapted step follows: log h moves by so much for each unit of acceptance too many. */
    private static final double GAIN = 1;

    /** Moves on the Gaussian itself that an adapted step begins with. */
    private static final int SEARCHED = 10;

    /** The chains with f and its gradient there. */
    private static final class Chains {
        private final LogDensity f;
        private Tensor u;
        private double[] value;
        private Tensor gradient;
        private double[] squares;

        Chains(LogDensity f, Tensor u) {
            this.f = f;
            this.u = u;
            ValueAndGradient at = f.valueAndGradient(u);
            value = at.value().toDoubles();
            gradient = at.gradient();
            squares = u.square().sum(1L).toDoubles();
        }

        double difference(int i) {
            return value[i] + squares[i] / 2;
        }

        private Tensor bridged(double t) {
            double[] bridged = new double[value.length];
            Arrays.setAll(bridged, i -> t * value[i] - (1 - t) * squares[i] / 2);
            return Tensors.of(bridged);
        }

        /** One move at t; the mean acceptance. */
        double move(Key key, double t, double stepSize) {
            try (Scope scope = Scope.open()) {
                Key[] keys = key.split(2);
                Tensor slope = gradient.times(t).addInPlace(u, t - 1);
                Tensor noisy = Tensors.normalLike(keys[0], Math.sqrt(2 * stepSize), u);
                Tensor y = noisy.plus(u).addInPlace(slope, stepSize);
                Chains there = new Chains(f, y);
                Tensor back = there.gradient.times(t).addInPlace(y, t - 1);
                Evaluated from = new Evaluated(u, bridged(t), slope);
                Evaluated to = new Evaluated(y, there.bridged(t), back);
                double[] logs = Mala.of(stepSize).logAcceptance(from, to, noisy);
                boolean[] accepted = new boolean[logs.length];
                RandomGenerator random = keys[1].stream();
                double sum = 0;
                for (int i = 0; i < logs.length; i++) {
                    accepted[i] = Math.log(random.nextDouble()) < logs[i];
                    sum += Double.isNaN(logs[i]) ? 0 : Math.exp(Math.min(0, logs[i]));
                    value[i] = accepted[i] ? there.value[i] : value[i];
                    squares[i] = accepted[i] ? there.squares[i] : squares[i];
                }
                Tensor next = scope.keep(y.rowsWhere(accepted, u));
                Tensor pull = scope.keep(there.gradient.rowsWhere(accepted, gradient));
                u.close();
                gradient.close();
                u = next;
                gradient = pull;
                return sum / logs.length;
            }
        }
    }

    /** Forwards from draws of N(0, I), with steps that follow the acceptance. */
    static BridgeRun adapting(Key key, LogDensity f, Ladder ladder, Tensor gaussian) {
        double[] log = {0};
        try (Scope scope = Scope.open()) {
            Chains chains = new Chains(f, gaussian.copy());
            for (int i = 0; i < SEARCHED; i++) {
                Key own = key.child(ladder.t().length + i);
                log[0] += 2 * GAIN * (chains.move(own, 0, Math.exp(log[0])) - ACCEPTANCE);
            }
            DoubleConsumer following = acceptance -> log[0] += GAIN * (acceptance - ACCEPTANCE);
            return run(scope, key, chains, ladder, t -> log[0], following, true);
        }
    }

    /** Forwards from draws of N(0, I), or backwards from draws of exp f, with steps that are given. */
    static BridgeRun run(
            Key key, LogDensity f, Ladder ladder, DoubleUnaryOperator logStep, Tensor start, boolean forwards) {
        try (Scope scope = Scope.open()) {
            Chains chains = new Chains(f, start.copy());
            return run(scope, key, chains, ladder, logStep, acceptance -> {}, forwards);
        }
    }

    private static BridgeRun run(
            Scope scope,
            Key key,
            Chains chains,
            Ladder ladder,
            DoubleUnaryOperator logStep,
            DoubleConsumer moved,
            boolean forwards) {
        double[] t = ladder.t();
        int last = t.length - 1;
        double[] logSteps = new double[t.length];
        double[] deviations = new double[t.length];
        double[] weights = new double[chains.value.length];
        logSteps[0] = logStep.applyAsDouble(t[0]);
        deviations[forwards ? 0 : last] = deviation(chains);
        for (int k = 1; k <= last; k++) {
            int i = forwards ? k : last + 1 - k;
            logSteps[i] = logStep.applyAsDouble(t[i]);
            if (forwards) {
                weigh(weights, chains, t[i] - t[i - 1]);
            }
            moved.accept(chains.move(key.child(k), t[i], Math.exp(logSteps[i])));
            if (!forwards) {
                weigh(weights, chains, t[i - 1] - t[i]);
            }
            deviations[forwards ? i : i - 1] = deviation(chains);
        }
        return new BridgeRun(weights, scope.keep(chains.u), deviations, logSteps);
    }

    /** Chains moved on exp f itself. */
    static Tensor settled(Key key, LogDensity f, double stepSize, Tensor start, int moves) {
        try (Scope scope = Scope.open()) {
            Chains chains = new Chains(f, start.copy());
            for (int i = 0; i < moves; i++) {
                chains.move(key.child(i), 1, stepSize);
            }
            return scope.keep(chains.u);
        }
    }

    /** The ends, resampled by their weights: samples of exp f where this went forwards. */
    Tensor resampled(Key key) {
        return u.rows(resampled(key, logWeights));
    }

    /** Systematic resampling: rows drawn by their weights, at even spaces of the weights' sum; a NaN has no weight. */
    static long[] resampled(Key key, double... logWeights) {
        int n = logWeights.length;
        double largest = Arrays.stream(logWeights)
                .filter(log -> !Double.isNaN(log))
                .max()
                .orElse(0);
        double[] weights = Arrays.stream(logWeights)
                .map(log -> Double.isNaN(log) ? 0 : Math.exp(log - largest))
                .toArray();
        double total = Arrays.stream(weights).sum();
        double at = key.stream().nextDouble();
        long[] rows = new long[n];
        double reached = 0;
        int drawn = 0;
        for (int i = 0; i < n; i++) {
            reached += weights[i] / total * n;
            while (drawn < n && (at + drawn < reached || i == n - 1)) {
                rows[drawn++] = i;
            }
        }
        return rows;
    }

    /** With the deviations of two runs on one path, in the mean. */
    BridgeRun beside(BridgeRun other) {
        double[] both = new double[deviations.length];
        Arrays.setAll(both, i -> (deviations[i] + other.deviations[i]) / 2);
        return new BridgeRun(logWeights, u, both, logSteps);
    }

    private static void weigh(double[] weights, Chains chains, double share) {
        for (int i = 0; i < weights.length; i++) {
            weights[i] += share * chains.difference(i);
        }
    }

    private static double deviation(Chains chains) {
        double sum = 0;
        double squares = 0;
        int n = chains.value.length;
        double about = chains.difference(0);
        for (int i = 0; i < n; i++) {
            double d = chains.difference(i) - about;
            sum += d;
            squares += d * d;
        }
        return Math.sqrt(Math.max(0, squares / n - sum / n * sum / n));
    }
}
