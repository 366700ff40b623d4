package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.sample.warmup.AdaptiveWarmUp;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Hamiltonian Monte Carlo whose paths have random lengths, in coordinates that a metric has made alike: what {@link
 * AdaptiveWarmUp} tunes. It is exact for exp(f/T). With a path length of 0 each path is one leap, which is preconditioned
 * MALA (h = ε²/2 there).
 *
 * <pre>
 * v ~ N(0, T);  l = ⌈u·length/ε⌉, at least 1, u uniform on [0, 1);  l times: v += ½εLᵀ∇f(x), x += εLv, v += ½εLᵀ∇f(x)
 * accepted with probability min(1, exp((H(start) − H(end))/T)),  H = −f(x) + ½|v|²
 * </pre>
 *
 * <p>u is the same for all chains, so that they leap together in one batch. A length that varies can't meet a period of the
 * density, as a fixed number of leaps does. A share {@code smallSteps} of the paths has as many leaps of ε/4, which by chance
 * becomes ε/16 and so on: chains come so out of places that are too steep for ε, where they would stay for long. v is the velocity in the coordinates y = L⁻¹x, where the density should be
 * about as wide in every direction; the mass in x is (LLᵀ)⁻¹.
 *
 * <p>Source: Hoffman, Radul and Sountsov 2021, section 2. Differs from the paper: u is a pseudo-random number of the step's key, not of a Halton
 * sequence; small steps are ours (Neal 2011, section 5.4.2.2, on random step sizes).
 */
@Doc(
        "Hamiltonian Monte Carlo with paths of random length and a metric, exact for exp(f/T); pathLength 0 is preconditioned MALA")
