package dev.kelvin.train;

import static dev.kelvin.sample.Changed.range;
import static dev.kelvin.sample.Changed.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.Differences;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensities;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.DifferentiableTail;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.PlainChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.ImprovedCd;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Kl;
import dev.kelvin.objective.Objective;
import dev.kelvin.objective.Objectives;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.objective.Term;
import dev.kelvin.sample.Decay;
import dev.kelvin.sample.GradientDescent;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.Psgld;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The KL term's gradient is that of E, its parameters held, at where the kernel's own steps take the chains. */
class KlGradientTest {
    private static final EnergyModel PLAIN = EnergyModel.plain(new Mlp(2, List.of(5), 1, Activation.SILU, 0));
    private static final int STEPS = 4;
    private static final Kl.Entropy ENTROPY = new Kl.Entropy(0.3, 20, 0);

    private final Scope scope = Scope.open();

    @AfterEach
    void close() {
        scope.close();
    }

    private static SampleSource noise(long... shape) {
        return (key, count) -> Tensors.normal(
                key,
                DType.DOUBLE,
                Device.CPU,
                LongStream.concat(LongStream.of(count), LongStream.of(shape)).toArray());
    }

    /** A term, chains that have walked, and the parameters that they walked with. */
    private record Setting(
            EnergyModel model, Parameters parameters, Parameters held, Kernel<?> kernel, Kl term, DrawnNegatives drawn)
            implements AutoCloseable {
        static Setting of(EnergyModel model, Objective objective, Kernel<?> kernel, Kl term, int count, long... shape) {
            Parameters parameters = shape.length == 1
                    ? JointDensities.parameters(model)
                    : model.layout().init(Key.of(1), DType.DOUBLE);
            NegativeSource.Target target =
                    new ChainTargets(model, parameters).of(objective.at(new Objective.Moment(0, 10, 1)), term.wanted());
            ReplayBuffer buffer = new ReplayBuffer(
                    Key.of(2),
                    noise(shape),
                    Buffer.of(count + 20, ReplayBuffer.Entry.FIFO, 0.5),
                    Optional.empty(),
                    1,
                    1);
            long[] k = new long[count];
            Arrays.setAll(k, i -> i % model.components());
            Batch positives = new Batch(noise(shape).draw(Key.of(3), count), k);
            ModelChains chains = PlainChains.persistent(noise(shape), kernel, STEPS, buffer);
            DrawnNegatives drawn = chains.draw(Key.of(4), 5, target, positives, count);
            chains.close();
            return new Setting(model, parameters, parameters.copy(), kernel, term, drawn);
        }

        DifferentiableTail last() {
            return drawn.last().orElseThrow();
        }

        Term.Value value() {
            return term.of(Key.of(9), model, parameters, Batch.of(drawn.x()), drawn);
        }

        /** By the kernel's own steps, where the parameters are now; E with those that are held. */
        double plain() {
            try (Scope inner = Scope.open()) {
                DifferentiableTail last = last();
                double sum = 0;
                for (ChainRun.Part part : last.parts()) {
                    long[] k = Arrays.copyOfRange(last.k(), (int) part.from(), (int) part.to());
                    Tensor x = ChainRun.run(
                                    part.key(),
                                    kernel,
                                    last.target().of(k),
                                    part.of(last.x()),
                                    last.from(),
                                    last.steps(),
                                    (i, at) -> {})
                            .x();
                    sum -= term.weight() * last.density(part, held).at(x).sum().item();
                    double[] logs = logDistances(x, last.buffered());
                    sum -= term.entropy().map(Kl.Entropy::weight).orElse(0.0)
                            * Arrays.stream(logs).sum();
                }
                return sum / last.k().length;
            }
        }

        Tensor beforeLast(ChainRun.Part part, Kernel<?> first) {
            DifferentiableTail last = last();
            LogDensity density = last.target().of(new long[(int) (part.to() - part.from())]);
            return ChainRun.run(part.key(), first, density, part.of(last.x()), STEPS - 1)
                    .x();
        }

        /** By a last move from there, as a chain's first with V = 0. */
        double lastMove(List<Tensor> before, Psgld psgld) {
            DifferentiableTail last = last();
            double sum = 0;
            try (Scope inner = Scope.open()) {
                for (int i = 0; i < before.size(); i++) {
                    ChainRun.Part part = last.parts().get(i);
                    LogDensity density = last.target().of(new long[(int) (part.to() - part.from())]);
                    Psgld.State at = psgld.start(density, before.get(i));
                    Tensor x = psgld.step(part.key().child(STEPS - 1), density, at)
                            .state()
                            .x();
                    sum -= term.weight() * last.density(part, held).at(x).sum().item();
                }
            }
            return sum / last.k().length;
        }

        private static double[] logDistances(Tensor x, Optional<Tensor> samples) {
            if (samples.isEmpty()) {
                return new double[0];
            }
            double[] a = x.flattenSamples().toDoubles();
            double[] b = samples.get().flattenSamples().toDoubles();
            int d = a.length / (int) x.size(0);
            double[] logs = new double[(int) x.size(0)];
            for (int i = 0; i < logs.length; i++) {
                double least = Double.POSITIVE_INFINITY;
                for (int j = 0; j < b.length / d; j++) {
                    double square = 0;
                    for (int c = 0; c < d; c++) {
                        square += Math.pow(a[i * d + c] - b[j * d + c], 2);
                    }
                    least = Math.min(least, square);
                }
                logs[i] = Math.log(least) / 2;
            }
            return logs;
        }

        @Override
        public void close() {
            parameters.close();
            held.close();
        }
    }

