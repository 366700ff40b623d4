package dev.kelvin.dataset;

import dev.kelvin.data.image.PixelRange;
import dev.kelvin.model.SampleKind;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Everything that depends on the kind of data: one class a kind. */
public interface Data extends AutoCloseable {
    /** What samples are, and their units outside of the model. */
    SampleKind samples();

    /** The shape of one sample. */
    default List<Long> shape() {
        return samples().shape();
    }

    /** Independent samples of what is learnt. */
    SampleSource draws();

    /** Independent samples of classes that are asked for. */
    default SampleSource drawsByClass() {
        throw new UserException("toy sets have no classes");
    }

    /** Each step's batch, with its classes if {@code labelled}. */
    BatchSource batches(boolean labelled);

    /** The classes' names; empty if samples have none. */
    default List<String> classes() {
        return List.of();
    }

    /** The range of values of images; empty if samples are points. */
    default Optional<PixelRange> range() {
        return Optional.empty();
    }

    /**
     * Gaussians with the mean and the covariance of the training set, of each class or of all, as the model sees samples;
     * they are closed with the data. Where samples are points, {@code otherwise} makes them of draws.
     */
    default SampleSource gaussians(boolean byClass, Supplier<SampleSource> otherwise) {
        return otherwise.get();
    }

    /** Held-out samples with their classes, some at a time. */
    default Iterable<Labelled> heldOutByClass() {
        throw new UserException("the data have no classes");
    }

    /** Samples as the model sees them, and their classes. */
    record Labelled(Tensor x, long[] labels) {}

    /** A hash of the data, which other data do not have. */
    String hash();

    /** Held-out samples as training sees such, with its noise, at most so many; none where there is no held-out part. */
    default Optional<Tensor> heldOut(Key key, int most) {
        return Optional.empty();
    }

    @Override
    void close();
}
