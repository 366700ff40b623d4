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
import java.util.function.Consumer;

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
    private long notFinite;

    /** Of no vectors yet. */
    public Moments(int dimensions) {
        Check.atLeast("dimensions", dimensions, 1);
        mean = Scope.detach(Tensors.zeros(DType.DOUBLE, Device.CPU, dimensions));
        squares = Scope.detach(Tensors.zeros(DType.DOUBLE, Device.CPU, dimensions, dimensions));
    }

    /** Of these vectors, [n, d]. */
    public static Moments of(Tensor features) {
        Batches.checkFeatures("a mean", features, 1);
        return filled(Math.toIntExact(features.size(1)), moments -> moments.add(features));
    }

    /** As published for a reference set: its mean [d], its covariance [d, d] and how many vectors they are from. */
    public static Moments of(Tensor mean, Tensor covariance, long count) {
        Check.atLeast("count", count, 2);
        if (mean.dim() != 1
                || covariance.dim() != 2
                || covariance.size(0) != mean.size(0)
                || covariance.size(1) != mean.size(0)) {
            throw new IllegalArgumentException(
                    "moments take a mean [d] and a covariance [d, d]; found " + mean + " and " + covariance);
        }
        return filled(Math.toIntExact(mean.size(0)), moments -> {
            moments.mean.copyInPlace(mean);
            moments.squares.copyInPlace(covariance).timesInPlace(count - 1.0);
            moments.count = count;
        });
    }

    private static Moments filled(int dimensions, Consumer<Moments> filling) {
        Moments moments = new Moments(dimensions);
        try {
            filling.accept(moments);
            return moments;
        } catch (RuntimeException e) {
            moments.close();
            throw e;
        }
    }

    /** Takes in vectors [n, d], in whatever type and place they are; some at a time, so that a big batch is not copied. */
    public void add(Tensor features) {
        Batches.checkFeatures("a mean", features, 0);
        checkDimensions(features.size(1), "feature vectors");
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
        int bad = Batches.notFiniteRows(x);
        if (bad > 0) {
            notFinite += bad;
            count += x.size(0);
            return;
        }
        Tensor centre = x.mean(0L);
        Tensor centred = x.minus(centre);
        squares.addMatmulInPlace(centred.transpose(), centred, 1);
        moveTowards(centre, x.size(0));
    }

    /** Takes in all that another has taken in, which stays as it is. */
    public void add(Moments other) {
        checkDimensions(other.dimensions(), "moments");
        try (NoGrad noGrad = NoGrad.open();
                Scope scope = Scope.open()) {
            notFinite += other.notFinite;
            squares.addInPlace(other.squares);
            moveTowards(other.mean, other.count);
        }
    }

    /** What a batch's own mean adds to both moments. */
    private void moveTowards(Tensor centre, long others) {
        if (others == 0) {
            return;
        }
        double share = (double) others / (count + others);
        Tensor shift = centre.minus(mean);
        squares.addMatmulInPlace(shift.unsqueeze(1), shift.unsqueeze(0), count * share);
        mean.addInPlace(shift, share);
        count += others;
    }

    private void checkDimensions(long found, String what) {
        if (found != dimensions()) {
            throw new IllegalArgumentException(
                    "these moments are of " + dimensions() + " dimensions; found " + what + " of " + found);
        }
    }

    /** How many numbers a sample has. */
    public int dimensions() {
        return (int) mean.size(0);
    }

    /** How many vectors there were, those that are not finite among them. */
    public long count() {
        return count;
    }

    /** How many vectors held a NaN or an infinity. */
    public long notFinite() {
        return notFinite;
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
        return notFinite > 0 ? fresh.timesInPlace(Double.NaN) : fresh;
    }

    @Override
    public void close() {
        mean.close();
        squares.close();
    }
}
