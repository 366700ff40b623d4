package dev.kelvin.sample;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/** Every kernel once, with all that its settings turn on, on every kind of sample. */
public final class KernelCases {
    private static final Limits CLIP = new Limits(OptionalDouble.of(0.5), Optional.empty());
    private static final Limits CLAMP = new Limits(OptionalDouble.empty(), Optional.of(List.of(-1.0, 1.5)));
    private static final Limits BOTH = new Limits(OptionalDouble.of(0.5), Optional.of(List.of(-1.0, 1.5)));

    /** In what a kernel differs from most. */
    enum Trait {
        /** Its key does not matter. */
        CERTAIN,
        /** A chain's path depends on the other chains. */
        INTERACTING,
        /** Its state's tensors hold what its past left there, besides what is known at x. */
        REMEMBERING
    }

    /** A kernel by name, and its traits. */
    public record Named(String name, Kernel<?> kernel, Set<Trait> traits) {
        @Override
        public String toString() {
            return name;
        }

        boolean has(Trait trait) {
            return traits.contains(trait);
        }
    }

    private static Named named(String name, Kernel<?> kernel, Trait... traits) {
        Set<Trait> set = EnumSet.noneOf(Trait.class);
        set.addAll(Arrays.asList(traits));
        return new Named(name, kernel, set);
    }

    /** HMC with masses is not here, because it knows the width of its samples: see {@link HmcTest}. */
    public static final List<Named> KERNELS = List.of(
            named("gradient descent", new GradientDescent(0.1, Limits.NONE), Trait.CERTAIN),
            named("gradient descent, limited", new GradientDescent(0.1, BOTH), Trait.CERTAIN),
            named("langevin", Langevin.at(0.1, 1)),
            named("langevin, untied", new Langevin(0.1, 0.01, false, Limits.NONE)),
            named("langevin, clip", new Langevin(0.1, 0.1, false, CLIP)),
            named("langevin, clamp", new Langevin(0.1, 0.1, false, CLAMP)),
            named("langevin, noise first", new Langevin(0.1, 0.1, true, Limits.NONE)),
            named("langevin, noise first, limited", new Langevin(0.1, 0.1, true, BOTH)),
            named("mala", new Mala(0.1, 1)),
            named("mala, warm", new Mala(0.1, 3)),
            named("mala, untied", new Mala(0.1, 0.42, 1)),
            named("tempered mala", new TemperedMala(0.1, 0.5, 10)),
            named("tempered mala, heating", new TemperedMala(0.1, 1, 1.001)),
            named("preconditioned langevin", new Psgld(0.01, 0.99, 0.1, OptionalDouble.empty()), Trait.REMEMBERING),
            named("preconditioned langevin, noise", new Psgld(0.1, 0.9, 1, OptionalDouble.of(0.1)), Trait.REMEMBERING),
            named("hmc", new Hmc(0.3, 4, 0, List.of(), 1)),
            named("hmc, one leap", new Hmc(0.3, 1, 0, List.of(), 1)),
            named("hmc, jitter", Hmc.of(0.3, 4)),
            named("hmc, warm", new Hmc(0.3, 4, 0.5, List.of(), 3)),
            named("svgd", new Svgd(0.1, Svgd.Update.PLAIN, Limits.NONE), Trait.CERTAIN, Trait.INTERACTING),
            named(
                    "svgd, adagrad, limited",
                    new Svgd(0.1, Svgd.Update.ADAGRAD, BOTH),
                    Trait.CERTAIN,
                    Trait.INTERACTING,
                    Trait.REMEMBERING),
            named("annealed langevin", new Annealed<>(Langevin.at(0.1, 1), Decay.polynomial(10, 0.6))),
            named("annealed langevin, cosine", new Annealed<>(Langevin.at(0.1, 1), Decay.cosine(4, 0.1))),
            named("annealed mala", new Annealed<>(new Mala(0.1, 1), Decay.polynomial(10, 0.6))),
            named(
                    "replica exchange of mala",
                    new ReplicaExchange<>(new Mala(0.1, 1), List.of(1.0, 2.0, 4.0), 2),
                    Trait.REMEMBERING),
            named(
                    "replica exchange of langevin",
                    new ReplicaExchange<>(Langevin.at(0.1, 1), List.of(1.0, 3.0), 1),
                    Trait.REMEMBERING));

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

    /** Those whose chains are on their own. */
    static Stream<Case> independent() {
        return all().filter(c -> !c.named().has(Trait.INTERACTING));
    }

    /** Those whose state follows from where the chains are. */
    static Stream<Case> forgetful() {
        return all().filter(c -> !c.named().has(Trait.REMEMBERING));
    }

    /** f = −½ Σ (x² + cos 2x) over each sample: one density for every shape, curved, with a gradient by autograd. */
    public static final LogDensity WAVY =
            x -> x.square().plus(x.times(2).cos()).sumPerSample().times(-0.5);
}
