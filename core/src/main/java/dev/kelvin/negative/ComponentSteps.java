package dev.kelvin.negative;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Timeline;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.warmup.DualAveraging;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/**
 * A step size for each component, that of the kernel times a factor, adapted to a target acceptance rate during training: noise
 * levels and classes differ in scale. A row of the batch is stretched by its factor's root, so that one kernel with one step
 * moves them all.
 */
public final class ComponentSteps implements AutoCloseable {
    /** The setting. */
    @Doc("step sizes, one for each class or time, adapted to a target acceptance rate during training")
    public record Adapt(
            @Doc("the target acceptance rate") @Default("0.6")
            double acceptance) {
        public Adapt {
            Check.within("acceptance", acceptance, 0.01, 0.99);
        }
    }

    private final DualAveraging factors;
    private final int components;
    private final Tensor saved; // their state, as it goes into a checkpoint
    private final boolean shared;
    private double[] found =
            new double[0]; // of each component the sum of the acceptances, then of each how many there were

    /** One factor for each component, from these on. */
    public ComponentSteps(Adapt settings, double... first) {
        this(settings, false, first);
    }

    private ComponentSteps(Adapt settings, boolean shared, double... first) {
        this.shared = shared;
        factors = new DualAveraging(settings.acceptance, first);
        components = first.length;
        try (Scope scope = Scope.open()) {
            saved = Scope.detach(Tensors.zeros(DType.DOUBLE, Device.CPU, 4L * first.length));
        }
    }

    /** Those that several shards have in common: they are adapted when all have walked, by {@link #settle}. */
    public static ComponentSteps shared(Adapt settings, double... first) {
        return new ComponentSteps(settings, true, first);
    }

    /** Moves chains of these components, each at its component's step size, and takes in how often they were accepted. */
    ChainRun adapt(Key key, Kernel<?> kernel, NegativeSource.Target target, Tensor x, long[] k, int steps) {
        Tensor stretch = Timeline.byComponent(x, k, c -> Math.sqrt(factors.stepSize(c)));
        ChainRun walk = target.walk(key, kernel, x, k, ChainRun.Course.of(steps).stretched(stretch));
        double[] sums = new double[2 * components];
        for (int i = 0; i < walk.accepted().length; i++) {
            sums[(int) k[i]] += walk.accepted()[i];
            sums[components + (int) k[i]]++;
        }
        found = sums;
        if (!shared) {
            settle(sums);
        }
        return walk;
    }

    /** What the last walk found: of each component the sum of its acceptances, then of each how many there were. */
    double[] found() {
        return found.clone();
    }

    /** Takes in what was found, of one walk or added up. */
    void settle(double... sums) {
        for (int component = 0; component < components; component++) {
            double count = sums[components + component];
            if (count > 0) {
                factors.update(component, sums[component] / count);
            }
        }
    }

    /** Moves chains of these components at the step sizes that have settled. */
    public ChainRun settled(Key key, Kernel<?> kernel, LogDensity target, Tensor x, long[] k, int steps) {
        NegativeSource.Target any = components -> target;
        return any.walk(key, kernel, x, k, ChainRun.Course.of(steps).stretched(stretch(x, k)));
    }

    /** By how much rows of these components are stretched at the step sizes that have settled, [n, 1, ...]. */
    public Tensor stretch(Tensor x, long... k) {
        return Timeline.byComponent(x, k, c -> Math.sqrt(factors.settled(c)));
    }

    /** What each component's step size has settled at, as a factor on the kernel's. */
    public double[] factors() {
        return factors.settled();
    }

    void save(State state) {
        try (Scope scope = Scope.open()) {
            saved.copyInPlace(Tensors.of(factors.state()));
        }
        state.put("steps", saved);
    }

    void load(State state) {
        state.restore("steps", saved);
        factors.restore(saved.toDoubles());
    }

    @Override
    public void close() {
        saved.close();
    }
}
