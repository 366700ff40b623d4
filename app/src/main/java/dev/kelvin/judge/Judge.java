package dev.kelvin.judge;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.PlaneDataset;
import dev.kelvin.dataset.TableDataset;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.component.ComponentJudge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
            return new PlaneJudge(experiment, plane);
        }
        throw new IllegalStateException("nobody judges models of " + experiment.data());
    }

    /** What is judged. */
    Experiment experiment();

    /** Measures the model as it stands, before any figures are computed. */
    Judgement judgement();

    /** The model as it stands for one picture of its samples: nothing is measured that this does not need. */
    default Judgement unmeasured() {
        return judgement();
    }

    /** The score of a checkpoint, if one can be computed in a moment. */
    Optional<CheckpointMetric> score();

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
