package dev.kelvin.energy;

import dev.kelvin.part.Check;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Memory;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.random.RandomGenerator;

/** Independent exact draws, made one by one in plain Java: a hundred points of the plane take less than 20
 * microseconds, most of them to make the tensor. */
public interface ExactSampler {
    /** How many numbers a draw has. */
    int dimension();

    /** Writes the next draw, {@link #dimension} numbers, over the point. */
    void next(RandomGenerator random, double[] point);

    /** Fresh draws of type float on the CPU, [count, dimension]. */
    default Tensor draw(Key key, int count) {
        return draw(key, count, DType.FLOAT);
    }

    /** Fresh draws on the CPU, [count, dimension]; another type of the same key gives the same points, rounded. */
    default Tensor draw(Key key, int count, DType type) {
        Check.atLeast("count", count, 0);
        RandomGenerator random = key.stream();
        int dimension = dimension();
        double[] point = new double[dimension];
        double[] values = new double[Memory.array(Double.BYTES, count, dimension)];
        for (int i = 0; i < values.length; i += dimension) {
            next(random, point);
            System.arraycopy(point, 0, values, i, dimension);
        }
        return Scope.kept(() -> Tensors.of(values, count, dimension).to(type));
    }
}
