package dev.kelvin.nn.conv;

import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Tensor;
import java.math.BigInteger;

/**
 * A norm with its parameters: {@code name.weight} and {@code name.bias} [channels]; with batch norm also the running
 * {@code name.mean} and {@code name.variance}, which are kept with the parameters and not trained.
 */
public record NormLayer(String name, int channels, Norm norm) {
    private static final double EPSILON = 1e-5; // PyTorch's
    private static final double SHARE = 0.1; // of a batch in the running statistics, PyTorch's
    private static final int GROUPS = 32; // at most: Wu and He's default

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
        builder.add(weight(), new Initialisation.Constant(1), (long) channels)
                .add(bias(), Initialisation.zeros(), (long) channels);
        if (norm == Norm.BATCH) {
            builder.addState(mean(), Initialisation.zeros(), (long) channels)
                    .addState(variance(), new Initialisation.Constant(1), (long) channels);
        }
    }

    /** The input itself where there is no norm, else new memory. */
    public Tensor apply(Parameters parameters, Tensor x, Statistics statistics) {
        if (norm == Norm.NONE) {
            return x;
        }
        Tensor weight = parameters.get(weight());
        Tensor bias = parameters.get(bias());
        if (norm == Norm.GROUP) {
            return x.groupNorm(groups(channels), weight, bias, EPSILON);
        }
        if (statistics == Statistics.BATCH) {
            return x.batchNorm(weight, bias, EPSILON);
        }
        Tensor mean = parameters.get(mean());
        Tensor variance = parameters.get(variance());
        return statistics == Statistics.RUNNING
                ? x.batchNorm(weight, bias, mean, variance, EPSILON)
                : x.batchNormMoving(weight, bias, mean, variance, SHARE, EPSILON);
    }

    /** 32 groups, or as many as divide both 32 and the number of channels. */
    private static long groups(int channels) {
        return BigInteger.valueOf(GROUPS).gcd(BigInteger.valueOf(channels)).longValue();
    }

    private String weight() {
        return name + ".weight";
    }

    private String bias() {
        return name + ".bias";
    }

    private String mean() {
        return name + ".mean";
    }

    private String variance() {
        return name + ".variance";
    }
}
