package dev.kelvin.train.latent;

import dev.kelvin.objective.Integration;
import dev.kelvin.sample.Ladder;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.State;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The temperatures of an integration, from 0 to 1: where its settings say, or, where it is adaptive, moved by what training finds
 * of dE/dt = Var[log p(x|z)] under p(z|x, t). That is the mean over the images of each one's own variance: images differ from
 * each other far more, which says nothing of where the integral is hard.
 */
final class Temperatures implements AutoCloseable {
    private static final double KEPT = 0.95; // of what was known of a temperature's variance, a step
    private static final double LEAST = 0.01; // of the mean variance: by noise alone one may come out below 0

    private final boolean adaptive;
    private final Tensor ladder; // t, and the variances of the log-likelihood there; [2, N + 1]

    /** The posterior's alone where nothing is integrated. */
    Temperatures(Optional<Integration> integration) {
        adaptive = integration.filter(Integration::adaptive).isPresent();
        double[] first = integration.map(by -> by.ladder().t()).orElseGet(() -> new double[] {1});
        try (Scope scope = Scope.open()) {
            ladder = Scope.detach(Tensors.concat(
                    0, Tensors.of(first, 1, first.length), Tensors.zeros(DType.DOUBLE, Device.CPU, 1, first.length)));
        }
    }

    double[] t() {
        try (Scope scope = Scope.open()) {
            return ladder.select(0, 0).toDoubles();
        }
    }

    /** Moves those that are adapted, given the mean log-likelihood at each. */
    void move(double... means) {
        if (!adaptive) {
            return;
        }
        try (Scope scope = Scope.open()) {
            Ladder now = new Ladder(t());
            double[] found = now.slopes(means);
            double[] known = ladder.select(0, 1).toDoubles();
            boolean first = Arrays.stream(known).allMatch(variance -> variance == 0);
            double[] variances = IntStream.range(0, found.length)
                    .mapToDouble(i -> first ? found[i] : KEPT * known[i] + (1 - KEPT) * found[i])
                    .toArray();
            if (!Arrays.stream(variances).allMatch(Double::isFinite)) {
                return;
            }
            double least =
                    LEAST * Arrays.stream(variances).map(Math::abs).average().orElse(0);
            double[] deviations = Arrays.stream(variances)
                    .map(variance -> Math.sqrt(Math.max(variance, least)))
                    .toArray();
            double[] placed = now.placed(deviations).t();
            double[] there =
                    Arrays.stream(placed).map(at -> now.between(variances, at)).toArray();
            ladder.select(0, 0).copyInPlace(Tensors.of(placed));
            ladder.select(0, 1).copyInPlace(Tensors.of(there));
        }
    }

    void save(State state) {
        state.put("temperatures", ladder);
    }

    /** Takes over those that were adapted; others are where the settings say. */
    void load(State state) {
        if (adaptive) {
            state.restore("temperatures", ladder);
        }
    }

    @Override
    public void close() {
        ladder.close();
    }
}
