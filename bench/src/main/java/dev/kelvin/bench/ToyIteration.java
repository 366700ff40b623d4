package dev.kelvin.bench;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.ModelChains;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.negative.Steps;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.optim.Adam;
import dev.kelvin.sample.Langevin;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.train.Descent;
import dev.kelvin.train.EnergyLearner;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One training iteration of paper 004's toy, K = 20, MLP 2-32-64-64-64-1, batch 100 + 100, against the same in PyTorch:
 * one thread each, blocks of both in turn, medians.
 */
public final class ToyIteration {
    private static final int STEPS = 20;
    private static final int BATCH = 100;
    private static final int BLOCK = 20;
    private static final int WARM_UP = 3000;
    private static final int ROUNDS = 101;

    private final ToyData data = ToyData.named("rings");
    private final EnergyLearner learner;
    private long step;

    private ToyIteration() {
        EnergyModel model = EnergyModel.plain(new Mlp(2, List.of(32, 64, 64, 64), 1, Activation.LEAKY_RELU, 0.05));
        Parameters parameters = model.layout().init(Key.of(0), DType.FLOAT);
        learner = new EnergyLearner(
                model,
                new ModelChains(
                        SampleSource.gaussian(List.of(), 2, List.of(2L), Device.CPU),
                        Langevin.of(0.0015),
                        Steps.of(STEPS),
                        Optional.empty(),
                        Optional.empty()),
                new Contrastive(),
                List.of(),
                new EnergyLearner.Settings(BATCH, 1),
                new Descent(parameters, Adam.of(1e-3), Long.MAX_VALUE, 0));
    }

    private double run(int iterations) {
        long began = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            try (Scope scope = Scope.open()) {
                Key[] keys = Key.of(0).child(step).split(2);
                learner.step(keys[1], step++, Batch.of(data.draw(keys[0], BATCH)));
            }
        }
        return (System.nanoTime() - began) / 1e9;
    }

    public static void main(String[] arguments) throws IOException {
        Backend.threads(1);
        ToyIteration kelvin = new ToyIteration();
        try (Peer pytorch = Peer.start("toy_iteration.py")) {
            kelvin.run(WARM_UP);
            pytorch.run(BLOCK);
            double[] ours = new double[ROUNDS];
            double[] theirs = new double[ROUNDS];
            double[] ratios = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                ours[round] = kelvin.run(BLOCK) / BLOCK;
                theirs[round] = pytorch.run(BLOCK) / BLOCK;
                ratios[round] = ours[round] / theirs[round];
            }
            System.out.printf(
                    Locale.ROOT,
                    "a training iteration, K = %d, batch %d + %d, one thread, medians of %d blocks of %d in turn%n"
                            + "Kelvin          %7.3f ms%nPyTorch %-7s %7.3f ms%nratio           %7.3f (%.3f to %.3f)%n",
                    STEPS,
                    BATCH,
                    BATCH,
                    ROUNDS,
                    BLOCK,
                    1e3 * median(ours),
                    pytorch.version(),
                    1e3 * median(theirs),
                    median(ratios),
                    Arrays.stream(ratios).min().orElseThrow(),
                    Arrays.stream(ratios).max().orElseThrow());
        }
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
