package dev.kelvin.negative;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A Gaussian with a full covariance for each component: draws of component k are μ_k + L_kξ, ξ ~ N(0, I), with L_kL_kᵀ = Σ_k. A model
 * without components has one.
 *
 * <p>Source: the informative starts of JEM++ (Yang and Ji 2021, section 4.1), which SADA-JEM and Shah (2024) take over.
 */
public final class ClassGaussians implements SampleSource, AutoCloseable {
    private final Tensor means; // [components, d]
    private final Tensor factors; // L of each, [components, d, d]
    private final double[] upTo; // the share of samples in components up to each
    private final List<Long> shape;

    /** Copies both to the device; {@code counts} is how many samples each component had, of this shape. */
    public ClassGaussians(Tensor means, Tensor factors, long[] counts, List<Long> shape, Device device) {
        long d = shape.stream().reduce(1L, Math::multiplyExact);
        if (!Arrays.equals(means.shape(), new long[] {counts.length, d})
                || !Arrays.equals(factors.shape(), new long[] {counts.length, d, d})) {
            throw new IllegalArgumentException("Gaussians of " + counts.length + " components and " + d
                    + " numbers do not fit the means " + means + " and the factors " + factors);
        }
        try (Scope scope = Scope.open()) {
            this.means = Scope.detach(means.to(DType.FLOAT).to(device).copy());
            this.factors = Scope.detach(factors.to(DType.FLOAT).to(device).copy());
        }
        this.shape = List.copyOf(shape);
        this.upTo = new double[counts.length];
        double all = Arrays.stream(counts).sum();
        double sum = 0;
        for (int k = 0; k < counts.length; k++) {
            sum += counts[k];
            upTo[k] = sum / all;
        }
    }

    /** Of components as frequent as among the samples. */
    @Override
    public Tensor draw(Key key, int count) {
        Key[] keys = key.split(2);
        RandomGenerator random = keys[0].stream();
        long[] k = new long[count];
        Arrays.setAll(k, i -> component(random.nextDouble()));
        return drawGiven(keys[1], k);
    }

    private int component(double at) {
        int component = 0;
        while (component < upTo.length - 1 && at >= upTo[component]) {
            component++;
        }
        return component;
    }

    /** Where there is one Gaussian it is that of all components. */
    @Override
    public Tensor drawGiven(Key key, long... k) {
        long d = means.size(1);
        try (Scope scope = Scope.open()) {
            Tensor noise = Tensors.normal(key, DType.FLOAT, means.device(), k.length, d);
            Tensor x = Tensors.zeros(DType.FLOAT, means.device(), k.length, d);
            for (int component = 0; component < upTo.length; component++) {
                int wanted = component;
                long[] rows = IntStream.range(0, k.length)
                        .filter(i -> upTo.length == 1 || k[i] == wanted)
                        .mapToLong(i -> i)
                        .toArray();
                if (rows.length > 0) {
                    try (Scope each = Scope.open()) {
                        Tensor factor = factors.select(0, component).transpose();
                        x.putRowsInPlace(rows, noise.rows(rows).matmul(factor).addInPlace(means.select(0, component)));
                    }
                }
            }
            return scope.keep(x.reshape(Tensors.batch(k.length, shape)));
        }
    }

    @Override
    public void close() {
        means.close();
        factors.close();
    }
}
