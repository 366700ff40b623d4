package dev.kelvin.sample;

import dev.kelvin.Check;
import dev.kelvin.SettingException;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Replica exchange (parallel tempering): each chain runs at a ladder of temperatures at once, and neighbours on the
 * ladder change places, so that what the hot replicas find reaches the cold one. The answer to modes that no local step
 * connects; exact for exp(f/T₀) if the inner kernel is exact at temperature 1.
 *
 * <p>One step: {@code steps} steps of the inner kernel on every rung, then a swap of rungs (0, 1), (2, 3), … and then of
 * (1, 2), (3, 4), …, each accepted with probability min(1, exp((1/Tᵢ − 1/Tⱼ)(f(xⱼ) − f(xᵢ)))).
 *
 * <p>The inner kernel moves rung i in u = x/√Tᵢ on f(√Tᵢ u)/Tᵢ: with {@link Mala} of step size h that is x + h∇f(x) +
 * √(2hTᵢ)ξ at temperature Tᵢ, so hot replicas take longer steps. All rungs go through the network in one batch.
 *
 * <p>Sources: Swendsen and Wang (1986); Geyer (1991); the even-odd order after Okabe et al. (2001).
 */
public record ReplicaExchange<S extends ChainState>(Kernel<S> kernel, List<Double> temperatures, int steps)
        implements Kernel<ReplicaExchange.State> {
    /** The cold replicas [chains, ...], and those of every rung, the cold ones first: [rungs · chains, ...]. */
    public record State(Tensor x, Tensor replicas) implements ChainState {
        @Override
        public List<Tensor> tensors() {
            return List.of(x, replicas);
        }
    }

    public ReplicaExchange {
        temperatures = List.copyOf(temperatures);
        if (temperatures.size() < 2) {
            throw new SettingException("temperatures", "must be at least two, found " + temperatures);
        }
        for (int i = 0; i < temperatures.size(); i++) {
            Check.positive("temperatures", temperatures.get(i));
            if (i > 0 && !(temperatures.get(i) > temperatures.get(i - 1))) {
                throw new SettingException("temperatures", "must rise, found " + temperatures);
            }
        }
        Check.atLeast("steps", steps, 1);
    }

    /** Rungs from 1 to {@code hottest}, each the same factor above the one before. */
    public static List<Double> geometricLadder(int rungs, double hottest) {
        Check.atLeast("rungs", rungs, 2);
        Check.positive("hottest", hottest - 1);
        Double[] ladder = new Double[rungs];
        for (int i = 0; i < rungs; i++) {
            ladder[i] = Math.pow(hottest, i / (rungs - 1.0));
        }
        return List.of(ladder);
    }

    private int rungs() {
        return temperatures.size();
    }

    /** Every rung starts where the cold one does. */
    @Override
    public State start(LogDensity target, Tensor x) {
        Tensor[] copies = new Tensor[rungs()];
        Arrays.fill(copies, x);
        return new State(x, Tensors.concat(0, copies));
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State state) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            int chains = Math.toIntExact(state.x().size(0));
            Tensor temperature = perRow(state.replicas(), chains);
            Tensor scale = temperature.sqrt().reshape(Evaluated.rowShape(state.replicas()));
            LogDensity every = target.rows(chainOfReplica(chains));
            LogDensity rungs = every.rescaled(scale).tempered(temperature);
            Moved moved = move(keys[0], rungs, state.replicas().over(scale));
            Tensor x = moved.x().times(scale);
            Swaps swaps = new Swaps(every.at(x).toDoubles(), chains);
            swaps.pairs(keys[1].stream());
            Tensor replicas = x.rows(swaps.order);
            State next = new State(scope.keep(replicas.narrow(0, 0, chains).copy()), scope.keep(replicas));
            Tensor rates = Tensors.of(swaps.rates(), rungs() - 1);
            Optional<Tensor> cold = moved.acceptance()
                    .map(all -> scope.keep(all.narrow(0, 0, chains).copy()));
            return new Transition<>(next, new StepInfo(cold, Map.of(StepInfo.SWAPS, scope.keep(rates))));
        }
    }

    private long[] chainOfReplica(int chains) {
        long[] rows = new long[rungs() * chains];
        Arrays.setAll(rows, i -> i % chains);
        return rows;
    }

    private record Moved(Tensor x, Optional<Tensor> acceptance) {}

    /** The inner kernel's steps on all rungs, and its mean acceptance, [rungs · chains]. */
    private Moved move(Key key, LogDensity rungs, Tensor u) {
        S at = kernel.start(rungs, u);
        Optional<Tensor> sum = Optional.empty();
        for (int step = 0; step < steps; step++) {
            Transition<S> next = kernel.step(key.child(step), rungs, at);
            at = next.state();
            Optional<Tensor> accepted = next.info().acceptance();
            sum = sum.isPresent() ? sum.map(total -> total.plus(accepted.orElseThrow())) : accepted;
        }
        return new Moved(at.x(), sum.map(total -> total.over(steps)));
    }

    private Tensor perRow(Tensor replicas, int chains) {
        double[] rows = new double[rungs() * chains];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = temperatures.get(i / chains);
        }
        return Tensors.like(replicas, rows);
    }

    /** Which replica goes where: row i of the next replicas is row order[i] of the present ones. */
    private final class Swaps {
        private final double[] values;
        private final int chains;
        private final long[] order;
        private final double[] accepted = new double[rungs() - 1];

        Swaps(double[] values, int chains) {
            this.values = values;
            this.chains = chains;
            order = new long[values.length];
            Arrays.setAll(order, i -> i);
        }

        void pairs(RandomGenerator random) {
            for (int first = 0; first < 2; first++) {
                for (int rung = first; rung + 1 < rungs(); rung += 2) {
                    double difference = 1 / temperatures.get(rung) - 1 / temperatures.get(rung + 1);
                    for (int chain = 0; chain < chains; chain++) {
                        int cold = rung * chains + chain;
                        int hot = cold + chains;
                        double log = difference * (values[(int) order[hot]] - values[(int) order[cold]]);
                        accepted[rung] += Math.min(1, Math.exp(log));
                        if (Math.log(random.nextDouble()) < log) {
                            long row = order[cold];
                            order[cold] = order[hot];
                            order[hot] = row;
                        }
                    }
                }
            }
        }

        double[] rates() {
            double[] rates = new double[accepted.length];
            Arrays.setAll(rates, i -> accepted[i] / chains);
            return rates;
        }
    }
}
