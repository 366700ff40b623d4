package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Replica exchange (parallel tempering): each chain runs at a ladder of temperatures at once, and neighbours on the
 * ladder change places, so that what the hot replicas find reaches the cold one. The answer to modes that no local step
 * connects; exact for exp(f) if the inner kernel is.
 *
 * <p>One step: {@code steps} steps of the inner kernel on every rung, then a swap of rungs (0, 1), (2, 3), … and then of
 * (1, 2), (3, 4), …, each accepted with probability min(1, exp((1/Tᵢ − 1/Tⱼ)(f(xⱼ) − f(xᵢ)))).
 *
 * <p>The inner kernel moves rung i in u = x/√Tᵢ on f(√Tᵢ u)/Tᵢ: with {@link Mala} of step size h that is x + h∇f(x) +
 * √(2hTᵢ)ξ at temperature Tᵢ, so hot replicas take longer steps; limits on the gradient and on the coordinates are
 * those of x on every rung. The temperatures are 1, …, hottest, each the same factor above the one before, or a {@code
 * ladder} that is given. All rungs go through the network in one batch.
 *
 * <p>Sources: Swendsen and Wang (1986); Geyer (1991); the even-odd order after Okabe et al. (2001).
 */
@Doc(
        "replica exchange (parallel tempering): chains at several temperatures that are swapped; as exact as the inner kernel")
