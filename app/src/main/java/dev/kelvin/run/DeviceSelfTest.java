package dev.kelvin.run;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LatentModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.TiltedGaussianHead;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.nn.RecordedPullback;
import dev.kelvin.nn.SquaredNorm;
import dev.kelvin.nn.conv.Generator;
import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.ImprovedCd;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.PreactResnet;
import dev.kelvin.nn.conv.Resnet;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.nn.conv.Stem;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.optim.Adam;
import dev.kelvin.optim.Adamw;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.OptimiserState;
import dev.kelvin.optim.Schedule;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Words;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.Psgld;
import dev.kelvin.sample.SteinLangevin;
import dev.kelvin.sample.Svgd;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.chain.RecordedChainRun;
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
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How far a device's f and ∇f are from the CPU's in float, for one network with its first parameters.
 *
 * @param difference ‖there − here‖/‖here‖ over all numbers, of f or of ∇f, whichever is larger
 * @param bound what it may be: GPUs sum in another order, bfloat16 rounds to
 *     8, which turns some leaky ReLUs over
 */
public record DeviceSelfTest(String network, double difference, double bound) {
    private static final double FLOAT_BOUND = 1e-3;
    private static final double BFLOAT16_BOUND = 0.1;

    private static final double LAYER_BOUND = 0.25; // of a layer's few numbers; a term that is missing makes it about 1

    private static final double RECORDED_BOUND = 1e-3; // the same operations; some convolutions sum in any order

    private static final double STEP = 1; // of walks
    private static final double NOISE = 0.01;
    private static final int STEPS = 10;
    private static final double MALA_STEP = 0.01; // at which some proposals are refused
    private static final double STRETCH = 0.8; // of the rows
    private static final double PULL = 0.9; // on the parameters between recording and playing

    private static final int SAMPLES = 8;
    private static final int OTHERS = 5;
    private static final int SIZE = 16;
    private static final double RATE = 0.1; // of optimisers
    private static final double DECAY = 0.01;
    private static final int LATENT = 8; // numbers of a latent vector
    private static final double SLOPE = 0.2;

    /** Of every kind of network on this device. */
    public static List<DeviceSelfTest> of(Device device) {
        Activation leaky = Activation.LEAKY_RELU;
        Network shortRun = new ShortRun(3, SIZE, 16, 1, leaky, SLOPE);
        Network improvedCd = new ImprovedCd(3, SIZE, 16, 4, List.of(2, 1), 1);
        List<DeviceSelfTest> all = Stream.of(
                        new Mlp(2, List.of(32, 64), 1, Activation.SILU, SLOPE),
                        shortRun,
                        new Igebm(3, SIZE, List.of(16, 32), 1, SLOPE, false),
                        improvedCd,
                        new WideResnet(3, SIZE, 10, 2, Norm.NONE, 1, SLOPE),
                        new Resnet(3, SIZE, List.of(16, 32), 1, 1, leaky, SLOPE),
                        new PreactResnet(3, SIZE, List.of(16, 32), 1, false, 32, 1, Activation.SILU, SLOPE, 1),
                        new SquaredNorm(new ShortRun(3, SIZE, 16, OTHERS, leaky, SLOPE), OTHERS))
                .map(network -> between(Catalogue.name(network), network, network, FLOAT_BOUND, device))
                .collect(Collectors.toCollection(ArrayList::new));
        Network pooled = new Resnet(3, SIZE, List.of(16, 32), 1, 1, leaky, SLOPE, Stem.IMAGENET);
        all.add(between("resnet, imagenet stem", pooled, pooled, FLOAT_BOUND, device));
        all.add(between("short-run, bfloat16", shortRun, new Bfloat16(shortRun), BFLOAT16_BOUND, device));
        Stream.of(
                        new Adam(RATE, 0.9, 0.99, 1e-8, DECAY, Schedule.constant(), OptionalDouble.empty()),
                        new Adamw(RATE, 0.9, 0.99, 1e-8, DECAY, Schedule.constant(), OptionalDouble.empty()))
                .map(optimiser -> steps(optimiser, device))
                .forEach(all::add);
        if (device.cuda()) {
            Network wide = new WideResnet(3, SIZE, 10, 1, Norm.NONE, 1, SLOPE);
            all.add(between("wide-resnet, bfloat16", wide, new Bfloat16(wide), BFLOAT16_BOUND, device));
            all.add(writtenOut(wide, device));
            Langevin langevin = Langevin.of(STEP).withNoise(NOISE);
            all.add(recorded("chain, langevin", shortRun, device, chain(langevin)));
            all.add(recorded("chain, langevin, bfloat16", new Bfloat16(wide), device, chain(langevin)));
            Stream.of(Psgld.of(STEP), Svgd.of(STEP), SteinLangevin.of(STEP), Mala.of(MALA_STEP))
                    .map(kernel -> recorded("chain, " + Catalogue.name(kernel), wide, device, chain(kernel)))
                    .forEach(all::add);
            all.add(recordedPosterior(device));
            Pass pass = (model, key, x) -> model.network.pullback(model.parameters, x);
            all.add(recorded("pass of training", new Bfloat16(wide), device, gradients(pass, SAMPLES, 1)));
            Network squared = new SquaredNorm(new WideResnet(3, SIZE, 10, 1, Norm.NONE, OTHERS, SLOPE), OTHERS);
            all.add(recorded("chain, langevin, squared-norm", squared, device, chain(langevin)));
            all.add(recorded("pass of training, squared-norm", squared, device, gradients(pass, SAMPLES, 1)));
            Recording moves = gradients(DeviceSelfTest::moves, SAMPLES, 3, SIZE, SIZE);
            all.add(recorded("gradient through chains", improvedCd, device, moves));
        }
        return all;
    }