    static Stream<Arguments> kernels() {
        List<Kernel<?>> kernels = List.of(
                Langevin.of(0.05),
                with(Langevin.of(0.05), "noise", 0.1, "noiseFirst", true),
                with(Langevin.of(0.05), "temperature", 0.2, "clip", 0.4, "clamp", range(-1, 1)), // both are active
                with(Langevin.of(0.05), "anneal", new Decay.Polynomial(3, 0.6)),
                with(Mala.of(0.05), "temperature", 0.2, "clip", 0.4, "clamp", range(-1, 1)), // refuses some
                with(Mala.of(0.05), "reject", false),
                with(GradientDescent.of(0.1), "clip", 2));
        return kernels.stream()
                .flatMap(kernel -> Stream.of(
                        Arguments.of(kernel, new Kl(0.7, 1, Optional.empty())),
                        Arguments.of(kernel, new Kl(0.7, 3, Optional.empty())),
                        Arguments.of(kernel, new Kl(0, 1, Optional.of(ENTROPY))),
                        Arguments.of(kernel, new Kl(0.7, STEPS, Optional.of(ENTROPY)))));
    }

    /** Of few chains, which are moved as one, and of many, in two halves. */
    @ParameterizedTest
    @MethodSource("kernels")
    void flowsThroughTheKernelsOwnSteps(Kernel<?> kernel, Kl term) {
        for (int count : new int[] {7, 300}) {
            try (Setting setting = Setting.of(PLAIN, new Contrastive(), kernel, term, count, 2)) {
                assertThat(setting.last().parts()).hasSize(count == 7 ? 1 : 2);
                check(setting);
            }
        }
    }

    /** With α = 1 its V stays 0, so that holding G fixed leaves nothing out; otherwise V is that of the moves before. */
    @Test
    void flowsThroughTheLastPreconditionedMove() {
        Kl term = new Kl(0.7, 1, Optional.empty());
        for (Psgld kernel : List.of(
                with(Psgld.of(0.05), "decay", 1, "damping", 0.8, "clip", 0.4),
                with(Psgld.of(0.05), "decay", 0.7, "damping", 0.8))) {
            for (int count : new int[] {7, 300}) {
                try (Setting setting = Setting.of(PLAIN, new Contrastive(), kernel, term, count, 2)) {
                    assertThat(setting.value().value()).isCloseTo(setting.plain(), within(1e-12));
                    if (kernel.decay() == 1) {
                        List<Tensor> before = setting.last().parts().stream()
                                .map(part -> setting.beforeLast(part, kernel))
                                .toList();
                        assertThat(Differences.errorOver(
                                        setting.parameters.flat(),
                                        () -> setting.lastMove(before, kernel),
                                        setting.value().gradient().toDoubles()))
                                .isLessThan(1e-6);
                    }
                }
            }
        }
    }

    private static void check(Setting setting) {
        Term.Value value = setting.value();
        assertThat(value.value()).isCloseTo(setting.plain(), within(1e-12));
        assertThat(Differences.errorOver(
                        setting.parameters.flat(),
                        setting::plain,
                        value.gradient().toDoubles()))
                .isLessThan(1e-6);
    }

