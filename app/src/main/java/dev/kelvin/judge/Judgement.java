package dev.kelvin.judge;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.draw.Png;
import dev.kelvin.model.HeldOutReference;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Section;
import dev.kelvin.tensor.Key;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A model as it stands, measured and shown by the kind of its data. */
public interface Judgement {
    /** Measures everything; the key decides the draws. The listener is told of what takes long. */
    Evaluation evaluate(Key key, WorkListener listener);

    /** What the report shows: sections, and pictures by the names of their files, drawn when they are written. */
    record Shown(List<Section> sections, Map<String, Supplier<Png>> files) {}

    /** The report's sections; samples are written to that folder. */
    Shown show(Path samples, Evaluation evaluation) throws IOException;

    /** What f is compared with when other samples are scored, at the checkpoint of this step; nothing where f has no such. */
    default Optional<HeldOutReference> reference(Evaluation evaluation, long step) {
        return Optional.empty();
    }

    /** One picture that says most, with this caption, to stand beside other runs'. */
    Picture picture(String caption);

    /** The same, with accuracies under attack and after refinement too. */
    default Judgement withAttack(Attack attack) {
        throw new UserException("--attack and --refine are for models of images with classes");
    }

    /** The same, judged by the features of a TorchScript file. */
    default Judgement withFeatures(Path script) {
        throw new UserException("--features is for models of images");
    }
}
