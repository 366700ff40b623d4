package dev.kelvin.train;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.JointDensity;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.ChainRequest;
import dev.kelvin.negative.NegativeSource;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.nn.RecordedPullback;
import dev.kelvin.objective.ContrastedDensity;
import dev.kelvin.objective.Objective;
import dev.kelvin.sample.DifferentiableKernel;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.sample.chain.RecordedChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The densities that a learner's chains run on, with its parameters as they are. On a GPU a walk that comes a second time,
 * but for its start, its random numbers and the parameters, is recorded and played from then on.
 */
final class ChainTargets implements AutoCloseable {
    /** Walks that are kept: one for each source of negatives, two where last moves are wanted, and few have more than two. */
    private static final int MOST = 4;

    private final EnergyModel model;
    private final Parameters parameters;
    private final Recordings<Recorded, RecordedChainRun> walks =
            new Recordings<>("Chains", MOST, RecordedChainRun::close);
    private final Recordings<Recorded, RecordedPullback> moves =
            new Recordings<>("Gradients through chains", 1, RecordedPullback::close);

    /** What a recorded chain, or its last moves with the graph kept, is of. */
    private record Recorded(
            Kernel<?> kernel,
            List<Long> shape,
            boolean stretched,
            int from,
            int steps,
            ContrastedDensity compares,
            double scale) {}

    ChainTargets(EnergyModel model, Parameters parameters) {
        this.model = model;
        this.parameters = parameters;
    }

    /** The target density for this step's chains, plus what terms need of them. */
    NegativeSource.Target of(Objective objective, ChainRequest wanted) {
        return new Density(objective.compares(), objective.samplingScale(), wanted);
    }

    private final class Density implements NegativeSource.Target {
        private final ContrastedDensity compares;
        private final double scale;
        private final ChainRequest wanted;

        Density(ContrastedDensity compares, double scale, ChainRequest wanted) {
            this.compares = compares;
            this.scale = scale;
            this.wanted = wanted;
        }

        @Override
        public ChainRequest wanted() {
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
            JointDensity table = model.bind(others);
            return switch (compares) {
                case MARGINAL -> table.marginal().scaled(scale);
                case PAIR -> table.marginalOfPairs(scale);
                case GIVEN -> table.given(k).scaled(scale);
            };
        }

        @Override
        public ChainRun walk(Key key, Kernel<?> kernel, Tensor x, long[] k, ChainRun.Course course) {
            if (!records(x) || !kernel.traits().recordable() || course.steps() == 0) {
                return NegativeSource.Target.super.walk(key, kernel, x, k, course);
            }
            return walks.of(what(kernel, x, course), () -> RecordedChainRun.of(key, kernel, () -> of(k), x, course))
                    .map(walk -> walk.run(key, x, course.stretch()))
                    .orElseGet(() -> NegativeSource.Target.super.walk(key, kernel, x, k, course));
        }

        @Override
        public Pullback through(
                Key key,
                DifferentiableKernel<?> kernel,
                Tensor x,
                long[] k,
                ChainRun.Course course,
                Parameters others) {
            if (!records(x) || others != parameters) {
                return NegativeSource.Target.super.through(key, kernel, x, k, course, others);
            }
            BiFunction<Key, Tensor, Pullback> again =
                    (chance, at) -> NegativeSource.Target.super.through(chance, kernel, at, k, course, parameters);
            return moves.of(what(kernel, x, course), () -> RecordedPullback.of(key, again, x, x.shape()))
                    .map(recorded -> recorded.at(key, x))
                    .orElseGet(() -> NegativeSource.Target.super.through(key, kernel, x, k, course, others));
        }

        /** Whether the density is the same for whichever components, which a recording would hold fast. */
        private boolean records(Tensor x) {
            return x.device().cuda() && (compares != ContrastedDensity.GIVEN || model.components() == 1);
        }

        private Recorded what(Kernel<?> kernel, Tensor x, ChainRun.Course course) {
            List<Long> shape = Arrays.stream(x.shape()).boxed().toList();
            boolean stretched = course.stretch().isPresent();
            return new Recorded(kernel, shape, stretched, course.from(), course.steps(), compares, scale);
        }
    }

    @Override
    public void close() {
        walks.close();
        moves.close();
    }
}
