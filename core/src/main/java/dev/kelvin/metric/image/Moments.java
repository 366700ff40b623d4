package dev.kelvin.metric.image;

import dev.kelvin.metric.Batches;
import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;

/**
 * The mean and the covariance (n − 1) of feature vectors that come in batches, in double. What {@link FrechetDistance}
 * knows of a set; the set itself is not kept, only d² numbers.
 *
 * <p>With the count a, mean μ and M = Σ(x − μ)(x − μ)ᵀ of what came before, and b, ν and N of a batch,
 *
 * <pre>
 * M ← M + N + ab/(a + b) (ν − μ)(ν − μ)ᵀ
 * μ ← μ + b/(a + b) (ν − μ),
 * </pre>
 *
 * which never subtracts big numbers. Source: Chan, Golub and LeVeque 1982, eq. 2.1, in d dimensions.
 *
 * <p>It lives on the CPU, until it is closed. A vector that is not finite makes mean and covariance NaN.
 */
public final class Moments implements AutoCloseable {
    private final Tensor mean; // μ: [d]
    private final Tensor squares; // M: [d, d]
    private long count;
    private boolean finite = true;

    /** Of no vectors yet. */
    public Moments(int dimensions) {
        Check.atLeast("dimensions", dimensions, 1);
        mean = Scope.detach(Tensors.zeros(DType.DOUBLE, Device.CPU, dimensions));
        squares = Scope.detach(Tensors.zeros(DType.DOUBLE, Device.CPU, dimensions, dimensions));
    }

    /** Of these vectors, [n, d]. */
    public static Moments of(Tensor features) {
        Batches.checkFeatures("a mean", features, 1);
        Moments moments = new Moments(Math.toIntExact(features.size(1)));
        moments.add(features);
        return moments;
    }

    /** Takes in vectors [n, d], in whatever type and place they are; some at a time, so that a big batch is not copied. */
    public void add(Tensor features) {
        Batches.checkFeatures("a mean", features, 0);
        if (features.size(1) != dimensions()) {
            throw new IllegalArgumentException("these moments are of " + dimensions()
                    + " dimensions; found feature vectors of " + features.size(1));
        }
        long rows = features.size(0);
        for (long start = 0; start < rows; start += Batches.SIZE) {
            try (NoGrad noGrad = NoGrad.open();
                    Scope scope = Scope.open()) {
                addBlock(features.narrow(0, start, Math.min(Batches.SIZE, rows - start)));
            }
        }
    }

    private void addBlock(Tensor block) {
        Tensor x = block.to(Device.CPU).to(DType.DOUBLE);
        finite &= x.allFinite();
        if (!finite) {
            count += x.size(0);
            return;
        }
        Tensor centre = x.mean(0L);
        Tensor centred = x.minus(centre);
        squares.addMatmulInPlace(centred.transpose(), centred, 1);
        long others = x.size(0); // what the batch's own mean adds to both moments
        double share = (double) others / (count + others);
        Tensor shift = centre.minus(mean);
        squares.addMatmulInPlace(shift.unsqueeze(1), shift.unsqueeze(0), count * share);
        mean.addInPlace(shift, share);
        count += others;
    }

    /** How many numbers a sample has. */
    public int dimensions() {
        return (int) mean.size(0);
    }

    /** How many vectors there were, those that are not finite among them. */
    public long count() {
        return count;
    }

    /** μ: [d]; a copy. */
    public Tensor mean() {
        checkCount("a mean", 1);
        return honest(mean.copy());
    }

    /** M/(n − 1): [d, d]; a copy. */
    public Tensor covariance() {
        checkCount("a covariance", 2);
        return honest(squares.over(count - 1.0));
    }

    private void checkCount(String figure, int least) {
        if (count < least) {
            throw new InvalidInputException(figure + " takes " + least + " or more feature vectors, found " + count);
        }
    }

    private Tensor honest(Tensor fresh) {
        return finite ? fresh : fresh.timesInPlace(Double.NaN);
    }

    @Override
    public void close() {
        mean.close();
        squares.close();
    }
}