@Cites({"swendsen1986", "geyer1991", "okabe2001"})
public record ReplicaExchange(
        @Doc("the kernel that moves each replica") Kernel<?> inner,

        @Doc("temperatures, in equal ratios from 1 to the hottest") @Default("6")
        int rungs,

        @Doc("the hottest temperature") @Default("30") double hottest,

        @Doc("steps between two exchanges") @Default("5") int steps,

        @Doc("the temperatures themselves, rising from 1, in place of those of rungs and hottest") @Default("[]")
        List<Double> ladder)
        implements Kernel<ReplicaExchange.State> {
    private static final double LEAST_REFUSED = 1e-3;

    /** The cold replicas [chains, ...], and those of every rung, the cold ones first: [rungs · chains, ...]. */
    public record State(Tensor x, Tensor replicas) implements ChainState {
        @Override
        public List<Tensor> tensors() {
            return List.of(x, replicas);
        }
    }

    public ReplicaExchange {
        List<Double> given = List.copyOf(ladder);
        int count = rungs;
        double highest = hottest;
        Check.all(
                () -> checkInner(inner),
                () -> Check.atLeast("rungs", count, 2),
                () -> Check.require(highest > 1 && Double.isFinite(highest), "hottest", "must be above 1"),
                () -> Check.atLeast("steps", steps, 1),
                () -> checkLadder(given));
        ladder = given;
        rungs = given.isEmpty() ? rungs : given.size();
        hottest = given.isEmpty() ? hottest : given.get(given.size() - 1);
    }

    /** With temperatures in equal ratios. */
    public ReplicaExchange(Kernel<?> inner, int rungs, double hottest, int steps) {
        this(inner, rungs, hottest, steps, List.of());
    }

    private static void checkLadder(List<Double> given) {
        Check.finite("ladder", given);
        boolean rises = given.isEmpty() || (given.size() > 1 && given.get(0) == 1);
        for (int i = 1; i < given.size(); i++) {
            rises &= given.get(i) > given.get(i - 1);
        }
        Check.require(rises, "ladder", "must have two temperatures or more that rise from 1; found " + given);
    }

    /** A recipe that names no kernel that can be read shows its other mistakes first, with none here. */
    private static void checkInner(@Nullable Kernel<?> inner) {
        if (inner == null) {
            return;
        }
        Check.require(
                inner.traits().independent(),
                "inner",
                "must move each chain as if it were alone; this one looks at all of them: " + inner.words());
        Check.require(
                inner.traits().memoryless(),
                "inner",
                "must be a kernel that can start anew after each exchange, as langevin, mala and hmc can; this one depends"
                        + " on its past: " + inner.words());
        Check.require(
                inner.traits().temperature().orElse(0) == 1,
                "inner",
                "must sample at temperature 1; the rungs heat it");
    }

    /** Six temperatures up to 30, five steps between exchanges. */
    public static ReplicaExchange of(Kernel<?> inner) {
        return new ReplicaExchange(inner, 6, 30, 5);
    }

    /**
     * With as many temperatures up to the same hottest one, so placed that neighbours would refuse to change places equally
     * often: the sums of 1 − rate along 1/T, straight between the present temperatures, are cut into equal parts.
     * Source: Syed et al. 2022, section 5.1.
     *
     * @param rates how often neighbours changed places
     */
    public ReplicaExchange tuned(double... rates) {
        double[] inverse = inverseTemperatures();
        double[] refused = new double[rungs];
        for (int i = 1; i < rungs; i++) {
            // a little more than nothing, so that the sums rise
            refused[i] = refused[i - 1] + Math.max(LEAST_REFUSED, 1 - rates[i - 1]);
        }
        List<Double> placed = new ArrayList<>(temperatures());
        Ladder sums = new Ladder(refused);
        for (int i = 1; i < rungs - 1; i++) {
            placed.set(i, 1 / sums.between(inverse, refused[rungs - 1] * i / (rungs - 1)));
        }
        return new ReplicaExchange(inner, rungs, hottest, steps, placed);
    }

    /** The temperatures from 1 to the hottest. */
    public List<Double> temperatures() {
        return ladder.isEmpty()
                ? IntStream.range(0, rungs)
                        .mapToObj(i -> Math.pow(hottest, i / (rungs - 1.0)))
                        .toList()
                : ladder;
    }

    @Override
    public KernelTraits traits() {
        return inner.traits().adjusted() ? KernelTraits.exact(1) : KernelTraits.unadjusted(OptionalDouble.of(1));
    }

    @Override
    public String words() {
        return "replica exchange over " + rungs + " temperatures up to " + Words.number(hottest) + ", inside it "
                + inner.words();
    }

    @Override
    public void requireFit(long dimensions) {
        Check.part("inner." + Catalogue.name(inner.getClass()), () -> inner.requireFit(dimensions));
    }

    /** Every rung starts where the cold one does. */
    @Override
    public State start(LogDensity target, Tensor x) {
        Tensor[] copies = new Tensor[rungs];
        Arrays.fill(copies, x);
        return new State(x, Tensors.concat(0, copies));
    }

    @Override
    public Transition<State> step(Key key, LogDensity target, State state) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            int chains = Math.toIntExact(state.x().size(0));
            Tensor temperature = perRow(state.replicas(), chains);
            Tensor scale = temperature.sqrt().reshape(state.replicas().rowShape());
            LogDensity every = target.rows(LongStream.range(0, (long) rungs * chains)
                    .map(i -> i % chains)
                    .toArray());
            LogDensity ladder = every.rescaled(scale).tempered(temperature);
            Transition<?> moved = move(keys[0], inner, ladder, state.replicas().over(scale));
            Tensor x = moved.state().x().times(scale);
            Swaps swaps = Swaps.of(keys[1], every.at(x).toDoubles(), inverseTemperatures());
            Tensor replicas = x.rows(swaps.order());
            State next = new State(scope.keep(replicas.narrow(0, 0, chains).copy()), scope.keep(replicas));
            Tensor rates = Tensors.of(swaps.rates(), rungs - 1);
            Optional<Tensor> cold = moved.info()
                    .acceptance()
                    .map(all -> scope.keep(all.narrow(0, 0, chains).copy()));
            return new Transition<>(next, new StepInfo(cold, Map.of(StepInfo.SWAPS, scope.keep(rates))));
        }
    }

    private double[] inverseTemperatures() {
        return temperatures().stream().mapToDouble(t -> 1 / t).toArray();
    }

    /** The inner kernel's steps on all rungs, and its mean acceptance, [rungs · chains]. */
    private <S extends ChainState> Transition<S> move(Key key, Kernel<S> kernel, LogDensity ladder, Tensor u) {
        S at = kernel.start(ladder, u);
        Optional<Tensor> sum = Optional.empty();
        for (int step = 0; step < steps; step++) {
            Transition<S> next = kernel.step(key.child(step), ladder, at);
            at = next.state();
            Optional<Tensor> accepted = next.info().acceptance();
            sum = sum.isPresent() ? sum.map(total -> total.plus(accepted.orElseThrow())) : accepted;
        }
        return new Transition<>(at, new StepInfo(sum.map(total -> total.over(steps)), Map.of()));
    }

    private Tensor perRow(Tensor replicas, int chains) {
        List<Double> temperatures = temperatures();
        double[] rows = new double[rungs * chains];
        Arrays.setAll(rows, i -> temperatures.get(i / chains));
        return Tensors.like(replicas, rows);
    }
}
