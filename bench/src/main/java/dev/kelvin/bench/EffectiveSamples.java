package dev.kelvin.bench;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.diagnostic.EffectiveSampleSize;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Steps;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.optim.Adam;
import dev.kelvin.sample.Evaluated;
import dev.kelvin.sample.Hmc;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.StepSized;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.chain.Trace;
import dev.kelvin.sample.warmup.WarmUp;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.train.Descent;
import dev.kelvin.train.EnergyLearner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Effective samples a second of MALA and HMC against the same in PyTorch: 64 chains on a trained MLP 2-128-128-1 and on a
 * correlated Gaussian of 100 dimensions, the same start and step size, one thread each, blocks of both in turn, medians.
 *
 * <p>One estimator counts both sides' samples: the mean bulk ESS of the coordinates; the least of a hundred is mostly
 * chance. As the algorithms are the same,
 * acceptance and ESS a draw must agree; z says by how many standard errors the latter differ.
 */
public final class EffectiveSamples {
    private static final int CHAINS = 64;
    private static final int DIMENSION = 100;
    private static final int LEAPS = 10;
    private static final int TRAINING = 1000;
    private static final int WARM_UP = 3000; // steps: for the step size and the chains
    private static final long COMPILING = 8_000_000_000L; // nanoseconds that Java runs before it is timed
    private static final int ROUNDS = 21;
    private static final int GROUPS = 8; // of chains, for the standard error

    /**
     * A kernel, the acceptance that its step size is adapted to, and the steps of a block. 0.8 is above the optimum of
     * MALA, 0.574: there chains stick in the network's corners, and the ESS of one run says little.
     */
    private record Method(String name, StepSized<Evaluated> kernel, int leaps, double acceptance, int block) {}

    private record Problem(String name, LogDensity target, Tensor start) {}

    private static final List<Method> METHODS = List.of(
            new Method("mala", Mala.of(0.01), 1, 0.8, 300),
            new Method("hmc", new Hmc(0.1, LEAPS, 0, List.of(), 1), LEAPS, 0.8, 60));

    /** What one side did. */
    private static final class Side {
        private final double[] seconds = new double[ROUNDS]; // a step's, by block
        private final Trace trace;
        private double acceptance;

        Side(Method method) {
            trace = new Trace(ROUNDS * method.block);
        }

        double samples() {
            return samples(0, CHAINS);
        }

        /** The mean ESS of the coordinates, of these chains. */
        private double samples(int from, int to) {
            return IntStream.range(0, trace.coordinates())
                    .mapToDouble(c -> EffectiveSampleSize.bulk(Arrays.copyOfRange(trace.coordinate(c), from, to)))
                    .average()
                    .orElseThrow();
        }

        /** The ESS of each group of chains; the groups are independent. */
        double[] samplesByGroup() {
            int size = CHAINS / GROUPS;
            return IntStream.range(0, GROUPS)
                    .mapToDouble(group -> samples(group * size, (group + 1) * size))
                    .toArray();
        }

        double step() {
            return ToyIteration.median(seconds);
        }

        double samplesPerSecond(double samples) {
            return samples / (trace.draws() * step());
        }
    }

    private final Path folder;
    private final Peer pytorch;

    private EffectiveSamples(Path folder, Peer pytorch) {
        this.folder = folder;
        this.pytorch = pytorch;
    }

