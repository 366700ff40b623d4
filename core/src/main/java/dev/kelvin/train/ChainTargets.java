package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Table;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.nn.Parameters;
import dev.kelvin.objective.Compared;
import dev.kelvin.objective.Objective;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.RecordedWalk;
import dev.kelvin.sample.Walk;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.TensorException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The densities that a learner's chains walk on, with its parameters as they are. On a GPU a walk that comes a second time,
 * but for its start, its random numbers and the parameters, is recorded and played from then on.
 */
final class ChainTargets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChainTargets.class);

    /** Walks that are kept: one for each source of negatives, and few have more than two. */
    private static final int MOST = 4;

    private final EnergyModel model;
    private final Parameters parameters;
    private final Map<Recorded, RecordedWalk> walks = new LinkedHashMap<>(MOST, 0.75f, true);
    private final Set<Recorded> seen = new LinkedHashSet<>();
    private boolean records = true;

    /** What a recorded walk is of. */
    private record Recorded(
            Kernel<?> kernel, List<Long> shape, boolean stretched, int steps, Compared compares, double scale) {}

    ChainTargets(EnergyModel model, Parameters parameters) {
        this.model = model;
        this.parameters = parameters;
    }

    /** What the objective's chains walk on, until the parameters move. */
    NegativeSource.Target of(Objective objective) {
        return new Density(objective.compares(), objective.samplingScale());
    }

    private final class Density implements NegativeSource.Target {
        private final Compared compares;
        private final double scale;

        Density(Compared compares, double scale) {
            this.compares = compares;
            this.scale = scale;
        }

        @Override
        public LogDensity of(long... k) {
            Table table = model.bind(parameters);
            return switch (compares) {
                case MARGINAL -> table.marginal().scaled(scale);
                case PAIR -> table.marginalOfPairs(scale);
                case GIVEN -> table.given(k).scaled(scale);
            };
        }

        @Override
        public Walk walk(Key key, Kernel<?> kernel, Tensor x, long[] k, Optional<Tensor> stretch, int steps) {
            boolean anyColumn = compares != Compared.GIVEN || model.columns() == 1;
            if (!records || !x.device().cuda() || kernel.decidesOnHost() || !anyColumn || steps == 0) {
                return NegativeSource.Target.super.walk(key, kernel, x, k, stretch, steps);
            }
            List<Long> shape = Arrays.stream(x.shape()).boxed().toList();
            Recorded what = new Recorded(kernel, shape, stretch.isPresent(), steps, compares, scale);
            RecordedWalk walk = walks.get(what);
            if (walk == null && !seen.add(what)) {
                walk = recorded(what, key, x, k, stretch);
            }
            forgetOld();
            return walk == null
                    ? NegativeSource.Target.super.walk(key, kernel, x, k, stretch, steps)
                    : walk.run(key, x, stretch);
        }

        private @Nullable RecordedWalk recorded(Recorded what, Key key, Tensor x, long[] k, Optional<Tensor> stretch) {
            try {
                RecordedWalk walk = RecordedWalk.of(key, what.kernel, () -> of(k), x, stretch, what.steps);
                walks.put(what, walk);
                return walk;
            } catch (TensorException | LinkageError e) {
                LOG.warn("Chains run step by step, because they cannot be recorded: {}", e.getMessage());
                records = false;
                return null;
            }
        }
    }

    private void forgetOld() {
        Iterator<RecordedWalk> eldest = walks.values().iterator();
        while (walks.size() > MOST) {
            eldest.next().close();
            eldest.remove();
        }
        Iterator<Recorded> first = seen.iterator();
        while (seen.size() > MOST) {
            first.next();
            first.remove();
        }
    }

    @Override
    public void close() {
        walks.values().forEach(RecordedWalk::close);
        walks.clear();
    }
}
