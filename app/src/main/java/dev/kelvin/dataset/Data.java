package dev.kelvin.dataset;

import dev.kelvin.model.SampleKind;
import dev.kelvin.data.augment.Augmentation;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.data.toy.ToyData;
import dev.kelvin.draw.Png;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Finding;
import dev.kelvin.judge.Judgement;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.report.Picture;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.BatchSource;
import dev.kelvin.yaml.UserException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** Everything that depends on the kind of data: one class a kind. */
public interface Data extends AutoCloseable {
    /** Of one sample. */
    List<Long> shape();

    /** What samples are, and their units outside of the model. */
    SampleKind samples();

    /** Independent samples of what is learnt. */
    SampleSource draws();

    /** Independent samples of classes that are asked for. */
    SampleSource drawsByClass();

    /** Each step's batch, with its classes where they are wanted. */
    BatchSource batches(boolean labelled);

    /** The classes' names; none where samples have none. */
    List<String> classes();

    /** A change of images as the model sees them. */
    default Augmentation augmented(Augmentation change) {
        throw new UserException("only images can be augmented");
    }

    /** What values of images lie between; none where samples are points. */
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

    /** What a user should know of the data before anything is learnt from them, in sentences. */
    default List<String> remarks() {
        return List.of();
    }

    /** Held-out samples with their classes, some at a time; none where there are no classes. */
    default Iterable<Labelled> heldOutByClass() {
        throw new UserException("the data have no classes");
    }

    /** Samples as the model sees them, and their classes. */
    record Labelled(Tensor x, long[] labels) {}

    /** What tells these data from others. */
    String hash();

    /** What the provenance calls it. */
    String origin();

    /** Settings that suit the data, as --set takes them, with what they were chosen by in words; none where all suit. */
    default Advice advice() {
        return new Advice(List.of(), "");
    }

    /** Settings, and why. */
    record Advice(List<String> overrides, String words) {}

    /** The toy set, where the data are points of the plane whose density can be drawn. */
    default Optional<ToyData> plane() {
        return Optional.empty();
    }

    /** Held-out samples as training sees such, with its noise, at most so many; none where there is no held-out part. */
    default Optional<Tensor> heldOut(Key key, int most) {
        return Optional.empty();
    }

    /**
     * A figure of the model as it stands, lower is better, by which checkpoints are compared.
     *
     * @param cheap whether it takes so little time that its curve may have points between checkpoints too
     */
    public record CheckpointMetric(Figure figure, boolean cheap, DoubleSupplier value) {
        public CheckpointMetric(Figure figure, DoubleSupplier value) {
            this(figure, false, value);
        }
    }

    /** A checkpoint's score, where one can be had in a moment. */
    default Optional<CheckpointMetric> score(Experiment experiment) {
        return Optional.empty();
    }

    /** Some samples, by what they are, at which a model that knows of columns is asked which one they belong to. */
    Map<String, Tensor> examples(Experiment experiment);

    /** What is looked at when the model, as it stands, is judged and shown. */
    Judgement judge(Experiment experiment);

    /** Samples of the model as it stands, without judging it. */
    default Picture picture(Experiment experiment, String caption) {
        return judge(experiment).picture(caption);
    }

    /** What came out, in one sentence. */
    String lead(Evaluation evaluation);

    /** What is wrong by the figures; nothing where all is well. */
    List<Finding> findings(Recipe recipe, Evaluation evaluation);

    /** The same in sentences. */
    default List<String> warnings(Recipe recipe, Evaluation evaluation) {
        return findings(recipe, evaluation).stream().map(Finding::sentence).toList();
    }

    /** A picture of samples; {@code byComponent} where they are of all components in turn. */
    Png picture(Experiment experiment, Tensor x, boolean byComponent);

    @Override
    void close();
}