    public static void main(String[] arguments) throws IOException {
        Backend.threads(1);
        Path folder = Files.createTempDirectory("kelvin-ess");
        try (Scope scope = Scope.open()) {
            List<Problem> problems = List.of(mlp(folder), gaussian(folder));
            try (Peer pytorch = Peer.start("effective_samples.py", folder.toString())) {
                System.out.printf(
                        Locale.ROOT,
                        "effective samples a second, %d chains, one thread, medians of %d blocks in turn;%n"
                                + "Kelvin against PyTorch %s%n%n"
                                + "%-14s %9s %15s %17s %17s %15s %6s %6s %6s%n",
                        CHAINS,
                        ROUNDS,
                        pytorch.version(),
                        "",
                        "step size",
                        "acceptance",
                        "ESS a 1000 draws",
                        "step, us",
                        "ESS/s",
                        "z",
                        "steps",
                        "ratio");
                for (Problem problem : problems) {
                    for (Method method : METHODS) {
                        new EffectiveSamples(folder, pytorch).compare(problem, method);
                    }
                }
            }
        } finally {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    /** The toy's rings, learned for a few seconds. */
    private static Problem mlp(Path folder) throws IOException {
        EnergyModel model = EnergyModel.plain(new Mlp(2, List.of(128, 128), 1, Activation.LEAKY_RELU, 0.05));
        Parameters parameters = model.layout().init(Key.of(0), DType.FLOAT);
        EnergyLearner learner = new EnergyLearner(
                model,
                new ModelChains(
                        SampleSource.gaussian(List.of(), 2, List.of(2L), Device.CPU),
                        Langevin.of(0.0015),
                        Steps.of(20),
                        Optional.empty(),
                        Optional.empty()),
                new Contrastive(),
                List.of(),
                new EnergyLearner.Settings(100, 1),
                new Descent(parameters, Adam.of(1e-3), Long.MAX_VALUE, 0));
        ToyData data = ToyData.named("rings");
        for (long step = 0; step < TRAINING; step++) {
            try (Scope scope = Scope.open()) {
                Key[] keys = Key.of(1).child(step).split(2);
                learner.step(keys[1], step, Batch.of(data.draw(keys[0], 100)));
            }
        }
        Npy.write(folder.resolve("mlp.npy"), parameters.flat());
        return new Problem("mlp", model.density(parameters), data.draw(Key.of(2), CHAINS));
    }

    /** Widths from 1 to 2, neighbours correlated by a half: a condition number of about 30. */
    private static Problem gaussian(Path folder) throws IOException {
        double[] mean = IntStream.range(0, DIMENSION).mapToDouble(Math::sin).toArray();
        double[][] covariance = new double[DIMENSION][DIMENSION];
        for (int i = 0; i < DIMENSION; i++) {
            for (int j = 0; j < DIMENSION; j++) {
                covariance[i][j] = width(i) * width(j) * Math.pow(0.5, Math.abs(i - j));
            }
        }
        Gaussian gaussian = new Gaussian(mean, covariance);
        double[] numbers =
                Arrays.stream(covariance).flatMapToDouble(Arrays::stream).toArray();
        Npy.write(folder.resolve("mean.npy"), Tensors.of(mean));
        Npy.write(folder.resolve("covariance.npy"), Tensors.of(numbers, DIMENSION, DIMENSION));
        return new Problem("gaussian", gaussian, gaussian.draw(Key.of(3), CHAINS));
    }

    private static double width(int i) {
        return 1 + i / (DIMENSION - 1.0);
    }

    private void compare(Problem problem, Method method) throws IOException {
        Side ours = new Side(method);
        Side theirs = new Side(method);
        WarmUp<Evaluated> warm =
                WarmUp.run(Key.of(4), method.kernel, problem.target, problem.start, WARM_UP, method.acceptance);
        Npy.write(folder.resolve(problem.name + "-" + method.name + ".npy"), warm.x());
        String request = String.join(
                " ",
                problem.name,
                method.name,
                Double.toString(warm.kernel().stepSize()),
                Integer.toString(method.leaps),
                Integer.toString(method.block));
        Tensor x = warm.x();
        pytorch.ask(request);
        for (long began = System.nanoTime(); System.nanoTime() - began < COMPILING; ) {
            ChainRun.run(
                    Key.of(6),
                    warm.kernel(),
                    problem.target,
                    x,
                    method.block,
                    (step, state) -> new Trace(2).add(state.x()));
        }
        for (int round = 0; round < ROUNDS; round++) {
            long began = System.nanoTime();
            ChainRun walk = ChainRun.run(
                    Key.of(5).child(round),
                    warm.kernel(),
                    problem.target,
                    x,
                    method.block,
                    (step, state) -> ours.trace.add(state.x()));
            ours.seconds[round] = (System.nanoTime() - began) / 1e9 / method.block;
            ours.acceptance += walk.acceptance().orElseThrow() / ROUNDS;
            x = walk.x();
            ask(request, method, theirs, round);
        }
        print(problem.name + " " + method.name, warm.kernel().stepSize(), ours, theirs);
    }

    private void ask(String request, Method method, Side side, int round) throws IOException {
        String[] answer = pytorch.ask(request).split(" ", -1);
        side.seconds[round] = Double.parseDouble(answer[0]) / method.block;
        side.acceptance += Double.parseDouble(answer[1]) / ROUNDS;
        try (Scope scope = Scope.open()) {
            Tensor draws = Npy.read(folder.resolve("draws.npy"));
            for (int step = 0; step < method.block; step++) {
                side.trace.add(draws.select(0, step));
            }
        }
    }

    private static void print(String name, double stepSize, Side ours, Side theirs) {
        double ourSamples = ours.samples();
        double theirSamples = theirs.samples();
        double ourRate = ours.samplesPerSecond(ourSamples);
        double theirRate = theirs.samplesPerSecond(theirSamples);
        double each = 1000.0 / (CHAINS * ours.trace.draws());
        System.out.printf(
                Locale.ROOT,
                "%-14s %9.4f %7.3f %7.3f %8.2f %8.2f %8.1f %8.1f %7.0f %7.0f %6.1f %6.2f %6.2f%n",
                name,
                stepSize,
                ours.acceptance,
                theirs.acceptance,
                each * ourSamples,
                each * theirSamples,
                1e6 * ours.step(),
                1e6 * theirs.step(),
                ourRate,
                theirRate,
                z(ours.samplesByGroup(), theirs.samplesByGroup()),
                theirs.step() / ours.step(),
                ourRate / theirRate);
    }

    /** The difference of two means in standard errors. */
    private static double z(double[] a, double[] b) {
        return (mean(a) - mean(b)) / Math.sqrt((variance(a) + variance(b)) / GROUPS);
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
    }
}
