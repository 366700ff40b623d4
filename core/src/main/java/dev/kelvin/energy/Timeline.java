package dev.kelvin.energy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
 * fₜ(z) = (g₁(u) + … + gₜ(u))/√T for t ≥ 1                       base: first; base: none has no r(z) anywhere
 * log p(z) = LSE_t fₜ(z),  p(t|z) = softmax_t f(z),  log p(z|t) = fₜ(z) + log T
 * z = αₜx + βₜn,  n ~ N(m, σ²I)                                  the positives; αₜ and βₜ by the {@link Mixing}
 * </pre>
 *
 * <p>As f₀ is known where it is pinned, and training mixes all times, the others come out normalised, without an unknown
 * constant.
 *
 * <p>Source: "Thinking Fourth Dimensionally", sections 3.2 and 3.5. Its head is {@code base: first, scaled: false}: only the
 * first of its outputs is log p_n, and the sum is not divided by √T.
 *
 * <p>Differs from the paper: there the network has T outputs, of which the first is thrown away, and sees z itself; r has −log T,
 * which makes log p(z, t) of log p(z|t). By default r is in every output, so that the network learns ratios to the
 * reference, and the sum is divided by √T: one of many outputs starts far from 0 and moves far at every step (on the spiral
 * JointCD's KL is a third higher, CD+CE's about the same).
 *
 * @param mean the reference's mean m; empty for 0
 * @param std its standard deviation σ; a little wider than the data
 * @param scaled whether the cumulative sum is divided by √T
 * @param base which outputs r(z) is added to
 * @param pinned whether f₀ = r, without an output of the network
 */
public record Timeline(
        int times,
        List<Double> mean,
        double std,
        boolean cumulative,
        boolean scaled,
        Base base,
        boolean pinned,
        Mixing mixing)
        implements Head {
    private static final Set<String> SAVED =
            Set.of("times", "mean", "std", "cumulative", "scaled", "base", "pinned", "mixing");

    /** Which times' outputs have the reference's log-density added. */
    public enum Base {
        /** All of them: the network learns each time's ratio to the reference. */
        EVERY,
        /** The first alone, which is pinned to it, as in the paper. */
        FIRST,
        /** None: the network's outputs are log p(z, t) themselves, up to a constant. */
        NONE
    }

    /** αₜ and βₜ of z = αₜx + βₜn, from (0, 1) at the first time to (1, 0) at the last; s = t/(T − 1). */
    public enum Mixing {
        /** αₜ = s, βₜ = 1 − s, as in the paper. */
        LINEAR,
        /** αₜ = sin(πs/2), βₜ = cos(πs/2): α² + β² = 1, so that data as wide as the reference keep their variance. */
        COSINE,
        /** βₜ falls from 1 to 1/(T − 1) at the last time but one by one factor, αₜ = 1 − βₜ: more times with little noise. */
        GEOMETRIC
    }

    public Timeline {
        Check.atLeast("times", times, 2);
        Check.positive("std", std);
        requireForm(cumulative, scaled, base, pinned);
        mean = List.copyOf(mean);
    }

    /** With the reference in every output, the sum divided by √T and noise that falls linearly. */
    public Timeline(int times, List<Double> mean, double std, boolean cumulative, boolean pinned) {
        this(times, mean, std, cumulative, true, Base.EVERY, pinned, Mixing.LINEAR);
    }

    /** Reads what was saved, also before there were {@code scaled}, {@code base} and {@code mixing}. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Timeline read(Map<String, Object> saved) {
        saved.keySet().stream()
                .filter(name -> !SAVED.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException("a timeline has no setting '" + name + "'");
                });
        return new Timeline(
                value(saved, "times", Number.class).intValue(),
                ((List<?>) value(saved, "mean", List.class))
                        .stream().map(each -> ((Number) each).doubleValue()).toList(),
                value(saved, "std", Number.class).doubleValue(),
                value(saved, "cumulative", Boolean.class),
                !saved.containsKey("scaled") || value(saved, "scaled", Boolean.class),
                saved.containsKey("base") ? Base.valueOf(value(saved, "base", String.class)) : Base.EVERY,
                value(saved, "pinned", Boolean.class),
                saved.containsKey("mixing") ? Mixing.valueOf(value(saved, "mixing", String.class)) : Mixing.LINEAR);
    }

    private static <V> V value(Map<String, Object> saved, String name, Class<V> type) {
        if (!type.isInstance(saved.get(name))) {
            throw new IllegalArgumentException("a timeline's " + name + " must be a "
                    + type.getSimpleName().toLowerCase(Locale.ROOT) + ", found " + saved.get(name));
        }
        return type.cast(saved.get(name));
    }

    /** Refuses settings that contradict each other, by the name of the one to change. */
    public static void requireForm(boolean cumulative, boolean scaled, Base base, boolean pinned) {
        Check.all(
                () -> Check.require(
                        cumulative || scaled,
                        "scaled",
                        "is about the cumulative sum, and there is none (cumulative: false): leave it out"),
                () -> Check.require(
                        base != Base.FIRST || pinned,
                        "base",
                        "cannot be first where the first time is not pinned: say 'base: none', or pin it (pinned: true)"),
                () -> Check.require(
                        base != Base.NONE || !pinned,
                        "base",
                        "cannot be none where the first time is pinned to the reference: say 'base: first', or 'pinned: false'"));
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
        Tensor sums = cumulative ? summed(outputs) : outputs;
        if (base == Base.NONE) {
            return sums;
        }
        Tensor reference = reference(u).unsqueeze(1);
        Tensor free = base == Base.EVERY ? sums.plus(reference) : sums;
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
        Tensor later = free.plus(total).minus(free.cumulativeSum(1));
        return scaled ? later.timesInPlace(share()) : later;
    }

    /** The reference's gradient −u counts by the weights of the components that it is in. */
    @Override
    public Tensor inputGradient(Tensor gradient, Tensor u, Tensor weights, double total) {
        Tensor whole = switch (base) {
            case EVERY -> gradient.addInPlace(u, -total);
            case FIRST -> gradient.minus(u.times(weights.select(1, 0).reshape(u.rowShape())));
            case NONE -> gradient;
        };
        return whole.timesInPlace(1 / std);
    }

    private Tensor summed(Tensor outputs) {
        Tensor sums = outputs.cumulativeSum(1);
        return scaled ? sums.timesInPlace(share()) : sums;
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
        return IntStream.range(0, Memory.array(Double.BYTES, times))
                .mapToDouble(t -> Math.max(beta(t), 1.0 / times))
                .map(noise -> noise * noise)
                .toArray();
    }

    /** αₜ, the factor on the data. */
    public double alpha(int t) {
        return switch (mixing) {
            case LINEAR -> t / (times - 1.0);
            case COSINE -> Math.sin(Math.PI / 2 * t / (times - 1));
            case GEOMETRIC -> 1 - beta(t);
        };
    }

    /** βₜ, the factor on the reference's noise. */
    public double beta(int t) {
        if (t == times - 1) {
            return 0;
        }
        return switch (mixing) {
            case LINEAR -> 1 - alpha(t);
            case COSINE -> Math.cos(Math.PI / 2 * t / (times - 1));
            case GEOMETRIC -> t == 0 ? 1 : Math.pow(times - 1.0, -(double) t / (times - 2));
        };
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
        Tensor rest = mixing == Mixing.LINEAR
                ? reference.minus(reference.times(alpha))
                : reference.times(byComponent(x, t, this::beta));
        return x.times(alpha).plus(rest);
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