    static Stream<Arguments> components() {
        return Stream.of(JointDensities.CLASSES, JointDensities.times(List.of(0.5, -1.0), true, true))
                .flatMap(model -> Stream.of(
                                new JointObjective.ConditionalCd(Objectives.robust(0.5)),
                                new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(1)),
                                new JointObjective.CdCe(Objectives.robust(0.5), 1, Smoothing.of(1)),
                                new JointObjective.Custom(
                                        Objectives.robust(0.5),
                                        dev.kelvin.objective.ContrastedDensity.PAIR,
                                        0.7,
                                        Smoothing.of(1)))
                        .map(objective -> Arguments.of(model, objective)));
    }

    @ParameterizedTest
    @MethodSource("components")
    void knowsItsComponentsAndTheObjectivesFactor(EnergyModel model, Objective objective) {
        Kl term = new Kl(0.7, 2, Optional.of(ENTROPY));
        try (Setting setting = Setting.of(model, objective, Langevin.of(0.05), term, 7, 2)) {
            check(setting);
            // the chains walked on (1 − β)f, E is −f
            DifferentiableTail last = setting.last();
            LogDensity walked = last.target().of(last.k());
            LogDensity outer = last.density(last.parts().get(0), setting.parameters);
            double scale = objective.samplingScale();
            boolean pairs = objective.compares() == dev.kelvin.objective.ContrastedDensity.PAIR;
            if (!pairs) {
                assertThat(walked.at(last.x()).toDoubles())
                        .containsExactly(outer.scaled(scale).at(last.x()).toDoubles(), within(1e-12));
            }
        }
    }

    static Stream<Network> networks() {
        List<Long> shape = List.of(1L, 8L, 8L);
        return Stream.of(
                        new ImprovedCd(1, 8, 4, 2, List.of(2, 1), 1),
                        new Igebm(1, 8, List.of(4, 6), 1, 0.2, false),
                        new ShortRun(1, 8, 4, 1, Activation.SILU, 0),
                        new WideResnet(1, 8, 10, 1, Norm.BATCH, 1, 0.2))
                .map(network -> network.shaped(shape, 1));
    }

    /** Spectral norms, standardised weights, norms and attention, along some directions. */
    @ParameterizedTest
    @MethodSource("networks")
    void flowsThroughEveryNetwork(Network network) {
        Langevin kernel = with(Langevin.of(0.1), "noise", 0.1, "noiseFirst", true, "clamp", range(-2, 2));
        try (Setting setting = Setting.of(
                EnergyModel.plain(network),
                new Contrastive(),
                kernel,
                new Kl(0.7, 2, Optional.of(ENTROPY)),
                3,
                1,
                8,
                8)) {
            Tensor gradient = setting.value().gradient();
            Tensor flat = setting.parameters.flat();
            Tensor trained = trained(setting.parameters);
            double length = gradient.norm().item();
            assertThat(length).isPositive();
            List<Double> errors = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Tensor random = Tensors.normalLike(Key.of(20 + i), 1, flat).timesInPlace(trained);
                Tensor direction = random.timesInPlace(1 / random.norm().item()).addInPlace(gradient, 1 / length);
                double slope = gradient.times(direction).sum().item();
                double h = 1e-5;
                flat.addInPlace(direction, h);
                double up = setting.plain();
                flat.addInPlace(direction, -2 * h);
                double down = setting.plain();
                flat.copyInPlace(setting.held.flat());
                errors.add(Math.abs((up - down) / (2 * h) / slope - 1));
            }
            assertThat(errors).allSatisfy(error -> assertThat(error).isLessThan(1e-6));
        }
    }

    private static Tensor trained(Parameters parameters) {
        List<Tensor> parts = new ArrayList<>();
        parameters.layout().entries().forEach(entry -> {
            Tensor part = parameters.get(entry.name()).reshape(-1);
            parts.add(
                    entry.trained()
                            ? Tensors.full(1, DType.DOUBLE, Device.CPU, part.shape())
                            : Tensors.zerosLike(part));
        });
        return Tensors.concat(0, parts);
    }

    /** A sample that lies in the buffer is at distance 0. */
    @Test
    void distancesOfZeroAreNumbers() {
        Kl term = new Kl(0, 1, Optional.of(ENTROPY));
        try (Setting setting = Setting.of(PLAIN, new Contrastive(), GradientDescent.of(1e-3), term, 7, 2)) {
            DifferentiableTail last = setting.last();
            DifferentiableTail same = new DifferentiableTail(
                    last.target(),
                    last.kernel(),
                    last.x(),
                    last.k(),
                    last.from(),
                    last.steps(),
                    last.parts(),
                    Optional.of(setting.drawn.x()),
                    last.ends());
            DrawnNegatives drawn =
                    new DrawnNegatives(setting.drawn.x(), last.k(), setting.drawn.acceptance(), Optional.of(same));
            Term.Value value = term.of(Key.of(9), PLAIN, setting.parameters, Batch.of(drawn.x()), drawn);
            assertThat(value.value()).isCloseTo(-0.3 * Math.log(1e-6), within(0.1));
            assertThat(value.gradient().allFinite()).isTrue();
        }
    }
}
