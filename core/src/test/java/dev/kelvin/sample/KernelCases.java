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
import java.util.Set;
import java.util.stream.Stream;

/** Every kernel once, with all that its settings turn on, on every kind of sample. */
public final class KernelCases {
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

    /** HMC with masses or a metric is not here, because it knows the width of its samples: see {@link HmcTest}. */
    public static final List<Named> KERNELS = List.of(
            named("gradient descent", GradientDescent.of(0.1), Trait.CERTAIN),
            named(
                    "gradient descent, limited",
                    GradientDescent.of(0.1).withClip(0.5).withClamp(-1, 1.5),
                    Trait.CERTAIN),
            named("langevin", Langevin.of(0.1)),
            named("langevin, untied", Langevin.of(0.1).withNoise(0.01)),
            named("langevin, clip", Langevin.of(0.1).withNoise(0.1).withClip(0.5)),
            named("langevin, clamp", Langevin.of(0.1).withNoise(0.1).withClamp(-1, 1.5)),
            named("langevin, noise first", Langevin.of(0.1).withNoise(0.1).withNoiseFirst()),
            named(
                    "langevin, noise first, limited",
                    Langevin.of(0.1)
                            .withNoise(0.1)
                            .withNoiseFirst()
                            .withClip(0.5)
                            .withClamp(-1, 1.5)),
            named("mala", Mala.of(0.1)),
            named("mala, warm", Mala.of(0.1).withTemperature(3)),
            named("mala, untied", Mala.of(0.1).withNoise(0.42).withMhTemperature(1)),
            named("mala, clip", Mala.of(0.1).withClip(0.5)),
            named("mala, limited", Mala.of(0.1).withClip(0.5).withClamp(-1, 1.5)),
            named("tempered mala", TemperedMala.of(0.1)),
            named(
                    "tempered mala, heating",
                    TemperedMala.of(0.1).withThreshold(1).withFactor(1.001)),
            named(
                    "tempered mala, noise",
                    TemperedMala.of(0.1).withThreshold(1).withFactor(1.001).withNoise(0.4)),
            named("preconditioned langevin", Psgld.of(0.01).withDamping(0.1), Trait.REMEMBERING),
            named(
                    "preconditioned langevin, noise",
                    Psgld.of(0.1).withDecay(0.9).withDamping(1).withNoise(0.1),
                    Trait.REMEMBERING),
            named(
                    "preconditioned langevin, limited",
                    Psgld.of(0.01).withDamping(0.1).withClip(0.5).withClamp(-1, 1.5),
                    Trait.REMEMBERING),
            named("hmc", new Hmc(0.3, 4, 0, List.of(), 1)),
            named("hmc, one leap", new Hmc(0.3, 1, 0, List.of(), 1)),
            named("hmc, jitter", Hmc.of(0.3, 4)),
            named("hmc, warm", new Hmc(0.3, 4, 0.5, List.of(), 3)),
            named("jittered hmc", JitteredHmc.of(0.3).withPathLength(1.2)),
            named("jittered hmc, one leap", JitteredHmc.of(0.3)),
            named("jittered hmc, warm", JitteredHmc.of(0.3).withPathLength(1).withTemperature(3)),
            named(
                    "jittered hmc, small steps",
                    JitteredHmc.of(0.3).withPathLength(1).withSmallSteps(0.5)),
            named("svgd", Svgd.of(0.1).withUpdate(Svgd.Update.PLAIN), Trait.CERTAIN, Trait.INTERACTING),
            named(
                    "svgd, adagrad, limited",
                    Svgd.of(0.1).withClip(0.5).withClamp(-1, 1.5),
                    Trait.CERTAIN,
                    Trait.INTERACTING,
                    Trait.REMEMBERING),
            named(
                    "svgd in sets",
                    new ParticleSets<>(Svgd.of(0.1), 2),
                    Trait.CERTAIN,
                    Trait.INTERACTING,
                    Trait.REMEMBERING),
            named("stein langevin", SteinLangevin.of(0.01), Trait.INTERACTING),
            named(
                    "stein langevin, limited",
                    SteinLangevin.of(0.01)
                            .withShare(0.9)
                            .withNoise(0.1)
                            .withClip(0.5)
                            .withClamp(-1, 1.5),
                    Trait.INTERACTING),
            named("stein langevin in sets", new ParticleSets<>(SteinLangevin.of(0.01), 2), Trait.INTERACTING),
            named("annealed langevin", Langevin.of(0.1).withAnneal(new Decay.Polynomial(10, 0.6))),
            named("annealed langevin, cosine", Langevin.of(0.1).withAnneal(new Decay.Cosine(4, 0.1))),
            named("replica exchange of mala", new ReplicaExchange(Mala.of(0.1), 3, 4, 2), Trait.REMEMBERING),
            named("replica exchange of langevin", new ReplicaExchange(Langevin.of(0.1), 2, 3, 1), Trait.REMEMBERING),
            named(
                    "replica exchange of langevin, limited",
                    new ReplicaExchange(Langevin.of(0.1).withClip(0.5).withClamp(-1, 1.5), 2, 3, 1),
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
