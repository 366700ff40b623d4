package dev.kelvin.dataset;

import dev.kelvin.data.format.ImageFiles;
import dev.kelvin.data.format.Rows;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.data.table.scale.TableUnits;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Everything that depends on the kind of data: one class a kind. */
public interface Data extends AutoCloseable {
    /** Of one sample. */
    List<Long> shape();

    /** Independent samples of what is learnt. */
    SampleSource draws();

    /** Independent samples of classes that are asked for. */
    SampleSource drawsByClass();

    /** Each step's batch, with its classes if {@code labelled}. */
    BatchSource batches(boolean labelled);

    /** The classes' names; empty if samples have none. */
    List<String> classes();

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

    /** What a run remembers of the data, by its names in the provenance: enough to draw samples without them. */
    default Map<String, String> facts() {
        return Map.of();
    }

    /** What lies between the rows of a table and the model's inputs, where the data are one. */
    default Optional<TableUnits> table() {
        return Optional.empty();
    }

    /** Whether the data themselves were looked at, not only what a run remembers of them. */
    default boolean opened() {
        return true;
    }

    /**
     * Other samples of this kind, from a set's name or its files, as the model sees them, some at a time.
     *
     * @param part which part, where the set comes in two; otherwise its test part
     */
    Rows rows(String place, Optional<ImageFiles.Part> part) throws IOException;

    /** At most {@code most} held-out samples with the noise of training; empty if there is no held-out part. */
    default Optional<Tensor> heldOut(Key key, int most) {
        return Optional.empty();
    }

    @Override
    void close();
}
