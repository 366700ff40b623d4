package dev.kelvin.run;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LatentModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.TiltedGaussianHead;
import dev.kelvin.energy.ValueAndGradient;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.nn.RecordedPullback;
import dev.kelvin.nn.conv.Generator;
import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.ImprovedCd;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.PreactResnet;
import dev.kelvin.nn.conv.Resnet;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.nn.conv.WideResnet;
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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

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

    private static final double RECORDED_BOUND = 1e-3; // the same operations; some convolutions sum in any order

    private static final double STEP = 1; // of chains
    private static final double NOISE = 0.01;
    private static final int STEPS = 10;
    private static final double MALA_STEP = 0.01; // at which some proposals are refused
    private static final double STRETCH = 0.8; // of the rows
    private static final double PULL = 0.9; // on the parameters between recording and playing

    private static final int SAMPLES = 8;
    private static final int OTHERS = 5;
    private static final int SIZE = 16;
    private static final int LATENT = 8; // numbers of a latent vector
    private static final double SLOPE = 0.2;

    /** Of every kind of network on this device. */
    public static List<DeviceSelfTest> of(Device device) {
        List<DeviceSelfTest> all = new ArrayList<>();
        all.add(of("mlp", new Mlp(2, List.of(32, 64), 1, Activation.SILU, SLOPE), device, 2));
        Network shortRun = new ShortRun(3, SIZE, 16, 1, Activation.LEAKY_RELU, SLOPE);
        all.add(ofImages("short-run", shortRun, device));
        all.add(ofImages("igebm", new Igebm(3, SIZE, List.of(16, 32), 1, SLOPE, false), device));
        all.add(ofImages("improved-cd", new ImprovedCd(3, SIZE, 16, 4, List.of(2, 1), 1), device));
        all.add(ofImages("wide-resnet", new WideResnet(3, SIZE, 10, 2, Norm.NONE, 1, SLOPE), device));
        all.add(ofImages("resnet", new Resnet(3, SIZE, List.of(16, 32), 1, 1, Activation.LEAKY_RELU, SLOPE), device));
        all.add(ofImages(
                "preact-resnet",
                new PreactResnet(3, SIZE, List.of(16, 32), 1, false, 32, 1, Activation.SILU, SLOPE, 1),
                device));
        all.add(between(
                "short-run, bfloat16", shortRun, new Bfloat16(shortRun), BFLOAT16_BOUND, device, 3, SIZE, SIZE));
        if (device.cuda()) {
            Network wide = new WideResnet(3, SIZE, 10, 1, Norm.NONE, 1, SLOPE);
            all.add(recorded("langevin", Langevin.of(STEP).withNoise(NOISE), shortRun, device));
            all.add(recorded("langevin, bfloat16", Langevin.of(STEP).withNoise(NOISE), new Bfloat16(wide), device));
            all.add(recorded("psgld", Psgld.of(STEP), wide, device));
            all.add(recorded("svgd", Svgd.of(STEP), wide, device));
            all.add(recorded("stein-langevin", SteinLangevin.of(STEP), wide, device));
            all.add(recorded("mala", Mala.of(MALA_STEP), wide, device));
            all.add(recordedPosterior(device));
            Network halves = new Bfloat16(wide);
            Work pass = (key, parameters, x) -> halves.pullback(parameters, x);
            all.add(recordedGradient("a recorded pass of training", halves, device, pass, SAMPLES, 1));
            Network deep = new ImprovedCd(3, SIZE, 16, 4, List.of(2, 1), 1);
            Work moves = (key, parameters, x) -> moves(key, EnergyModel.plain(deep), parameters, x);
            all.add(recordedGradient(
                    "a recorded gradient through chains", deep, device, moves, withSamples(3, SIZE, SIZE)));
        }
        return all;
    }

    /**
     * Compares where a recorded chain ends with the same chain step by step, after another start was recorded, with another key,
     * other parameters and other step sizes of the rows.
     */
    private static DeviceSelfTest recorded(String name, Kernel<?> kernel, Network network, Device device) {
        EnergyModel model = EnergyModel.plain(network);
        try (Scope scope = Scope.open();
                Parameters onCpu = network.layout().init(Key.of(0), DType.FLOAT);
                Parameters parameters = onCpu.to(device)) {
            long[] shape = withSamples(3, SIZE, SIZE);
            Tensor first = Tensors.normal(Key.of(1), DType.FLOAT, device, shape);
            Tensor x = Tensors.normal(Key.of(2), DType.FLOAT, device, shape);
            ChainRun.Course course =
                    ChainRun.Course.of(STEPS).stretched(Tensors.full(1, DType.FLOAT, device, SAMPLES, 1, 1, 1));
            Tensor stretch = Tensors.full(STRETCH, DType.FLOAT, device, SAMPLES, 1, 1, 1);
            try (RecordedChainRun run =
                    RecordedChainRun.of(Key.of(3), kernel, () -> model.density(parameters), first, course)) {
                parameters.flat().timesInPlace(PULL);
                model.density(parameters).gradient(x.narrow(0, 0, OTHERS)); // a shape that is new: may it free nothing
                Tensor found = run.run(Key.of(4), x, Optional.of(stretch)).x();
                LogDensity density = model.density(parameters).rescaled(stretch);
                Tensor expected = ChainRun.run(Key.of(4), kernel, density, x.over(stretch), STEPS)
                        .x()
                        .times(stretch);
                return new DeviceSelfTest("a recorded chain, " + name, difference(expected, found), RECORDED_BOUND);
            }
        }
    }

    /** Compares a latent model's recorded posterior chains in that way, with other samples and temperatures. */
    private static DeviceSelfTest recordedPosterior(Device device) {
        EnergyModel prior = new EnergyModel(
                new Mlp(LATENT, List.of(16), 1, Activation.LEAKY_RELU, SLOPE), new TiltedGaussianHead(1));
        Generator generator = new Generator(LATENT, List.of(16, 8), 3, SIZE, Activation.LEAKY_RELU, SLOPE);
        LatentModel model = new LatentModel(prior, generator, 1);
        Kernel<?> kernel = Langevin.of(MALA_STEP);
        try (Scope scope = Scope.open();
                Parameters alphaOnCpu = prior.layout().init(Key.of(0), DType.FLOAT);
                Parameters alpha = alphaOnCpu.to(device);
                Parameters betaOnCpu = generator.layout().init(Key.of(1), DType.FLOAT);
                Parameters beta = betaOnCpu.to(device)) {
            Tensor samples = Tensors.normal(Key.of(2), DType.FLOAT, device, withSamples(3, SIZE, SIZE));
            Tensor t = Tensors.full(1, DType.DOUBLE, device, SAMPLES);
            Tensor z = Tensors.normal(Key.of(3), DType.FLOAT, device, SAMPLES, LATENT);
            Supplier<LogDensity> posterior = () -> model.posterior(alpha, beta, samples, t);
            try (RecordedChainRun run =
                    RecordedChainRun.of(Key.of(4), kernel, posterior, z, ChainRun.Course.of(STEPS))) {
                alpha.flat().timesInPlace(PULL);
                beta.flat().timesInPlace(PULL);
                samples.timesInPlace(PULL);
                t.timesInPlace(PULL);
                Tensor found = run.run(Key.of(5), z, Optional.empty()).x();
                Tensor expected = ChainRun.run(Key.of(5), kernel, posterior.get(), z, STEPS)
                        .x();
                return new DeviceSelfTest("a recorded posterior chain", difference(expected, found), RECORDED_BOUND);
            }
        }
    }

    /** A pass with a way back to the gradient. */
    private interface Work {
        Pullback at(Key key, Parameters parameters, Tensor x);
    }

    /** Compares a recorded gradient with that of the work step by step, with other parameters and another key. */
    private static DeviceSelfTest recordedGradient(
            String name, Network network, Device device, Work work, long... outputs) {
        try (Scope scope = Scope.open();
                Parameters onCpu = network.layout().init(Key.of(0), DType.FLOAT);
                Parameters parameters = onCpu.to(device)) {
            long[] shape = withSamples(3, SIZE, SIZE);
            Tensor first = Tensors.normal(Key.of(1), DType.FLOAT, device, shape);
            Tensor x = Tensors.normal(Key.of(2), DType.FLOAT, device, shape);
            Tensor weights = Tensors.normal(Key.of(3), DType.FLOAT, device, outputs);
            try (RecordedPullback pullback =
                    RecordedPullback.of(Key.of(4), (key, input) -> work.at(key, parameters, input), first, outputs)) {
                parameters.flat().timesInPlace(PULL);
                Pullback other = work.at(Key.of(6), parameters, x.narrow(0, 0, OTHERS)); // a new shape
                other.gradient().apply(weights.narrow(0, 0, OTHERS));
                Tensor found = pullback.at(Key.of(5), x).gradient().apply(weights);
                Tensor expected = work.at(Key.of(5), parameters, x).gradient().apply(weights);
                return new DeviceSelfTest(name, difference(expected, found), RECORDED_BOUND);
            }
        }
    }

    private static Pullback moves(Key key, EnergyModel model, Parameters parameters, Tensor x) {
        Langevin kernel = Langevin.of(STEP).withNoise(NOISE);
        NegativeSource.Target target = new NegativeSource.Target() {
            @Override
            public LogDensity of(long... k) {
                return model.density(parameters);
            }

            @Override
            public LogDensity with(Parameters others, long... k) {
                return model.density(others);
            }
        };
        return target.through(key, kernel, x, new long[(int) x.size(0)], ChainRun.Course.of(2), parameters);
    }

    private static DeviceSelfTest ofImages(String name, Network network, Device device) {
        return of(name, network, device, 3, SIZE, SIZE);
    }

    private static DeviceSelfTest of(String name, Network network, Device device, long... shape) {
        return between(name, network, network, FLOAT_BOUND, device, shape);
    }

    /** Of a network on the device with a reference on the CPU. */
    private static DeviceSelfTest between(
            String name, Network reference, Network network, double bound, Device device, long... shape) {
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(0), DType.FLOAT);
                Parameters there = parameters.to(device)) {
            Tensor x = Tensors.normal(Key.of(1), DType.FLOAT, Device.CPU, withSamples(shape));
            ValueAndGradient expected = bound(reference, parameters).valueAndGradient(x);
            ValueAndGradient found = bound(network, there).valueAndGradient(x.to(device));
            double difference = Math.max(
                    difference(expected.value(), found.value()), difference(expected.gradient(), found.gradient()));
            return new DeviceSelfTest(name, difference, bound);
        }
    }

    private static LogDensity bound(Network network, Parameters parameters) {
        return EnergyModel.plain(network).density(parameters);
    }

    private static long[] withSamples(long... shape) {
        long[] all = new long[shape.length + 1];
        all[0] = SAMPLES;
        System.arraycopy(shape, 0, all, 1, shape.length);
        return all;
    }

    private static double difference(Tensor expected, Tensor found) {
        double[] a = expected.toDoubles();
        double[] b = found.toDoubles();
        double apart = 0;
        double length = 0;
        for (int i = 0; i < a.length; i++) {
            apart = Math.hypot(apart, a[i] - b[i]);
            length = Math.hypot(length, a[i]);
        }
        return apart / length;
    }

    /** Not so where a number is missing. */
    public boolean holds() {
        return difference <= bound;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.1e (at most %.0e) %s", difference, bound, network);
    }
}
