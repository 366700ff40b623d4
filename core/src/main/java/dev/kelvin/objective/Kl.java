package dev.kelvin.objective;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.ChainRequest;
import dev.kelvin.negative.DifferentiableTail;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Named;
import dev.kelvin.part.Words;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The term of the gradient of contrastive divergence that is usually left out, KL(q‖p) of the chains' ends q by how they
 * depend on the parameters: it trains f to be easy to sample. Choose it where chains from noise do not reach the data.
 *
 * <p>weight·mean E(x′) − entropy·mean log d(x′), E = −f. x′ is where a chain's last {@code steps} moves end, taken again with
 * the graph kept, from where the chain stood and with its own noise and limits; of the outer E the parameters are held fixed,
 * so that the gradient flows through the sampler alone. d is the distance in L2 from x′ to the nearest of some samples of the
 * replay buffer as it was before this step, an estimate of the entropy of q up to constants.
 *
 * <p>E is that of the components that the objective compares: −f(x)_k where each is compared alone, otherwise −LSE_k f(x)_k.
 * It is −f, not −f/T, and −f where chains run on (1 − β)f, as the source has it.
 *
 * <p>Source: Du et al. 2021, equations 7 to 9, and the public code: one move, weight 1, and an entropy of weight 0.3 to the
 * nearest of 100 samples. Differs from the public code: a buffer here is full from the start, so that its age is counted in
 * chains' ends; its samples are not augmented here.
 */
@Doc("improved contrastive divergence's KL term: the energy of chains' ends by how these depend on the parameters")
@Named("kl")
@Cites("du2021")
public record Kl(
        @Doc("its weight") @Default("1") double weight,

        @Doc("the number of a chain's last steps that the gradient is backpropagated through") @Default("1")
        int steps,

        @Doc(
                value = "the entropy of the samples, by their distance to a replay buffer's",
                otherwise = "no entropy term")
        Optional<Entropy> entropy)
        implements Term {
    /** The nearest-neighbour estimate of the samples' entropy. */
    @Doc("the entropy of the samples, by the distance to the nearest of some samples of the replay buffer")
    public record Entropy(
            @Doc("its weight") @Default("0.3") double weight,

            @Doc("the number of samples of the replay buffer to compare with") @Default("100")
            int neighbours,

            @Doc("the number of samples that the buffer must have received before") @Default("1000")
            int after) {
        public Entropy {
            Check.all(
                    () -> Check.notNegative("weight", weight),
                    () -> Check.atLeast("neighbours", neighbours, 1),
                    () -> Check.atLeast("after", after, 0));
        }
    }

    /** Distances below this count as this: a sample that is in the buffer is at 0, whose logarithm is no number. */
    private static final double NEAREST = 1e-6;

    private static final String FIGURE = "kl_term"; // "kl" is how far the model is from the data
    private static final String DISTANCE = "neighbour_log_distance";

    public Kl {
        Check.all(() -> Check.notNegative("weight", weight), () -> Check.atLeast("steps", steps, 1));
    }

    private double entropyWeight() {
        return entropy.map(Entropy::weight).orElse(0.0);
    }

    @Override
    public boolean off() {
        return weight == 0 && entropyWeight() == 0;
    }

    @Override
    public ChainRequest wanted() {
        return new ChainRequest(steps, entropyWeight() > 0 ? entropy.orElseThrow().neighbours : 0);
    }

    @Override
    public String figure() {
        return FIGURE;
    }

    /** A part's share of the sums, its gradient outside of any scope. */
    private record Share(double energy, double logDistance, Tensor gradient) {}

    @Override
    public Value of(Key key, EnergyModel model, Parameters parameters, Batch positives, DrawnNegatives negatives) {
        DifferentiableTail last = negatives
                .last()
                .orElseThrow(() -> new IllegalArgumentException("the negatives come without their chains' last moves"));
        int count = negatives.k().length;
        Optional<Tensor> others = last.ends() < entropy.map(Entropy::after).orElse(0)
                ? Optional.empty()
                : last.buffered().filter(samples -> entropyWeight() > 0);
        List<ChainRun.Part> parts = last.parts();
        List<Share> shares = parts.size() == 1
                ? List.of(share(last, parts.get(0), parameters, others, count))
                : Parallel.halves(half -> share(last, parts.get(half), parameters, others, count));
        shares.forEach(share -> Scope.adopt(share.gradient));
        Tensor gradient = shares.get(0).gradient;
        shares.stream().skip(1).forEach(share -> gradient.addInPlace(share.gradient));
        double energy = shares.stream().mapToDouble(Share::energy).sum() / count;
        double distance = shares.stream().mapToDouble(Share::logDistance).sum() / count;
        return new Value(
                weight * energy - entropyWeight() * distance,
                gradient,
                others.isPresent() ? Map.of(DISTANCE, distance) : Map.of());
    }

    private Share share(
            DifferentiableTail last, ChainRun.Part part, Parameters parameters, Optional<Tensor> others, int count) {
        try (Scope scope = Scope.open()) {
            Pullback moved = last.taken(part, parameters, steps);
            Tensor x = moved.output();
            ValueAndGradient f = last.density(part, parameters).valueAndGradient(x);
            Tensor back = f.gradient().times(-weight / count); // of weight·mean E with respect to x′
            double distance = others.map(samples -> {
                        Tensor away = x.minus(nearest(x, samples));
                        Tensor square = away.square().sumPerSample().clamp(NEAREST * NEAREST, Double.POSITIVE_INFINITY);
                        back.addInPlace(
                                away.over(square.reshape(x.rowShape())),
                                -entropyWeight() / count); // ∇log d = (x′ − s)/d²
                        return 0.5 * square.log().sum().item();
                    })
                    .orElse(0.0);
            return new Share(
                    -f.value().sum().item(),
                    distance,
                    Scope.detach(moved.gradient().apply(back)));
        }
    }

    /** Of each row of x the nearest sample, [n, ...]. */
    private static Tensor nearest(Tensor x, Tensor samples) {
        int count = (int) samples.size(0);
        double[] distances =
                x.flattenSamples().distances(samples.flattenSamples()).toDoubles();
        long[] rows = new long[(int) x.size(0)];
        for (int i = 0; i < rows.length; i++) {
            int least = 0;
            for (int j = 1; j < count; j++) {
                if (distances[i * count + j] < distances[i * count + least]) {
                    least = j;
                }
            }
            rows[i] = least;
        }
        return samples.rows(rows);
    }

    @Override
    public String words() {
        return "the KL term of weight " + Words.number(weight) + ", whose gradient flows through the chains' last "
                + (steps == 1 ? "move" : steps + " moves")
                + entropy.filter(each -> each.weight > 0)
                        .map(each -> ", with the samples' entropy of weight " + Words.number(each.weight)
                                + " by the nearest of " + each.neighbours + " samples of the replay buffer")
                        .orElse("");
    }
}
