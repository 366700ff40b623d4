package dev.kelvin.energy;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;

/**
 * The density of some coordinates of a sample given the others: u ↦ f(x) with x = u at the free coordinates and the known
 * values elsewhere, ∇ = ∇f(x) there. Up to a constant this is log p(free | known), so that any kernel fills in what is
 * missing: it moves, and adds noise to, the free coordinates alone.
 */
public final class Conditional implements ChangedCoordinates {
    private final LogDensity f;
    private final Tensor known; // [n, ...]
    private final Tensor free; // [1, m]: which coordinates are free
    private final Tensor order; // [1, d]: where each coordinate lies among those of known followed by those of u

    /**
     * @param known as many samples as there are chains; their free coordinates do not matter
     * @param free for each coordinate of a sample, in the order of memory, whether it is free
     */
    public Conditional(LogDensity f, Tensor known, boolean... free) {
        int d = free.length;
        if (known.dim() < 2 || known.size(0) * d != known.count()) {
            throw new IllegalArgumentException(d + " coordinates do not fit the samples " + known);
        }
        long[] where = new long[d];
        long[] from = new long[d];
        int count = 0;
        for (int i = 0; i < d; i++) {
            from[i] = free[i] ? d + count : i;
            if (free[i]) {
                where[count++] = i;
            }
        }
        Check.require(count > 0, "free", "must name a coordinate or more that is to be sampled");
        this.f = f;
        this.known = known;
        this.free = Tensors.of(Arrays.copyOf(where, count)).unsqueeze(0).to(known.device());
        this.order = Tensors.of(from).unsqueeze(0).to(known.device());
    }

    private Conditional(LogDensity f, Tensor known, Tensor free, Tensor order) {
        this.f = f;
        this.known = known;
        this.free = free;
        this.order = order;
    }

    /** The free coordinates of samples: [n, ...] → [n, m]. */
    public Tensor free(Tensor x) {
        return Scope.kept(() -> x.flattenSamples().gather(1, free.expand(x.size(0), free.size(1))));
    }

    /** The samples that have these at their free coordinates, and what is known elsewhere: [n, m] → [n, ...]. */
    @Override
    public Tensor samples(Tensor u) {
        return put(u, known.to(u.dtype()));
    }

    @Override
    public LogDensity f() {
        return f;
    }

    @Override
    public Tensor back(Tensor gradient) {
        return free(gradient);
    }

    private Tensor put(Tensor u, Tensor others) {
        return Scope.kept(() -> Tensors.concat(1, others.flattenSamples(), u)
                .gather(1, order.expand(u.size(0), order.size(1)))
                .reshape(others.shape()));
    }

    @Override
    public Tensor clip(Tensor gradient, double limit) {
        try (Scope scope = Scope.open()) {
            Tensor whole = put(gradient, Tensors.zerosLike(known).to(gradient.dtype()));
            return scope.keep(free(f.clip(whole, limit)));
        }
    }

    @Override
    public Tensor clamp(Tensor u, double low, double high) {
        return Scope.kept(() -> free(f.clamp(samples(u), low, high)));
    }

    @Override
    public LogDensity rows(long... rows) {
        return new Conditional(f.rows(rows), known.rows(rows), free, order);
    }
}
