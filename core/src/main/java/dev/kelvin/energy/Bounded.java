package dev.kelvin.energy;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A density of parameters with bounds, as one of all real numbers, where kernels can walk: f(x(u)) + Σ log|dxᵢ/duᵢ|, with one
 * {@link Support} for each coordinate of rows [n, d]. Draws of u become draws of x by {@link #constrain}.
 */
public record Bounded(LogDensity f, List<Support> supports) implements LogDensity {
    public Bounded {
        supports = List.copyOf(supports);
    }

    /** Neighbours with the same support, which are mapped in one operation. */
    private record Run(Support support, int from, int count) {}

    private List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= supports.size(); i++) {
            if (i == supports.size() || !supports.get(i).equals(supports.get(from))) {
                runs.add(new Run(supports.get(from), from, i - from));
                from = i;
            }
        }
        return runs;
    }

    /** x of u, [n, d]. */
    public Tensor constrain(Tensor u) {
        return mapped(u, true);
    }

    /** u of x, [n, d]; infinite at a bound and NaN beyond it. */
    public Tensor unconstrain(Tensor x) {
        return mapped(x, false);
    }

    private Tensor mapped(Tensor from, boolean constrain) {
        try (Scope scope = Scope.open()) {
            List<Tensor> parts = new ArrayList<>();
            for (Run run : runs()) {
                Tensor part = from.narrow(1, run.from, run.count);
                parts.add(constrain ? run.support.constrain(part) : run.support.unconstrain(part));
            }
            return scope.keep(Tensors.concat(1, parts));
        }
    }

    @Override
    public Tensor at(Tensor u) {
        return Scope.kept(() -> withLogSlopes(f.at(constrain(u)), u));
    }

    private Tensor withLogSlopes(Tensor value, Tensor u) {
        Tensor sum = value;
        for (Run run : runs()) {
            if (!run.support.unbounded()) {
                sum = sum.plus(
                        run.support.logSlope(u.narrow(1, run.from, run.count)).sum(1L));
            }
        }
        return sum;
    }

    /** ∇f as f knows it, taken to u by the slopes of the map: a third less work than by automatic differentiation. */
    @Override
    public ValueAndGradient valueAndGradient(Tensor u) {
        try (Scope scope = Scope.open()) {
            Tensor free = u.detach();
            Tensor x = constrain(free);
            ValueAndGradient at = f.valueAndGradient(x);
            Tensor gradient = at.gradient().contiguous().copy();
            for (Run run : runs()) {
                if (!run.support.unbounded()) {
                    Tensor part = x.narrow(1, run.from, run.count);
                    gradient.narrow(1, run.from, run.count)
                            .timesInPlace(run.support.slope(part))
                            .addInPlace(run.support.slopeOfLogSlope(part));
                }
            }
            return new ValueAndGradient(scope.keep(withLogSlopes(at.value(), free)), scope.keep(gradient));
        }
    }

    @Override
    public LogDensity rows(long... rows) {
        return new Bounded(f.rows(rows), supports);
    }

    /** So many coordinates without bounds. */
    public static List<Support> real(int dimensions) {
        return Collections.nCopies(dimensions, Support.real());
    }
}
