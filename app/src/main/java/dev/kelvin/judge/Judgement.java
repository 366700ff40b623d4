package dev.kelvin.judge;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.figure.FigureOfMerit;
import dev.kelvin.metric.figure.Judged;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.yaml.UserException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A model as it stands, measured: values that figures are computed from and that a report shows. */
public interface Judgement {
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
    static Map<String, Double> registered(Key key, Experiment experiment, Tensor samples, Tensor heldOut) {
        record View(LogDensity density, Tensor samples, Tensor heldOut, Tensor training) implements Judged {}
        return FigureOfMerit.all(
                key,
                new View(
                        experiment.model().density(),
                        samples.narrow(0, 0, Math.min(REGISTERED, samples.size(0))),
                        heldOut.narrow(0, 0, Math.min(REGISTERED, heldOut.size(0))),
                        experiment.data().draws().draw(key.child(0), REGISTERED)));
    }

    /** The temperature at which a model's chains sample it, where they have one. */
    static void addTemperature(Experiment experiment, Map<String, Double> figures) {
        if (experiment.model().chainSettings().hasTemperature()) {
            figures.put(ModelFigures.TEMPERATURE.name(), experiment.model().temperature());
        }
    }

    /** What f is compared with when other samples are scored, at the checkpoint of this step; empty if f has none. */
    default Optional<HeldOutReference> reference(Evaluation evaluation, long step) {
        return Optional.empty();
    }

    /** Returns this judgement with accuracies under attack and after refinement too. */
    default Judgement withAttack(Attack attack) {
        throw new UserException("--attack and --refine are for models of images with classes");
    }

    /** Returns this judgement by the features of a TorchScript file. */
    default Judgement withFeatures(Path script) {
        throw new UserException("--features is for models of images");
    }
}
