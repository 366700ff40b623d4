package dev.kelvin.tensor;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;

/**
 * Numbers as libtorch wants them. Making one costs as much as a small operation, and the same few come again and again,
 * so each thread keeps its last ones.
 */
final class Scalars {
    private static final int KEPT = 64;

    private static final ThreadLocal<Map<Double, Scalar>> CACHE = ThreadLocal.withInitial(Scalars::cache);

    /** The type of a result where libtorch takes one: the input's. Never freed. */
    static final ScalarTypeOptional SAME_TYPE = new ScalarTypeOptional().retainReference();

    private Scalars() {}

    /** For use in the next native call of this thread, not to be kept or closed. */
    static Scalar of(double number) {
        // a reference of its own, so that a JavaCPP scope of the caller's does not free it
        return CACHE.get().computeIfAbsent(number, value -> new Scalar(value).retainReference());
    }

    private static Map<Double, Scalar> cache() {
        return new LinkedHashMap<>(2 * KEPT, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Double, Scalar> eldest) {
                boolean full = size() > KEPT;
                if (full) {
                    eldest.getValue().close();
                }
                return full;
            }
        };
    }
}
