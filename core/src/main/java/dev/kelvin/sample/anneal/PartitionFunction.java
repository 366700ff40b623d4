package dev.kelvin.sample.anneal;

import dev.kelvin.energy.Affine;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.math.CholeskyFactor;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Ladder;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * log Z = log ∫ exp f of a density of points, by annealed importance sampling between a Gaussian and the model, forwards and
 * backwards, on a path that is made finer until the two bounds meet or the work is done.
 *
 * <p>All in coordinates u in which the Gaussian is N(0, I): x = m + Lu, Σ = LLᵀ, so that one step size suits all. A pilot finds
 * step sizes along the path and where log-weights vary; each round doubles the number of densities, places them by what the
 * round before found (equal shares of ∫ std d dt, {@link Ladder#placed}), and goes both ways with steps that are fixed, so that
 * both inequalities hold:
 *
 * <pre>E log w ≤ log Z ≤ −E log v,  bounds less and plus three standard errors;  estimate: Bennett's acceptance ratio of both</pre>
 *
 * <p>The upper bound needs backward chains that are samples of the model. Give such as know where the data are, as training's
 * chains or the data do: {@code samples} are moved on by MALA first. Without any, the forward chains' ends are taken, resampled
 * by their weights: sound as long as the forward chains find every mode, and blind, as the lower bound is, to a mode that they
 * never find.
 *
 * <p>Work is counted in evaluations of ∇f at a row, never in seconds: the same key gives the same numbers.
 *
 * <p>Sources: Neal 2001; Grosse, Ghahramani and Adams 2015; Bennett 1976.
 *
 * @param estimate of log Z
 * @param lower below log Z 999 times of 1000
 * @param upper above it as often, if the backward chains are the model's
 * @param effective the effective sample size of the forward weights
 */
public record PartitionFunction(double estimate, double lower, double upper, double effective) {
    private static final double KNOWN = 0.5;
    private static final double ROUGHLY = 2;

    private static final int PILOT = 40;
    private static final double PILOT_POWER = 4;
    private static final int FIRST_ROUND = 64;

    /** Moves by which samples are brought to the model before they go backwards. */
    private static final int SETTLING = 50;

    private static final int BISECTIONS = 100;

    /** What is known of log Z. */
    public enum Verdict {
        /** To half a nat. */
        KNOWN,
        /** To two nats. */
        ROUGHLY_KNOWN,
        /** The bounds lie further apart, or contradict each other: any number would be a guess. */
        NOT_KNOWN
    }

    /**
     * How well, and at what price.
     *
     * @param tolerance the gap between the bounds that is aimed at, in nats
     * @param chains in each direction
     * @param work the most evaluations of ∇f at a row
     */
    public record Settings(double tolerance, int chains, long work) {
        /** To a tenth of a nat, or the best of two million evaluations. */
        public static final Settings USUAL = new Settings(0.1, 500, 2_000_000);

        public Settings {
            Check.all(
                    () -> Check.positive("tolerance", tolerance),
                    () -> Check.atLeast("chains", chains, 10),
                    () -> Check.atLeast("work", work, 1));
        }
    }

    /** upper − lower. */
    public double gap() {
        return upper - lower;
    }

    /** What may be said of it. */
    public Verdict verdict() {
        return verdict(gap());
    }

    /** What may be said of bounds so far apart. */
    public static Verdict verdict(double gap) {
        return gap >= 0 && gap <= KNOWN
                ? Verdict.KNOWN
                : gap > -KNOWN && gap <= ROUGHLY ? Verdict.ROUGHLY_KNOWN : Verdict.NOT_KNOWN;
    }

    /**
     * log ∫ exp f with its bounds.
     *
     * @param base a Gaussian near the model: its base measure, or one with the data's moments
     * @param samples [n, d], of the model as well as they can be had
     */
    public static PartitionFunction of(
            Key key, LogDensity f, Gaussian base, Optional<Tensor> samples, Settings settings, Device device) {
        Key[] keys = key.split(4);
        int chains = settings.chains;
        try (Scope scope = Scope.open()) {
            Standardised in = Standardised.of(f, base, device);
            Ladder ladder = Ladder.of(PILOT, PILOT_POWER);
            BridgeRun before = BridgeRun.adapting(keys[0].child(0), in.f, ladder, in.draws(keys[0].child(1), chains));
            Tensor ends =
                    samples.map(given -> in.standard(repeated(given, chains))).orElse(before.resampled(keys[1]));
            double last = Math.exp(before.logSteps()[PILOT]);
            ends = BridgeRun.settled(keys[1].child(0), in.f, last, ends, SETTLING);
            long work = (long) chains * (PILOT + SETTLING);
            PartitionFunction found;
            int densities = FIRST_ROUND;
            do {
                Ladder finer = ladder.refined(densities, before.deviations());
                List<BridgeRun> both = bothWays(keys[2].child(densities), in, finer, ladder, before.logSteps(), ends);
                work += 2L * chains * densities;
                found = of(both.get(0), both.get(1), in.constant);
                ladder = finer;
                before = both.get(0).beside(both.get(1));
                densities *= 2;
            } while (found.gap() > settings.tolerance && work + 2L * chains * densities <= settings.work);
            return found;
        }
    }

    /**
     * An estimate of log Z in a moment, for the score of a checkpoint: one run forwards with steps that follow the acceptance;
     * too low rather than too high.
     */
    public static AnnealedImportance quick(
            Key key, LogDensity f, Gaussian base, int chains, int densities, Device device) {
        try (Scope scope = Scope.open()) {
            Standardised in = Standardised.of(f, base, device);
            BridgeRun run = BridgeRun.adapting(
                    key.child(0), in.f, Ladder.of(densities, PILOT_POWER), in.draws(key.child(1), chains));
            return new AnnealedImportance(Arrays.stream(run.logWeights())
                    .map(log -> log + in.constant)
                    .toArray());
        }
    }

    /** Both directions, each on a thread of its own where the processor does the work. */
    private static List<BridgeRun> bothWays(
            Key key, Standardised in, Ladder ladder, Ladder known, double[] logSteps, Tensor ends) {
        DoubleUnaryOperator steps = t -> known.between(logSteps, t);
        IntFunction<BridgeRun> way = back -> {
            try (Scope scope = Scope.open()) {
                Tensor start = back == 1 ? ends : in.draws(key.child(2), (int) ends.size(0));
                BridgeRun run = BridgeRun.run(key.child(back), in.f, ladder, steps, start, back == 0);
                Scope.detach(run.u());
                return run;
            }
        };
        List<BridgeRun> both = ends.device().cuda() ? List.of(way.apply(0), way.apply(1)) : Parallel.halves(way);
        both.forEach(run -> run.u().close()); // where they ended is not needed any more
        return both;
    }

    private static PartitionFunction of(BridgeRun forwards, BridgeRun backwards, double constant) {
        AnnealedImportance there = new AnnealedImportance(forwards.logWeights());
        AnnealedImportance back = new AnnealedImportance(backwards.logWeights());
        return new PartitionFunction(
                constant + bennett(forwards.logWeights(), backwards.logWeights()),
                constant + there.lowerBound(),
                constant - back.lowerBound(),
                there.effectiveSampleSize());
    }

    /** C with Σ 1/(1 + exp(C − log w)) = Σ 1/(1 + exp(−C − log v)), as many of each: the left side falls with C. */
    static double bennett(double[] forwards, double[] backwards) {
        double low = Math.min(
                Arrays.stream(forwards).min().orElse(0),
                -Arrays.stream(backwards).max().orElse(0));
        double high = Math.max(
                Arrays.stream(forwards).max().orElse(0),
                -Arrays.stream(backwards).min().orElse(0));
        for (int i = 0; i < BISECTIONS; i++) {
            double c = (low + high) / 2;
            double left = Arrays.stream(forwards)
                    .map(log -> 1 / (1 + Math.exp(c - log)))
                    .sum();
            double right = Arrays.stream(backwards)
                    .map(log -> 1 / (1 + Math.exp(-c - log)))
                    .sum();
            if (left > right) {
                low = c;
            } else {
                high = c;
            }
        }
        return (low + high) / 2;
    }

    private static Tensor repeated(Tensor samples, int count) {
        Check.atLeast("samples", samples.size(0), 1);
        long n = samples.size(0);
        return samples.rows(LongStream.range(0, count).map(i -> i % n).toArray());
    }

    /**
     * The density in coordinates u in which the Gaussian is N(0, I), x = m + uLᵀ.
     *
     * @param constant log Z less the logarithm of the ratio of exp f's integral over u to that of exp(−½‖u‖²)
     */
    private record Standardised(Affine f, Tensor whitening, double constant, int size) {
        static Standardised of(LogDensity f, Gaussian base, Device device) {
            CholeskyFactor cholesky = CholeskyFactor.of(base.covariance());
            int d = cholesky.lower().length;
            Tensor mean = Tensors.of(base.mean(), 1, d);
            Tensor factor = matrix(cholesky.lower()).transpose().contiguous();
            Affine standard = new Affine(
                    f, mean.to(DType.FLOAT).to(device), factor.to(DType.FLOAT).to(device));
            Tensor whitening = matrix(cholesky.halves()).to(DType.FLOAT).to(device);
            // log det L and the Gaussian's (d/2) log 2pi are both in its normaliser
            return new Standardised(standard, whitening, base.logNormaliser(), d);
        }

        private static Tensor matrix(double[][] rows) {
            return Tensors.of(
                    Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray(), rows.length, rows.length);
        }

        Tensor draws(Key key, int count) {
            return Tensors.normal(key, DType.FLOAT, whitening.device(), count, size);
        }

        Tensor standard(Tensor x) {
            return x.to(whitening.device()).minus(f.offset()).matmul(whitening);
        }
    }
}
