package dev.kelvin.energy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Components are times t = 0..T−1, uniform: f(z)ₜ = log p(z, t), from a Gaussian reference at t = 0 to the data at t = T−1.
 *
 * <pre>
 * r(z) = log N(z; m, σ²I) − log T,  u = (z − m)/σ
 * f₀(z) = r(z),  fₜ(z) = r(z) + (g₁(u) + … + gₜ(u))/√T          pinned, cumulative: g are the network's T−1 outputs
 * fₜ(z) = r(z) + gₜ(u)                                           without the cumulative sum
 * f₀(z) = r(z) + g₀(u)/√T and so on, with T outputs              not pinned
 * log p(z) = LSE_t fₜ(z),  p(t|z) = softmax_t f(z),  log p(z|t) = fₜ(z) + log T
 * z = αₜx + βₜn,  n ~ N(m, σ²I),  αₜ = t/(T − 1),  βₜ = 1 − αₜ    the positives
 * </pre>
 *
 * <p>As f₀ is known where it is pinned, and training mixes all times, the others come out normalised, without an unknown
 * constant.
 *
 * <p>Source: "Thinking Fourth Dimensionally", sections 3.2 and 3.5. Differs from the paper: there the network has T outputs,
 * of which the first is thrown away, and sees z itself; and the sum is not divided by √T, so that a sum of many outputs
 * starts far from 0 and moves far at every step (on the spiral JointCD's KL is a third higher, CD+CE's about the same).
 *
 * @param mean the reference's mean m; empty for 0
 * @param std its standard deviation σ; a little wider than the data
 */
public record Timeline(int times, List<Double> mean, double std, boolean cumulative, boolean pinned) implements Head {
    public Timeline {
        Check.atLeast("times", times, 2);
        Check.positive("std", std);
        mean = List.copyOf(mean);
    }

    @Override
    public int components() {
        return times;
    }

    @Override
    public int outputs() {
        return pinned ? times - 1 : times;
    }

    /** u = (z − m)/σ. */
    @Override
    public Tensor seen(Tensor z) {
        return (mean.isEmpty() ? z : z.minus(meanLike(z))).over(std);
    }

    @Override
    public Tensor table(Tensor outputs, Tensor u) {
        Tensor reference = reference(u).unsqueeze(1);
        Tensor free = (cumulative ? outputs.cumulativeSum(1).timesInPlace(share()) : outputs).plus(reference);
        return pinned ? Tensors.concat(1, reference, free) : free;
    }

    /** Output s counts wherever t ≥ s. */
    @Override
    public Tensor outputWeights(Tensor weights) {
        Tensor free = pinned ? weights.narrow(1, 1, times - 1) : weights;
        if (!cumulative) {
            return free;
        }
        Tensor total = free.sum(1L).unsqueeze(1);
        return free.plus(total).minus(free.cumulativeSum(1)).timesInPlace(share());
    }

    /** The reference is in every component: its gradient −u counts by the sum of the weights. */
    @Override
    public Tensor inputGradient(Tensor gradient, Tensor u, double total) {
        return gradient.addInPlace(u, -total).timesInPlace(1 / std);
    }

    /** The last time's, log p(z|T−1). */
    @Override
    public double[] data() {
        return at(times - 1);
    }

    /** The log-weights of log p(z|t). */
    public double[] at(int t) {
        return IntStream.range(0, times)
                .mapToDouble(each -> each == t ? Math.log(times) : Double.NEGATIVE_INFINITY)
                .toArray();
    }

    /** The log-weights of log Σ_t p(z|t) w(t), for other weights than the uniform ones of training. */
    public double[] mixed(double... weights) {
        return Arrays.stream(weights).map(weight -> Math.log(weight * times)).toArray();
    }

    /** Steps of so much times the noise: the paper finds 0.4. */
    @Override
    public double[] firstSteps() {
        return IntStream.range(0, times)
                .mapToDouble(t -> Math.max(1 - alpha(t), 1.0 / times))
                .map(noise -> noise * noise)
                .toArray();
    }

    /** αₜ = t/(T − 1), the share of the data; βₜ = 1 − αₜ is the noise's. */
    public double alpha(int t) {
        return t / (times - 1.0);
    }

    /** Uniform times, spread as evenly as their number allows, which takes noise out of the times' normalisers. */
    public long[] drawTimes(Key key, int count) {
        RandomGenerator random = key.stream();
        long[] t = new long[count];
        Arrays.setAll(t, i -> Math.min(times - 1, (long) (times * (i + random.nextDouble()) / count)));
        return t;
    }

    /** z = αₜx + βₜn, n from the reference. */
    public Tensor mix(Key key, Tensor x, long... t) {
        Tensor alpha = byComponent(x, t, this::alpha);
        Tensor noise = Tensors.normalLike(key, std, x);
        Tensor reference = mean.isEmpty() ? noise : noise.plus(meanLike(x));
        return x.times(alpha).plus(reference.minus(reference.times(alpha)));
    }

    /** A number for each row by its component, [n, 1, ...]. */
    public static Tensor byComponent(Tensor like, long[] k, IntToDoubleFunction of) {
        double[] values =
                Arrays.stream(k).mapToInt(Math::toIntExact).mapToDouble(of).toArray();
        return Tensors.like(like, values, like.rowShape());
    }

    /** The reference's mean, [1, ...], to go with samples. */
    private Tensor meanLike(Tensor z) {
        long width = z.count() / Math.max(1, z.size(0));
        if (mean.size() != width) {
            throw new SettingException(
                    "reference.mean", "must have " + width + " numbers, as the data has, found " + mean.size());
        }
        long[] shape = z.shape();
        shape[0] = 1;
        double[] numbers = mean.stream().mapToDouble(Double::doubleValue).toArray();
        return Tensors.like(z, numbers, shape);
    }

    /** What an output counts for in the cumulative sum: its spread at the start is so the same for any T. */
    private double share() {
        return 1 / Math.sqrt(times);
    }

    /** log N(z; m, σ²I) − log T. */
    private Tensor reference(Tensor u) {
        long width = u.count() / Math.max(1, u.size(0));
        double constant = -0.5 * width * (Constants.LOG_2PI + 2 * Math.log(std)) - Math.log(times);
        return u.square().sumPerSample().times(-0.5).plus(constant);
    }

    /** The reference's mean in the first two coordinates, for pictures of the plane. */
    @JsonIgnore
    public double[] centre() {
        return mean.isEmpty() ? new double[2] : new double[] {mean.get(0), mean.get(1)};
    }
}
