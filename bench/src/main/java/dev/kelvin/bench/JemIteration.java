package dev.kelvin.bench;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogitHead;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.Buffer;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.ReplayBuffer;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Steps;
import dev.kelvin.nn.Bfloat16;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.JointObjective;
import dev.kelvin.objective.Smoothing;
import dev.kelvin.optim.Adam;
import dev.kelvin.sample.Langevin;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Recording;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.Descent;
import dev.kelvin.train.EnergyLearner;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Training iterations of a joint energy model (wide residual networks without norm, 3×32×32, batch 64, 20 Langevin steps from
 * a buffer of 10 000, bfloat16, channels last) against PyTorch with CUDA graphs and fused Adam, blocks of both in turn.
 */
public final class JemIteration implements AutoCloseable {
    private static final int STEPS = 20;
    private static final int BATCH = 64;
    private static final int BUFFER = 10_000;
    private static final int CLASSES = 10;
    private static final int SIDE = 32;
    private static final int THREADS = 2;
    private static final int ROUNDS = 7;
    private static final int WARM_UP = 5;
    private static final int ALONE = 4; // arguments: the device, and a network's depth, width and iterations
    private static final double LEARNING_RATE = 1e-4;

    private record Size(int depth, int width, int iterations) {}

    private static final List<Size> ON_GPU = List.of(new Size(28, 10, 20), new Size(16, 4, 60), new Size(10, 2, 100));
    private static final List<Size> ON_CPU = List.of(new Size(10, 1, 1));

    private final Device device;
    private final EnergyLearner learner;
    private final Batch batch;
    private long step;

    private JemIteration(Size size, Device device) {
        this.device = device;
        EnergyModel model = new EnergyModel(
                new Bfloat16(new WideResnet(3, SIDE, size.depth, size.width, Norm.NONE, CLASSES, 0.2)),
                new LogitHead(CLASSES));
        Parameters parameters;
        try (Parameters onCpu = model.layout().init(Key.of(0), DType.FLOAT)) {
            parameters = onCpu.to(device);
        }
        SampleSource start = SampleSource.uniform(-1, 1, List.of(3L, (long) SIDE, (long) SIDE), device);
        ReplayBuffer buffer = new ReplayBuffer(
                Key.of(1), start, Buffer.of(BUFFER, ReplayBuffer.Entry.FIFO, 0.05), Optional.empty(), 1, 1);
        learner = new EnergyLearner(
                model,
                new ModelChains(
                        start, Langevin.of(1).withNoise(0.01), Steps.of(STEPS), Optional.of(buffer), Optional.empty()),
                new JointObjective.CdCe(new Contrastive(), 1, Smoothing.of(1)),
                List.of(),
                new EnergyLearner.Settings(BATCH, 1),
                new Descent(parameters, Adam.of(LEARNING_RATE), 1_000_000, 0));
        long[] labels = new long[BATCH];
        for (int i = 0; i < BATCH; i++) {
            labels[i] = i % CLASSES;
        }
        batch = new Batch(images(2), labels).labelledBy(new Batch(images(4), labels));
    }

    private Tensor images(int seed) {
        return Tensors.uniform(Key.of(seed), -1, 1, DType.FLOAT, Device.CPU, BATCH, 3, SIDE, SIDE)
                .to(device);
    }

    /** Finds convolutions' ways as a run's first step does, records the chain, and lets Java compile. */
    private void warmUp(int iterations) {
        Recording.rehearsed(device, () -> run(1));
        run(iterations);
    }

    /** The seconds that one iteration takes, on average over so many. */
    private double run(int iterations) {
        device.synchronize();
        long began = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            learner.step(Key.of(3).child(step), step, batch);
            step++;
        }
        device.synchronize();
        return (System.nanoTime() - began) / 1e9 / iterations;
    }

    public static void main(String[] arguments) throws IOException {
        Device device = arguments.length > 0 ? Device.parse(arguments[0]) : Device.CPU;
        Backend.threads(device.cuda() ? 1 : THREADS);
        if (arguments.length == ALONE) {
            alone(
                    new Size(
                            Integer.parseInt(arguments[1]),
                            Integer.parseInt(arguments[2]),
                            Integer.parseInt(arguments[3])),
                    device);
            return;
        }
        try (Peer pytorch = Peer.start(THREADS, "jem_iteration.py", device.toString())) {
            System.out.printf(
                    Locale.ROOT,
                    "JEM iterations, batch %d, %d steps, bfloat16, %s, medians of %d blocks in turn, ms%n",
                    BATCH,
                    STEPS,
                    device,
                    ROUNDS);
            for (Size size : device.cuda() ? ON_GPU : ON_CPU) {
                compare(size, device, pytorch);
            }
        }
    }

    /** One network without its peer, for a profiler. */
    private static void alone(Size size, Device device) {
        try (Scope scope = Scope.open();
                JemIteration kelvin = new JemIteration(size, device)) {
            kelvin.warmUp(WARM_UP);
            System.out.printf(
                    Locale.ROOT, "WRN-%d-%d %.2f ms%n", size.depth, size.width, 1e3 * kelvin.run(size.iterations));
        }
    }

    private static void compare(Size size, Device device, Peer pytorch) throws IOException {
        String ask = size.depth + " " + size.width + " " + size.iterations;
        double[] ours = new double[ROUNDS];
        double[] theirs = new double[ROUNDS];
        try (Scope scope = Scope.open();
                JemIteration kelvin = new JemIteration(size, device)) {
            kelvin.warmUp(size.iterations);
            pytorch.ask(ask);
            for (int round = 0; round < ROUNDS; round++) {
                ours[round] = kelvin.run(size.iterations);
                theirs[round] = Double.parseDouble(pytorch.ask(ask));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "WRN-%d-%d   Kelvin %8.1f   PyTorch %s %8.1f   ratio %.3f%n",
                size.depth,
                size.width,
                1e3 * ToyIteration.median(ours),
                pytorch.version(),
                1e3 * ToyIteration.median(theirs),
                ToyIteration.median(ours) / ToyIteration.median(theirs));
    }

    @Override
    public void close() {
        learner.close();
    }
}
