package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.energy.Table;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.negative.Wanted;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The densities that a learner's chains run on, with its parameters as they are. On a GPU a walk that comes a second time,
 * but for its start, its random numbers and the parameters, is recorded and played from then on.
 */
final class ChainTargets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChainTargets.class);

    /** Walks that are kept: one for each source of negatives, two where last moves are wanted, and few have more than two. */
    private static final int MOST = 4;

    private final EnergyModel model;
    private final Parameters parameters;
    private final Map<Recorded, RecordedWalk> walks = new LinkedHashMap<>(MOST, 0.75f, true);
    private final Set<Recorded> seen = new LinkedHashSet<>();
    private boolean records = true;

    /** What a recorded walk is of. */
    private record Recorded(
            Kernel<?> kernel,
            List<Long> shape,
            boolean stretched,
            int from,
            int steps,
            Compared compares,
            double scale) {}

    ChainTargets(EnergyModel model, Parameters parameters) {
        this.model = model;
        this.parameters = parameters;
    }

    /** What the objective's chains run on, until the parameters move, with what somebody wants to know of them. */
    NegativeSource.Target of(Objective objective, Wanted wanted) {
        return new Density(objective.compares(), objective.samplingScale(), wanted);
    }

    private final class Density implements NegativeSource.Target {
        private final Compared compares;
        private final double scale;
        private final Wanted wanted;

        Density(Compared compares, double scale, Wanted wanted) {
            this.compares = compares;
            this.scale = scale;
            this.wanted = wanted;
        }

        @Override
        public Wanted wanted() {
            return wanted;
        }

        @Override
        public NegativeSource.Target unscaled() {
            return new Density(compares, 1, wanted);
        }

        @Override
        public LogDensity of(long... k) {
            return with(parameters, k);
        }

        @Override
        public LogDensity with(Parameters others, long... k) {
            Table table = model.bind(others);
            return switch (compares) {
                case MARGINAL -> table.marginal().scaled(scale);
                case PAIR -> table.marginalOfPairs(scale);
                case GIVEN -> table.given(k).scaled(scale);
            };
        }

        @Override
        public Walk walk(Key key, Kernel<?> kernel, Tensor x, long[] k, Walk.Course course) {
            boolean anyColumn = compares != Compared.GIVEN || model.columns() == 1;
            if (!records || !x.device().cuda() || kernel.decidesOnHost() || !anyColumn || course.steps() == 0) {
                return NegativeSource.Target.super.walk(key, kernel, x, k, course);
            }
            List<Long> shape = Arrays.stream(x.shape()).boxed().toList();
            boolean stretched = course.stretch().isPresent();
            Recorded what = new Recorded(kernel, shape, stretched, course.from(), course.steps(), compares, scale);
            RecordedWalk walk = walks.get(what);
            if (walk == null && !seen.add(what)) {
                walk = recorded(what, key, x, k, course);
            }
            forgetOld();
            return walk == null
                    ? NegativeSource.Target.super.walk(key, kernel, x, k, course)
                    : walk.run(key, x, course.stretch());
        }

        private @Nullable RecordedWalk recorded(Recorded what, Key key, Tensor x, long[] k, Walk.Course course) {
            try {
                RecordedWalk walk = RecordedWalk.of(key, what.kernel, () -> of(k), x, course);
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
