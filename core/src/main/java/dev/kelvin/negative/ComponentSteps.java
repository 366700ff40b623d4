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
 * A step size for each column, that of the kernel times a factor, adapted to an acceptance while training goes on: what lies
 * between two levels of noise is far wider than the data, and one class wider than another. A row of the batch is stretched
 * by its factor's root, so that one kernel with one step moves them all.
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
    private final int columns;
    private final Tensor saved; // their state, as it goes into a checkpoint

    /** One factor for each column, from these on. */
    public ComponentSteps(Adapt settings, double... first) {
        factors = new DualAveraging(settings.acceptance, first);
        columns = first.length;
        try (Scope scope = Scope.open()) {
            saved = Scope.detach(Tensors.zeros(DType.DOUBLE, Device.CPU, 4L * first.length));
        }
    }

    /** Moves chains of these columns, each at its column's step size, and takes in how often they were accepted. */
    ChainRun adapt(Key key, Kernel<?> kernel, NegativeSource.Target target, Tensor x, long[] k, int steps) {
        Tensor stretch = Timeline.column(x, k, c -> Math.sqrt(factors.stepSize(c)));
        ChainRun walk = target.walk(key, kernel, x, k, ChainRun.Course.of(steps).stretched(stretch));
        double[] sums = new double[columns];
        int[] counts = new int[columns];
        for (int i = 0; i < walk.accepted().length; i++) {
            sums[(int) k[i]] += walk.accepted()[i];
            counts[(int) k[i]]++;
        }
        for (int column = 0; column < columns; column++) {
            if (counts[column] > 0) {
                factors.update(column, sums[column] / counts[column]);
            }
        }
        return walk;
    }

    /** Moves chains of these columns at the step sizes that have settled. */
    public ChainRun settled(Key key, Kernel<?> kernel, LogDensity target, Tensor x, long[] k, int steps) {
        NegativeSource.Target any = columns -> target;
        return any.walk(key, kernel, x, k, ChainRun.Course.of(steps).stretched(stretch(x, k)));
    }

    /** By how much rows of these columns are stretched at the step sizes that have settled, [n, 1, ...]. */
    public Tensor stretch(Tensor x, long... k) {
        return Timeline.column(x, k, c -> Math.sqrt(factors.settled(c)));
    }

    /** What each column's step size has settled at, as a factor on the kernel's. */
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
