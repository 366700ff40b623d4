package dev.kelvin.bench;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.util.Locale;

/**
 * Twenty Langevin steps on the short-run network (64 filters, 3×32×32, batch 64) against PyTorch, two threads each on the
 * CPU, in float and in bfloat16 with channels last, blocks of both in turn.
 */
public final class ImageWalk {
    private static final int STEPS = 20;
    private static final int BATCH = 64;
    private static final int THREADS = 2;
    private static final int ROUNDS = 15;
    private static final long COMPILING = 10_000_000_000L; // nanoseconds that Java runs before it is timed
    private static final double LONG =
            20; // seconds a walk beyond which one is enough: bfloat16 without instructions for it
    private static final Langevin KERNEL = Langevin.of(1).withNoise(0.01);

    private final LogDensity density;
    private final Device device;
    private final Tensor start;

    private ImageWalk(Network network, Device device) {
        this.device = device;
        Parameters parameters;
        try (Parameters onCpu = network.layout().init(Key.of(0), DType.FLOAT)) {
            parameters = onCpu.to(device);
        }
        density = EnergyModel.plain(network).density(parameters);
        start = Tensors.uniform(Key.of(1), -1, 1, DType.FLOAT, Device.CPU, BATCH, 3, 32, 32)
                .to(device);
    }

    /** The seconds of one walk. */
    private double run(boolean apart) {
        try (Scope scope = Scope.open()) {
            device.synchronize();
            long began = System.nanoTime();
            ChainRun walk = apart
                    ? ChainRun.inHalves(Key.of(2), KERNEL, density, start, STEPS)
                    : ChainRun.run(Key.of(2), KERNEL, density, start, STEPS);
            walk.x().sum().item();
            return (System.nanoTime() - began) / 1e9;
        }
    }

    public static void main(String[] arguments) throws IOException {
        Device device = arguments.length > 0 ? Device.parse(arguments[0]) : Device.CPU;
        Backend.threads(device.cuda() ? 1 : THREADS);
        ShortRun network = new ShortRun(3, 32, 64, 1, Activation.LEAKY_RELU, 0.2);
        try (Scope scope = Scope.open();
                Peer pytorch = Peer.start(THREADS, "image_walk.py", device.toString())) {
            ImageWalk plain = new ImageWalk(network, device);
            ImageWalk rounded = new ImageWalk(new Bfloat16(network), device);
            System.out.printf(
                    Locale.ROOT,
                    "%d Langevin steps on the short-run network, batch %d, %s, medians of up to %d walks in turn, ms%n",
                    STEPS,
                    BATCH,
                    device,
                    ROUNDS);
            double theirs = compare("float", plain, pytorch, "float");
            double low = compare("bfloat16", rounded, pytorch, "bfloat16");
            System.out.printf(Locale.ROOT, "Kelvin in bfloat16 / PyTorch in float: %.3f%n", low / theirs);
        }
    }

    /** Prints both medians; returns PyTorch's for float, ours for bfloat16. */
    private static double compare(String name, ImageWalk kelvin, Peer pytorch, String precision) throws IOException {
        boolean halves = !kelvin.device.cuda();
        double last = 0;
        for (long began = System.nanoTime(); System.nanoTime() - began < COMPILING; ) {
            last = kelvin.run(false);
        }
        pytorch.ask(precision);
        int rounds = last > LONG ? 1 : ROUNDS;
        double[] whole = new double[rounds];
        double[] apart = new double[rounds];
        double[] peer = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            double a = kelvin.run(false);
            double b = Double.parseDouble(pytorch.ask(precision));
            Backend.threads(1);
            double c = halves ? kelvin.run(true) : a;
            Backend.threads(halves ? THREADS : 1);
            whole[round] = a;
            apart[round] = c;
            peer[round] = b;
        }
        double best = Math.min(ToyIteration.median(whole), ToyIteration.median(apart));
        System.out.printf(
                Locale.ROOT,
                "%-9s Kelvin %8.1f (in halves %8.1f)   PyTorch %s %8.1f   ratio %.3f%n",
                name,
                1e3 * ToyIteration.median(whole),
                1e3 * ToyIteration.median(apart),
                pytorch.version(),
                1e3 * ToyIteration.median(peer),
                best / ToyIteration.median(peer));
        return precision.equals("float") ? ToyIteration.median(peer) : best;
    }
}