@Cites({"hoffman2021", "neal2011"})
public record JitteredHmc(
        @Doc("ε, the leapfrog step in coordinates scaled by the metric")
        double stepSize,

        @Doc("the longest path; lengths are uniform between 0 and it") @Default("0")
        double pathLength,

        @Doc(
                "the metric: the scale of each coordinate, or a lower triangular matrix L by rows; all 1 if the list is empty")
        @Default("[]")
        List<Double> scales,

        @Doc("the share of paths that take steps of ε/4, of these as many again of ε/16, and so on to ε/256")
        @Default("0")
        double smallSteps,

        @Doc("T, the temperature") @Default("1") double temperature)
        implements StepSized<Evaluated> {
    /** By how much small steps are smaller, how often at most, and the largest share of them: more would hardly move. */
    private static final double SMALLER = 0.25;

    private static final int MOST_TIMES = 4;
    private static final double MOST_SMALL = 0.5;

    /** Energy errors in units of T from which a path counts as divergent: Stan's bound. */
    public static final double DIVERGENT = 1000;

    /** Where MALA and HMC move furthest for their cost: Roberts and Rosenthal (1998); HMC with Stan's room. */
    private static final double MALA_ACCEPTANCE = 0.574;

    private static final double HMC_ACCEPTANCE = 0.8;

    public JitteredHmc {
        List<Double> numbers = List.copyOf(scales);
        Check.all(
                () -> Check.positive("stepSize", stepSize),
                () -> Check.notNegative("pathLength", pathLength),
                () -> Check.finite("scales", numbers),
                () -> Check.within("smallSteps", smallSteps, 0, MOST_SMALL),
                () -> Check.positive("temperature", temperature));
        scales = numbers;
    }

    /** At T = 1 without a metric. */
    public static JitteredHmc of(double stepSize) {
        return new JitteredHmc(stepSize, 0, List.of(), 0, 1);
    }

    /** ε itself, by which a leap carries a velocity of unit variance. */
    @Override
    public double stepLength() {
        return stepSize;
    }

    @Override
    public JitteredHmc withStepSize(double other) {
        return new JitteredHmc(other, pathLength, scales, smallSteps, temperature);
    }

    /** With another longest path; 0 for one leap each, which is MALA. */
    public JitteredHmc withPathLength(double longest) {
        return new JitteredHmc(stepSize, longest, scales, smallSteps, temperature);
    }

    /** With another share of paths in smaller steps. */
    public JitteredHmc withSmallSteps(double share) {
        return new JitteredHmc(stepSize, pathLength, scales, share, temperature);
    }

    /** How many leaps a path has on average; each takes one gradient. */
    public double meanLeaps() {
        double most = Math.ceil(pathLength / stepSize);
        // l = ceil(u r) with r = length / step: each l below the last has probability 1 / r
        double ratio = pathLength / stepSize;
        return most <= 1 ? 1 : ((most - 1) * most / 2 + most * (ratio - most + 1)) / ratio;
    }

    @Override
    public KernelTraits traits() {
        return KernelTraits.exact(temperature)
                .withMemoryless(true)
                .withBestAcceptance(pathLength <= stepSize ? MALA_ACCEPTANCE : HMC_ACCEPTANCE);
    }

    @Override
    public String words() {
        String kind = pathLength <= stepSize
                ? "MALA"
                : String.format(java.util.Locale.ROOT, "HMC with paths of %.3g leapfrog steps on average", meanLeaps());
        return kind + (scales.isEmpty() ? "" : ", preconditioned,") + " and " + Noise.words(stepSize)
                + Noise.words(traits().temperature());
    }

    @Override
    public void requireFit(long dimensions) {
        Metric.requireFit(scales, dimensions);
    }

    @Override
    public Evaluated start(LogDensity target, Tensor x) {
        return Evaluated.at(target, x);
    }

    @Override
    public Transition<Evaluated> step(Key key, LogDensity target, Evaluated from) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(2);
            return path(keys[0], target, from).choose(scope, keys[1], from);
        }
    }

    /**
     * A proposal: where a path ends, with the velocity there, the log of its acceptance, its leaps and their size, and the mean energy
     * error, each at most {@link #DIVERGENT}, and the share of chains beyond it.
     */
    public record Path(
            Evaluated end, Tensor velocity, double[] log, int leaps, double stepSize, double error, double diverged) {
        /** Accepts or rejects the end of the path. */
        public Transition<Evaluated> choose(Scope scope, Key key, Evaluated from) {
            return from.metropolis(
                    scope,
                    key,
                    end,
                    log,
                    Map.of(
                            StepInfo.ENERGY_ERROR, Tensors.of(new double[] {error}, 1),
                            StepInfo.DIVERGENCES, Tensors.of(new double[] {diverged}, 1)));
        }
    }

    /** One path from each chain's place. */
    public Path path(Key key, LogDensity target, Evaluated from) {
        Key[] keys = key.split(2);
        RandomGenerator random = keys[1].stream();
        int leaps = Math.max(1, (int) Math.ceil(random.nextDouble() * pathLength / stepSize));
        double epsilon = stepSize;
        for (int i = 0; i < MOST_TIMES && random.nextDouble() < smallSteps; i++) {
            epsilon *= SMALLER;
        }
        Tensor velocity = Tensors.normalLike(keys[0], Math.sqrt(temperature), from.x());
        Leapfrog.Phase start = new Leapfrog.Phase(from, velocity);
        Leapfrog.Phase last = new Leapfrog(target, Metric.of(scales, from.x())).run(start, leaps, epsilon);
        double[] log = start.energy();
        double[] after = last.energy();
        double error = 0;
        double diverged = 0;
        for (int i = 0; i < log.length; i++) {
            log[i] = (log[i] - after[i]) / temperature;
            double size = Math.abs(log[i]) <= DIVERGENT ? Math.abs(log[i]) : DIVERGENT; // NaN is beyond it
            error += size / log.length;
            diverged += size < DIVERGENT ? 0 : 1.0 / log.length;
        }
        return new Path(last.at(), last.velocity(), log, leaps, epsilon, error, diverged);
    }
}