    /** Compares some steps of an optimiser with the CPU's. */
    private static DeviceSelfTest steps(Optimiser optimiser, Device device) {
        try (Scope scope = Scope.open()) {
            Tensor[] moved = Stream.of(Device.CPU, device)
                    .map(place -> {
                        Tensor x = Tensors.normal(Key.of(0), SIZE * SIZE).to(place);
                        try (OptimiserState state = optimiser.start(x)) {
                            for (int step = 1; step <= STEPS; step++) {
                                state.step(
                                        x,
                                        Tensors.normal(Key.of(step), SIZE * SIZE)
                                                .to(place),
                                        RATE);
                            }
                        }
                        return x;
                    })
                    .toArray(Tensor[]::new);
            return new DeviceSelfTest(
                    "steps of " + Catalogue.name(optimiser), difference(moved[0], moved[1]), FLOAT_BOUND);
        }
    }

    /** A network with what every network has, and no way back written out. */
    private record Differentiated(Network inner) implements Network {
        @Override
        public Layout layout() {
            return inner.layout();
        }

        @Override
        public Tensor apply(Parameters parameters, Tensor input) {
            return inner.apply(parameters, input);
        }
    }

    /**
     * Compares a network's written-out ways back in bfloat16 with automatic differentiation on the same device: the gradient with
     * respect to the input, and that of each layer's parameters by itself, so that a small layer's shows.
     */
    private static DeviceSelfTest writtenOut(Network network, Device device) {
        Network low = new Bfloat16(network);
        Network plain = new Bfloat16(new Differentiated(network));
        try (Scope scope = Scope.open();
                Parameters onCpu = network.layout().init(Key.of(0), DType.FLOAT);
                Parameters parameters = onCpu.to(device)) {
            Tensor x = images(Key.of(1), device);
            Tensor weights = Tensors.normal(Key.of(2), DType.FLOAT, device, SAMPLES, 1);
            double worst = difference(
                    plain.inputPullback(parameters, x).gradient().apply(weights),
                    low.inputPullback(parameters, x).gradient().apply(weights));
            Tensor expected = plain.pullback(parameters, x).gradient().apply(weights);
            Tensor found = low.pullback(parameters, x).gradient().apply(weights);
            long from = 0;
            for (Layout.Entry entry : network.layout().entries()) {
                worst = Math.max(
                        worst,
                        difference(expected.narrow(0, from, entry.count()), found.narrow(0, from, entry.count())));
                from += entry.count();
            }
            return new DeviceSelfTest("wide-resnet, gradients by kernels of ours", worst, LAYER_BOUND);
        }
    }

    /** Something that is recorded with some samples, and played back with others after the parameters have moved. */
    private interface Recording {
        /** How far what is played back is from the same operations step by step. */
        double difference(Bound model, Tensor first, Tensor x);
    }

    /** A network with its parameters on the device. */
    private record Bound(Network network, Parameters parameters) {
        LogDensity density() {
            return EnergyModel.plain(network).density(parameters);
        }

        /** Moves the parameters, and evaluates another shape than the recorded one, which must free nothing that it uses. */
        void disturb(Tensor x) {
            parameters.flat().timesInPlace(PULL);
            density().gradient(x.narrow(0, 0, OTHERS));
        }
    }

    private static DeviceSelfTest recorded(String name, Network network, Device device, Recording recording) {
        try (Scope scope = Scope.open();
                Parameters onCpu = network.layout().init(Key.of(0), DType.FLOAT);
                Parameters parameters = onCpu.to(device)) {
            Tensor first = images(Key.of(1), device);
            Tensor x = images(Key.of(2), device);
            double difference = recording.difference(new Bound(network, parameters), first, x);
            return new DeviceSelfTest("a recorded " + name, difference, RECORDED_BOUND);
        }
    }

    private static Tensor images(Key key, Device device) {
        return Tensors.normal(key, DType.FLOAT, device, SAMPLES, 3, SIZE, SIZE);
    }

    /** Compares the ends of recorded chains with those of chains run step by step with other step sizes of the rows. */
    private static Recording chain(Kernel<?> kernel) {
        return (model, first, x) -> {
            Tensor stretch = Tensors.full(1, DType.FLOAT, x.device(), SAMPLES, 1, 1, 1);
            ChainRun.Course course = ChainRun.Course.of(STEPS).stretched(stretch);
            Tensor other = stretch.times(STRETCH);
            try (RecordedChainRun run = RecordedChainRun.of(Key.of(3), kernel, model::density, first, course)) {
                model.disturb(x);
                Tensor found = run.run(Key.of(4), x, Optional.of(other)).x();
                LogDensity density = model.density().rescaled(other);
                Tensor expected = ChainRun.run(Key.of(4), kernel, density, x.over(other), STEPS)
                        .x();
                return difference(expected.times(other), found);
            }
        };
    }

