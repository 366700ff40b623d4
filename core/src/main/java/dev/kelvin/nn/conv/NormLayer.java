package dev.kelvin.nn.conv;

import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Tensor;

/**
 * A norm with its parameters, weight and bias [channels]; with batch norm also the running mean and variance, not trained.
 */
public record NormLayer(String name, int channels, Norm norm) {
    private static final double EPSILON = 1e-5; // PyTorch's
    private static final double SHARE = 0.1; // of a batch in the running statistics, PyTorch's
    private static final int GROUPS = 32; // Wu and He's default, or as many as divide both it and the channels

    /** Which statistics batch norm uses. */
    public enum Statistics {
        /** The running ones: in sampling and evaluation, where a sample's value must not depend on the others. */
        RUNNING,

        /** The batch's: in training. */
        BATCH,

        /** The batch's, which move the running ones. */
        MOVING
    }

    /** Adds its parameters to a layout. */
    public void addTo(Layout.Builder builder) {
        if (norm == Norm.NONE) {
            return;
        }
        builder.add(named("weight"), new Initialisation.Constant(1), (long) channels)
                .add(named("bias"), Initialisation.zeros(), (long) channels);
        if (norm == Norm.BATCH) {
            builder.addState(named("mean"), Initialisation.zeros(), (long) channels)
                    .addState(named("variance"), new Initialisation.Constant(1), (long) channels);
        }
    }

    /** The input itself where there is no norm, else new memory. */
    public Tensor apply(Parameters parameters, Tensor x, Statistics statistics) {
        if (norm == Norm.NONE) {
            return x;
        }
        Tensor weight = parameters.get(named("weight"));
        Tensor bias = parameters.get(named("bias"));
        if (norm == Norm.GROUP) {
            return x.groupNorm(Math.min(GROUPS, Integer.lowestOneBit(channels)), weight, bias, EPSILON);
        }
        if (statistics == Statistics.BATCH) {
            return x.batchNorm(weight, bias, EPSILON);
        }
        Tensor mean = parameters.get(named("mean"));
        Tensor variance = parameters.get(named("variance"));
        return x.batchNorm(weight, bias, mean, variance, statistics == Statistics.MOVING ? SHARE : 0, EPSILON);
    }

    private String named(String what) {
        return name + "." + what;
    }
}
