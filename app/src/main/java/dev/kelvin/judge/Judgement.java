package dev.kelvin.judge;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.tensor.Key;
import dev.kelvin.yaml.UserException;
import java.nio.file.Path;
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
