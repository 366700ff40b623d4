package dev.kelvin.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lifetime of temporaries: tensors made on this thread while a scope is the innermost open one are freed when it
 * closes, except those kept.
 *
 * <pre>{@code
 * try (Scope scope = Scope.open()) {
 *     Tensor next = x.plus(gradient.times(stepSize));
 *     return scope.keep(next);
 * }
 * }</pre>
 *
 * <p>A tensor made outside of any scope lives until its {@link Tensor#close()}. Native memory is so bounded by what is
 * visible on the screen, never by the garbage collector.
 */
public final class Scope implements AutoCloseable {
    private static final ThreadLocal<@Nullable Scope> CURRENT = new ThreadLocal<>();

    private final @Nullable Scope outer;
    private final Thread thread = Thread.currentThread();
    private final List<Tensor> owned = new ArrayList<>();
    private boolean closed;

    private Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    /** Opens a scope inside this thread's innermost one. */
    public static Scope open() {
        Scope scope = new Scope(CURRENT.get());
        CURRENT.set(scope);
        return scope;
    }

    /** The result of work in a scope of its own, which is all that is kept of it. */
    public static Tensor kept(Supplier<Tensor> work) {
        try (Scope scope = open()) {
            return scope.keep(work.get());
        }
    }

    /** Hands the tensor to the enclosing scope or, where there is none, to the caller, who closes it. */
    public Tensor keep(Tensor tensor) {
        if (tensor.owner() == this) {
            release(tensor);
            tensor.ownedBy(outer);
            if (outer != null) {
                outer.owned.add(tensor);
            }
        }
        return tensor;
    }

    /** Takes the tensor out of every scope: it lives until it is closed by hand, as a chain's or a model's state does. */
    public static Tensor detach(Tensor tensor) {
        Scope owner = tensor.owner();
        if (owner != null) {
            owner.release(tensor);
            tensor.ownedBy(null);
        }
        return tensor;
    }

    /** Gives a tensor that belongs to no scope, from another thread for example, to this thread's innermost one. */
    public static Tensor adopt(Tensor tensor) {
        if (tensor.owner() == null) {
            register(tensor);
        }
        return tensor;
    }

    /** Frees what was not kept. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (CURRENT.get() != this || thread != Thread.currentThread()) {
            throw new IllegalStateException("scopes close on their own thread, innermost first");
        }
        closed = true;
        CURRENT.set(outer);
        for (Tensor tensor : owned) {
            tensor.free();
        }
        owned.clear();
    }

    static void register(Tensor tensor) {
        Scope scope = CURRENT.get();
        if (scope != null) {
            scope.owned.add(tensor);
            tensor.ownedBy(scope);
        }
    }

    /** Kept tensors are nearly always young: the search runs from the end. */
    void release(Tensor tensor) {
        for (int i = owned.size() - 1; i >= 0; i--) {
            if (owned.get(i) == tensor) {
                owned.remove(i);
                return;
            }
        }
    }
}
