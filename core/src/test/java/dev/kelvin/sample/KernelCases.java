package dev.kelvin.sample;

import static dev.kelvin.sample.Changed.range;
import static dev.kelvin.sample.Changed.with;

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
                    with(GradientDescent.of(0.1), "clip", 0.5, "clamp", range(-1, 1.5)),
                    Trait.CERTAIN),
            named("langevin", Langevin.of(0.1)),
            named("langevin, untied", with(Langevin.of(0.1), "noise", 0.01)),
            named("langevin, clip", with(Langevin.of(0.1), "noise", 0.1, "clip", 0.5)),
            named("langevin, clamp", with(Langevin.of(0.1), "noise", 0.1, "clamp", range(-1, 1.5))),
            named("langevin, noise first", with(Langevin.of(0.1), "noise", 0.1, "noiseFirst", true)),
            named(
                    "langevin, noise first, limited",
                    with(Langevin.of(0.1), "noise", 0.1, "noiseFirst", true, "clip", 0.5, "clamp", range(-1, 1.5))),
            named("mala", Mala.of(0.1)),
            named("mala, warm", with(Mala.of(0.1), "temperature", 3)),
            named("mala, untied", with(Mala.of(0.1), "noise", 0.42, "mhTemperature", 1)),
            named("mala, clip", with(Mala.of(0.1), "clip", 0.5)),
            named("mala, limited", with(Mala.of(0.1), "clip", 0.5, "clamp", range(-1, 1.5))),
            named("mala, step ratio", with(Mala.of(0.1), "noise", 0.3, "ratio", Mala.Ratio.STEP)),
            named(
                    "mala, printed ratio",
                    with(Mala.of(0.1), "ratio", Mala.Ratio.PRINTED, "clip", 0.5, "clamp", range(-1, 1.5))),
            named("mala that rejects nothing", with(Mala.of(0.1), "noise", 0.3, "reject", false)),
            named("annealed mala", new Annealed(Mala.of(0.1), new Decay.Cosine(4, 0.1))),
            named(
                    "annealed preconditioned langevin",
                    new Annealed(with(Psgld.of(0.01), "damping", 0.1), new Decay.Polynomial(10, 0.6)),
                    Trait.REMEMBERING),
            named("tempered mala", TemperedMala.of(0.1)),
            named(
                    "tempered mala, step ratio, limited",
                    with(
                            TemperedMala.of(0.1),
                            "threshold",
                            1,
                            "factor",
                            1.001,
                            "noise",
                            0.4,
                            "ratio",
                            Mala.Ratio.STEP,
                            "clip",
                            0.5,
                            "clamp",
                            range(-1, 1.5))),
            named("tempered mala, heating", with(TemperedMala.of(0.1), "threshold", 1, "factor", 1.001)),
            named("tempered mala, noise", with(TemperedMala.of(0.1), "threshold", 1, "factor", 1.001, "noise", 0.4)),
            named("preconditioned langevin", with(Psgld.of(0.01), "damping", 0.1), Trait.REMEMBERING),
            named(
                    "preconditioned langevin, lagged",
                    with(Psgld.of(0.01), "damping", 0.1, "lagged", true),
                    Trait.REMEMBERING),
            named(
                    "preconditioned langevin, noise",
                    with(Psgld.of(0.1), "decay", 0.9, "damping", 1, "noise", 0.1),
                    Trait.REMEMBERING),
            named(
                    "preconditioned langevin, limited",
                    with(Psgld.of(0.01), "damping", 0.1, "clip", 0.5, "clamp", range(-1, 1.5)),
                    Trait.REMEMBERING),
            named("hmc", new Hmc(0.3, 4, 0, List.of(), 1)),
            named("hmc, one leap", new Hmc(0.3, 1, 0, List.of(), 1)),
            named("hmc, jitter", Hmc.of(0.3, 4)),
            named("hmc, warm", new Hmc(0.3, 4, 0.5, List.of(), 3)),
            named("jittered hmc", JitteredHmc.of(0.3).withPathLength(1.2)),
            named("jittered hmc, one leap", JitteredHmc.of(0.3)),
            named("jittered hmc, warm", with(JitteredHmc.of(0.3).withPathLength(1), "temperature", 3)),
            named(
                    "jittered hmc, small steps",
                    JitteredHmc.of(0.3).withPathLength(1).withSmallSteps(0.5)),
            named("svgd", with(Svgd.of(0.1), "update", Svgd.Update.PLAIN), Trait.CERTAIN, Trait.INTERACTING),
            named(
                    "svgd, adagrad, limited",
                    with(Svgd.of(0.1), "clip", 0.5, "clamp", range(-1, 1.5)),
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
                    with(SteinLangevin.of(0.01), "share", 0.9, "noise", 0.1, "clip", 0.5, "clamp", range(-1, 1.5)),
                    Trait.INTERACTING),
            named("stein langevin in sets", new ParticleSets<>(SteinLangevin.of(0.01), 2), Trait.INTERACTING),
            named("annealed langevin", with(Langevin.of(0.1), "anneal", new Decay.Polynomial(10, 0.6))),
            named("annealed langevin, cosine", with(Langevin.of(0.1), "anneal", new Decay.Cosine(4, 0.1))),
            named("replica exchange of mala", new ReplicaExchange(Mala.of(0.1), 3, 4, 2), Trait.REMEMBERING),
            named("replica exchange of langevin", new ReplicaExchange(Langevin.of(0.1), 2, 3, 1), Trait.REMEMBERING),
            named(
                    "replica exchange of langevin, limited",
                    new ReplicaExchange(with(Langevin.of(0.1), "clip", 0.5, "clamp", range(-1, 1.5)), 2, 3, 1),
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

    public static Stream<Named> kernels() {
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
