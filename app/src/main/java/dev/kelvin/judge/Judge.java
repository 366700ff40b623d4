package dev.kelvin.judge;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.PlaneDataset;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.metric.figure.FigureOfMerit;
import dev.kelvin.metric.figure.Judged;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.sample.anneal.PartitionFunction;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** How a model is judged by the kind of its data: one class a kind, found here and nowhere else. */
public interface Judge {
    /** The judge for the experiment's data. */
    static Judge of(Experiment experiment) {
        if (experiment.data() instanceof ImageDataset images) {
            return new ImageJudge(experiment, images);
        }
        if (experiment.data() instanceof TableDataset table) {
            return new TableJudge(experiment, table);
        }
        if (experiment.data() instanceof PlaneDataset plane) {
            return new PlaneJudge(experiment, plane.toy());
        }
        throw new IllegalStateException("nobody judges models of " + experiment.data());
    }

    /** What is judged. */
    Experiment experiment();

    /** The judge with what it has measured of the model as it stands: values that figures are computed from and reports show. */
    Judge measured();

    /**
     * Measures everything.
     *
     * @param key decides the draws
     * @param runs the folder that the run's folder lies in, where runs keep what they share
     * @param listener hears of what takes long
     */
    Evaluation evaluate(Key key, Path runs, WorkListener listener);

    /** Samples of each kind that registered figures of merit are given, at most. */
    int REGISTERED = 1_000;

    /** The registered figures of merit by samples of the model and held-out data, both as the model sees them. */
    default Map<String, Double> registered(Key key, Tensor samples, Tensor heldOut) {
        record View(LogDensity density, Tensor samples, Tensor heldOut, Tensor training) implements Judged {}
        return FigureOfMerit.all(
                key,
                new View(
                        experiment().model().density(),
                        samples.narrow(0, 0, Math.min(REGISTERED, samples.size(0))),
                        heldOut.narrow(0, 0, Math.min(REGISTERED, heldOut.size(0))),
                        experiment().data().draws().draw(key.child(0), REGISTERED)));
    }

    /** The temperature at which a model's chains sample it, where they have one. */
    default void addTemperature(Map<String, Double> figures) {
        if (experiment().model().chainSettings().hasTemperature()) {
            figures.put(ModelFigures.TEMPERATURE.name(), experiment().model().temperature());
        }
    }

    /** Both bounds on log Z, and how far they lie apart. */
    static void addBounds(Map<String, Double> figures, PartitionFunction z) {
        figures.put(ModelFigures.LOG_Z_LOWER.name(), z.lower());
        figures.put(ModelFigures.LOG_Z_UPPER.name(), z.upper());
        figures.put(ModelFigures.LOG_Z_GAP.name(), z.gap());
    }

    /** What f is compared with when other samples are scored, at the checkpoint of this step; empty if f has none. */
    default Optional<HeldOutReference> reference(Evaluation evaluation, long step) {
        return Optional.empty();
    }

    /**
     * Returns this judge, with what only some data have.
     *
     * @param features a file of a network whose features are compared
     * @param samples of how many images of each kind FID, KID and Inception score are
     * @param attack accuracies under attack and after refinement
     */
    default Judge with(Optional<Path> features, OptionalInt samples, Optional<Attack> attack) {
        if (features.isPresent()) {
            throw new UserException("--features is for models of images");
        }
        if (samples.isPresent()) {
            throw new UserException("--samples is for models of images");
        }
        if (attack.isPresent()) {
            throw new UserException("--attack and --refine are for models of images with classes");
        }
        return this;
    }

    /** The score of a checkpoint, if one can be computed in a moment. */
    Optional<CheckpointMetric> score();

    /**
     * What is measured of the model again and again while it trains, {@code train.judgeEvery}; empty if the recipe asks for none.
     *
     * @param runs the folder that the run's folder lies in
     */
    default Optional<TrainingJudge> inTraining(Path runs) throws IOException {
        return Optional.empty();
    }

    /** Refuses files that the evaluation will take and that are not there or will not do. */
    default void requireFiles() {}

    /** The result in one sentence. */
    String lead(Evaluation evaluation);

    /** What is wrong by the figures; empty if all is well. */
    List<Finding> findings(Evaluation evaluation);

    /** What a user should know of the data before anything is learnt from them, in sentences. */
    default List<String> remarks() {
        return List.of();
    }

    /** What is likely to go wrong, known before training, in sentences. */
    default List<String> warnings() {
        List<String> warnings = new ArrayList<>(remarks());
        warnings.addAll(ComponentJudge.of(experiment()).warnings());
        return warnings;
    }

    /** The recipe in sentences, for a report. */
    default List<String> story() {
        return experiment().recipe().story(ComponentJudge.of(experiment()).modelWords());
    }
}
