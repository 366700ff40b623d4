package dev.kelvin.train;

import dev.kelvin.Check;
import dev.kelvin.Parallel;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.TimeEnergy;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.objective.Loss;
import dev.kelvin.objective.TimeObjective;
import dev.kelvin.sample.DualAveraging;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Learns a {@link TimeEnergy}: paper 003.
 *
 * <p>A step draws a time for each sample of the data and mixes it with noise, z = αₜx + βₜn; chains start there; the
 * objective compares both ends. (α, β) goes linearly from (0, 1) at t = 0 to (1, 0) at T−1.
 *
 * <p>The batch is worked on in two {@link Parallel}, each with a key of its own, and their gradients are averaged.
 *
 * <p>Each time has a step size of its own, that of the kernel times a factor, adapted to an acceptance while training goes
 * on: what lies between two rings of noise is far wider than the data. A row of the batch is stretched by the factor's
 * root, so that one kernel with one step moves them all.
 */
public final class TimeLearner implements Learner {
    /**
     * How chains move: {@code steps} steps of the kernel, whose step size is that at t = 0, each time's factor adapted to the
     * acceptance.
     */
    public record Sampling(Kernel<?> kernel, int steps, double acceptance) {
        public Sampling {
            Check.atLeast("steps", steps, 1);
            Check.within("acceptance", acceptance, 0.01, 0.99);
        }
    }

    private final TimeEnergy model;
    private final TimeObjective objective;
    private final Sampling sampling;
    private final Descent descent;
    private final DualAveraging factors;
    private final Tensor saved; // the factors' state, as it goes into a checkpoint

    /** Takes over the descent, and closes it with itself. */
    public TimeLearner(TimeEnergy model, TimeObjective objective, Sampling sampling, Descent descent) {
        this.model = model;
        this.objective = objective;
        this.sampling = sampling;
        this.descent = descent;
        double[] first = new double[model.times()];
        for (int t = 0; t < first.length; t++) {
            double noise = Math.max(1 - alpha(t), 1.0 / first.length);
            first[t] = noise * noise; // the paper finds steps of .4 times the noise
        }
        factors = new DualAveraging(sampling.acceptance, first);
        try (Scope scope = Scope.open()) {
            saved = Scope.detach(Tensors.zeros(DType.DOUBLE, Device.CPU, 4L * first.length));
        }
    }

    /** αₜ = t/(T − 1), the share of the data; βₜ = 1 − αₜ is the noise's. */
    public double alpha(int t) {
        return t / (model.times() - 1.0);
    }

    @Override
    public StepReport step(Key key, long step, Batch batch) {
        try (Scope scope = Scope.open()) {
            Tensor positives = batch.x();
            int n = (int) positives.size(0);
            List<Part> parts = n < 2
                    ? List.of(part(key.child(0), positives, 0, n))
                    : Parallel.run(half ->
                            part(key.child(half), positives, half == 0 ? 0 : n / 2, half == 0 ? n / 2 : n - n / 2));
            for (Part part : parts) {
                Scope.adopt(part.gradient);
                Scope.adopt(part.z);
            }
            Part all = parts.stream().reduce(Part::plus).orElseThrow();
            Map<String, Double> report = all.report();
            descent.step(all.gradient, step, report);
            model.advance(descent.parameters(), all.z);
            Arrays.stream(all.accepted).average().ifPresent(rate -> report.put(StepReport.ACCEPTANCE, rate));
            adapt(all.t, all.accepted);
            return new StepReport(report);
        }
    }

    /** What came out for some rows of the batch: the loss's gradient, what is told of it, and the positives z. */
    private record Part(Tensor gradient, double loss, Map<String, Double> parts, int[] t, double[] accepted, Tensor z) {
        /** Both parts' rows; the means weigh each part by its rows. */
        Part plus(Part other) {
            double share = (double) t.length / (t.length + other.t.length);
            gradient.timesInPlace(share).addInPlace(other.gradient, 1 - share);
            Map<String, Double> means = new HashMap<>();
            parts.forEach((name, value) ->
                    means.put(name, share * value + (1 - share) * other.parts.getOrDefault(name, Double.NaN)));
            return new Part(
                    gradient,
                    share * loss + (1 - share) * other.loss,
                    means,
                    IntStream.concat(Arrays.stream(t), Arrays.stream(other.t)).toArray(),
                    joined(accepted, other.accepted),
                    Tensors.concat(0, z, other.z));
        }

        private static double[] joined(double[] a, double[] b) {
            double[] both = Arrays.copyOf(a, a.length + b.length);
            System.arraycopy(b, 0, both, a.length, b.length);
            return both;
        }

        Map<String, Double> report() {
            double positive = parts.getOrDefault(TimeObjective.POSITIVE, Double.NaN);
            double negative = parts.getOrDefault(TimeObjective.NEGATIVE, Double.NaN);
            Map<String, Double> values = new LinkedHashMap<>();
            values.put(StepReport.LOSS, loss);
            values.put(
                    TimeObjective.CROSS_ENTROPY_PART, parts.getOrDefault(TimeObjective.CROSS_ENTROPY_PART, Double.NaN));
            values.put(StepReport.GAP, positive - negative);
            values.put(StepReport.POSITIVE, positive);
            values.put(StepReport.NEGATIVE, negative);
            return values;
        }
    }

