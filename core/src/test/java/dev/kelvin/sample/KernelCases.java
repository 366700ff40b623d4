package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Every kernel once, with all that its settings turn on, on every kind of sample. */
public final class KernelCases {
    private static final Limits CLIP = new Limits(OptionalDouble.of(0.5), Optional.empty());
    private static final Limits CLAMP = new Limits(OptionalDouble.empty(), Optional.of(List.of(-1.0, 1.5)));
    private static final Limits BOTH = new Limits(OptionalDouble.of(0.5), Optional.of(List.of(-1.0, 1.5)));

    /** A kernel by name, and whether its key matters. */
    public record Named(String name, Kernel<?> kernel, boolean random) {
        @Override
        public String toString() {
            return name;
        }
    }

    public static final List<Named> KERNELS = List.of(
            new Named("gradient descent", new GradientDescent(0.1, Limits.NONE), false),
            new Named("gradient descent, limited", new GradientDescent(0.1, BOTH), false),
            new Named("langevin", Langevin.at(0.1, 1), true),
            new Named("langevin, untied", new Langevin(0.1, 0.01, false, Limits.NONE), true),
            new Named("langevin, clip", new Langevin(0.1, 0.1, false, CLIP), true),
            new Named("langevin, clamp", new Langevin(0.1, 0.1, false, CLAMP), true),
            new Named("langevin, noise first", new Langevin(0.1, 0.1, true, Limits.NONE), true),
            new Named("langevin, noise first, limited", new Langevin(0.1, 0.1, true, BOTH), true),
            new Named("mala", new Mala(0.1, 1), true),
            new Named("mala, warm", new Mala(0.1, 3), true));

    /** A kernel on samples of a type and shape, one row a chain. */
    record Case(Named named, DType type, List<Long> shape) {
        @Override
        public String toString() {
            return named + " " + type + shape;
        }

        Kernel<?> kernel() {
            return named.kernel();
        }

        Tensor start() {
            long[] sizes = shape.stream().mapToLong(Long::longValue).toArray();
            return Tensors.normal(Key.of(7), type, Device.CPU, sizes);
        }
    }

    private KernelCases() {}

    static Stream<Named> kernels() {
        return KERNELS.stream();
    }

    static Stream<Case> all() {
        return KERNELS.stream()
                .flatMap(kernel -> Stream.of(DType.FLOAT, DType.DOUBLE)
                        .flatMap(type -> Stream.of(List.of(6L, 2L), List.of(6L, 3L, 4L, 4L))
                                .map(shape -> new Case(kernel, type, shape))));
    }

    /** f = −½ Σ (x² + cos 2x) over each sample: one density for every shape, curved, with a gradient by autograd. */
    public static final LogDensity WAVY =
            x -> x.square().plus(x.times(2).cos()).sumPerSample().times(-0.5);
}