    /** Compares a latent model's recorded posterior chains likewise, with other samples and temperatures. */
    private static DeviceSelfTest recordedPosterior(Device device) {
        EnergyModel prior = new EnergyModel(
                new Mlp(LATENT, List.of(16), 1, Activation.LEAKY_RELU, SLOPE), new TiltedGaussianHead(1));
        Generator generator = new Generator(LATENT, List.of(16, 8), 3, SIZE, Activation.LEAKY_RELU, SLOPE);
        LatentModel model = new LatentModel(prior, generator, LATENT, 1);
        Kernel<?> kernel = Langevin.of(MALA_STEP);
        try (Scope scope = Scope.open();
                Parameters alphaOnCpu = prior.layout().init(Key.of(0), DType.FLOAT);
                Parameters alpha = alphaOnCpu.to(device);
                Parameters betaOnCpu = generator.layout().init(Key.of(1), DType.FLOAT);
                Parameters beta = betaOnCpu.to(device)) {
            Tensor samples = images(Key.of(2), device);
            Tensor t = Tensors.full(1, DType.DOUBLE, device, SAMPLES);
            Tensor z = Tensors.normal(Key.of(3), DType.FLOAT, device, SAMPLES, LATENT);
            Supplier<LogDensity> posterior = () -> model.posterior(alpha, beta, samples, t);
            try (RecordedChainRun run =
                    RecordedChainRun.of(Key.of(4), kernel, posterior, z, ChainRun.Course.of(STEPS))) {
                List.of(alpha.flat(), beta.flat(), samples, t).forEach(tensor -> tensor.timesInPlace(PULL));
                Tensor found = run.run(Key.of(5), z, Optional.empty()).x();
                Tensor expected = ChainRun.run(Key.of(5), kernel, posterior.get(), z, STEPS)
                        .x();
                return new DeviceSelfTest("a recorded posterior chain", difference(expected, found), RECORDED_BOUND);
            }
        }
    }

    /** Work with a way back to the parameters. */
    private interface Pass {
        Pullback at(Bound model, Key key, Tensor x);
    }

    /** Compares recorded gradients with respect to the parameters, of work with outputs of this shape. */
    private static Recording gradients(Pass pass, long... outputs) {
        return (model, first, x) -> {
            Tensor weights = Tensors.normal(Key.of(3), DType.FLOAT, x.device(), outputs);
            try (RecordedPullback pullback =
                    RecordedPullback.of(Key.of(4), (key, at) -> pass.at(model, key, at), first, outputs)) {
                model.disturb(x);
                Tensor found = pullback.at(Key.of(5), x).gradient().apply(weights);
                return difference(pass.at(model, Key.of(5), x).gradient().apply(weights), found);
            }
        };
    }

    private static Pullback moves(Bound model, Key key, Tensor x) {
        NegativeSource.Target target = new NegativeSource.Target() {
            @Override
            public LogDensity of(long... k) {
                return model.density();
            }

            @Override
            public LogDensity with(Parameters others, long... k) {
                return new Bound(model.network, others).density();
            }
        };
        Langevin kernel = Langevin.of(STEP).withNoise(NOISE);
        return target.through(key, kernel, x, new long[SAMPLES], ChainRun.Course.of(2), model.parameters);
    }

    /** Of a network on the device with a reference on the CPU. */
    private static DeviceSelfTest between(
            String name, Network reference, Network network, double bound, Device device) {
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(0), DType.FLOAT);
                Parameters there = parameters.to(device)) {
            Tensor x = reference instanceof Mlp
                    ? Tensors.normal(Key.of(1), DType.FLOAT, Device.CPU, SAMPLES, 2)
                    : images(Key.of(1), Device.CPU);
            ValueAndGradient expected =
                    new Bound(reference, parameters).density().valueAndGradient(x);
            ValueAndGradient found = new Bound(network, there).density().valueAndGradient(x.to(device));
            double difference = Math.max(
                    difference(expected.value(), found.value()), difference(expected.gradient(), found.gradient()));
            return new DeviceSelfTest(name, difference, bound);
        }
    }

    private static double difference(Tensor expected, Tensor found) {
        double[] a = expected.toDoubles();
        double[] b = found.toDoubles();
        double apart =
                IntStream.range(0, a.length).mapToDouble(i -> a[i] - b[i]).reduce(0, Math::hypot);
        return apart / Arrays.stream(a).reduce(0, Math::hypot);
    }

    /** Whether the difference is within the bound; false where a number is NaN. */
    public boolean holds() {
        return difference <= bound;
    }

    @Override
    public String toString() {
        return Words.say("%.1e (at most %.0e) %s", difference, bound, network);
    }
}