    private Part part(Key key, Tensor positives, int from, int n) {
        try (Scope scope = Scope.open()) {
            Key[] keys = key.split(4);
            Tensor x = positives.narrow(0, from, n);
            int[] t = times(keys[0], n);
            Tensor z = interpolated(keys[1], x, t);
            Walk walk = walked(keys[2], z, t);
            Tensor both = objective.sampled() ? Tensors.concat(0, z, walk.x()) : z;
            Pullback f = model.jointPullback(descent.parameters(), both);
            double[] values = f.output().toDoubles();
            int split = n * model.times();
            double[] fPositive = Arrays.copyOfRange(values, 0, split);
            double[] fNegative = Arrays.copyOfRange(values, split, values.length);
            int[] drawn = objective == TimeObjective.JOINT_CD ? drawn(keys[3], fNegative) : new int[0];
            Loss loss = objective.of(fPositive, t, fNegative, drawn);
            Tensor weights = Tensors.like(
                    f.output(),
                    Part.joined(loss.positiveGradient(), loss.negativeGradient()),
                    f.output().shape());
            return new Part(
                    Scope.detach(f.gradient().apply(weights)),
                    loss.value(),
                    loss.parts(),
                    t,
                    walk.accepted(),
                    Scope.detach(z));
        }
    }

    /** Uniform, and spread over all times as evenly as n allows, which takes noise out of the times' normalisers. */
    private int[] times(Key key, int n) {
        RandomGenerator random = key.stream();
        int[] t = new int[n];
        Arrays.setAll(t, i -> (int) (model.times() * (i + random.nextDouble()) / n));
        return t;
    }

    /** z = αₜx + βₜn, n from the reference. */
    private Tensor interpolated(Key key, Tensor x, int[] t) {
        Tensor alpha = column(x, t, this::alpha);
        Tensor noise = Tensors.normalLike(key, model.std(), x);
        Tensor reference = model.mean().isEmpty() ? noise : noise.plus(model.meanLike(x));
        return x.times(alpha).plus(reference.minus(reference.times(alpha)));
    }

    /** The chains' ends, in the stretched coordinates' place: z itself where no chains are wanted. */
    private Walk walked(Key key, Tensor z, int[] t) {
        if (!objective.sampled()) {
            return new Walk(z, new double[0], Map.of());
        }
        LogDensity density =
                objective.conditional() ? model.each(descent.parameters(), t) : model.marginal(descent.parameters());
        Tensor stretch = column(z, t, time -> Math.sqrt(factors.stepSize(time)));
        Walk walk = Walk.run(key, sampling.kernel, density.rescaled(stretch), z.over(stretch), sampling.steps);
        return new Walk(walk.x().times(stretch), walk.accepted(), walk.more());
    }

    private static Tensor column(Tensor like, int[] t, IntToDoubleFunction of) {
        long[] shape = new long[(int) like.dim()];
        Arrays.fill(shape, 1);
        shape[0] = t.length;
        double[] values = Arrays.stream(t).mapToDouble(of).toArray();
        return Tensors.like(like, values, shape);
    }

    /** Draws of p(t|z), f in rows of T numbers. */
    private int[] drawn(Key key, double[] f) {
        RandomGenerator random = key.stream();
        double[] shares = f.clone();
        int[] drawn = new int[TimeObjective.shares(shares, model.times()).length];
        for (int i = 0; i < drawn.length; i++) {
            double left = random.nextDouble();
            int time = -1;
            while (left >= 0 && time < model.times() - 1) {
                left -= shares[i * model.times() + ++time];
            }
            drawn[i] = time;
        }
        return drawn;
    }

    private void adapt(int[] t, double[] accepted) {
        double[] sums = new double[model.times()];
        int[] counts = new int[model.times()];
        for (int i = 0; i < accepted.length; i++) {
            sums[t[i]] += accepted[i];
            counts[t[i]]++;
        }
        for (int time = 0; time < sums.length; time++) {
            if (counts[time] > 0) {
                factors.update(time, sums[time] / counts[time]);
            }
        }
    }

    /** What each time's step size has settled at, as a factor on the kernel's. */
    public double[] factors() {
        return factors.settled();
    }

    @Override
    public EnergyModel model() {
        return model;
    }

    @Override
    public Parameters averaged() {
        return descent.averaged();
    }

    @Override
    public void save(State state) {
        descent.save(state);
        try (Scope scope = Scope.open()) {
            saved.copyInPlace(Tensors.of(factors.state()));
        }
        state.put("factors", saved);
    }

    @Override
    public void load(State state) {
        descent.load(state);
        state.restore("factors", saved);
        factors.restore(saved.toDoubles());
    }

    @Override
    public void close() {
        saved.close();
        descent.close();
    }
}
