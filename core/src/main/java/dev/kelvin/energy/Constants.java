package dev.kelvin.energy;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An analytic density's numbers, brought to the samples that it is asked about: once for each type and place, because
 * chains ask at every step. The tensors are never written to, so that any thread may use them, and are freed with the
 * density: the one place where native memory waits for the garbage collector, a few kilobytes each.
 */
public final class Constants {
    public static final double LOG_2PI = Math.log(2 * Math.PI);

    /** Under the root of a distance from the origin, where it makes the gradient 0 instead of 0/0. */
    private static final double TINY = 1e-30;

    private static final Cleaner CLEANER = Cleaner.create();

    private record Place(DType type, Device device) {}

    private final double[] values;
    private final long[] shape;
    private final Map<Place, Tensor> tensors = new ConcurrentHashMap<>();

    Constants(double[] values, long... shape) {
        this.values = values;
        this.shape = shape;
    }

    /** The numbers in the samples' type and place. */
    public Tensor like(Tensor x) {
        return tensors.computeIfAbsent(new Place(x.dtype(), x.device()), this::at);
    }

    private Tensor at(Place place) {
        try (Scope scope = Scope.open()) {
            Tensor tensor =
                    Scope.detach(Tensors.of(values, shape).to(place.type).to(place.device));
            CLEANER.register(this, tensor::close);
            return tensor;
        }
    }

    /** The samples, if they are [n, dimension]. */
    public static Tensor samples(Tensor x, int dimension) {
        if (x.dim() != 2 || x.size(1) != dimension) {
            throw new IllegalArgumentException("this density is evaluated at samples of shape "
                    + Arrays.toString(x.shape()) + "; expected [n, " + dimension + "]");
        }
        return x;
    }

    /** The rows' distances from the origin, [n, d] -> [n, 1]. */
    public static Tensor radius(Tensor x) {
        return x.square().sum(1L).plus(TINY).sqrt().unsqueeze(1);
    }
}
