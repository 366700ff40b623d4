package dev.kelvin.negative;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.sample.DifferentiableKernel;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.chain.ChainRun;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Stateful;
import dev.kelvin.tensor.Tensor;

/** Where negatives come from. */
public interface NegativeSource extends Stateful {
    /** The density that chains of these components walk on, one for each chain; the same for all where it is the marginal. */
    @FunctionalInterface
    interface Target {
        /** What chains of these components walk on. */
        LogDensity of(long... k);

        /** The density at other parameters, such as those that a gradient is taken with respect to. */
        default LogDensity with(Parameters parameters, long... k) {
            throw new UnsupportedOperationException("this target is not one of a model with parameters");
        }

        /** This target without the factor on f that an objective's chains run with. */
        default Target unscaled() {
            return this;
        }

        /** What is to be kept of the chains beside their ends. */
        default ChainRequest wanted() {
            return ChainRequest.NOTHING;
        }

        /** Where chains of these components at x stand after a course of steps of a kernel. */
        default ChainRun walk(Key key, Kernel<?> kernel, Tensor x, long[] k, ChainRun.Course course) {
            if (course.stretch().isEmpty()) {
                return ChainRun.inHalves(key, kernel, of(k), x, course.from(), course.steps());
            }
            Tensor scale = course.stretch().get();
            LogDensity stretched = of(k).rescaled(scale);
            ChainRun walk = ChainRun.inHalves(key, kernel, stretched, x.over(scale), course.from(), course.steps());
            return new ChainRun(walk.x().times(scale), walk.accepted(), walk.more());
        }

        /**
         * Where chains of these components at x stand after a course of steps, which are taken with the graph kept, and the way
         * back from there, through the chains, to the parameters.
         */
        default Pullback through(
                Key key,
                DifferentiableKernel<?> kernel,
                Tensor x,
                long[] k,
                ChainRun.Course course,
                Parameters parameters) {
            Parameters live = parameters.live();
            LogDensity density = with(live, k);
            Tensor at = x;
            for (int step = course.from(); step < course.from() + course.steps(); step++) {
                at = kernel.moved(key.child(step), density, at, step);
            }
            Tensor end = at;
            return new Pullback(end.detach(), weights -> live.gradient(end, weights));
        }
    }

    /** What the last draw found that the sources of all shards learn from together; of as many numbers from each. */
    default double[] found() {
        return new double[0];
    }

    /** Takes in the sums of what the sources of all shards have found. */
    default void settle(double[] sums) {}

    /** So many samples of the target at an iteration, counted from 0, beside these positives, whose components they have in turn. */
    DrawnNegatives draw(Key key, long iteration, Target target, Batch positives, int count);
}
