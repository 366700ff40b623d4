package dev.kelvin.judge;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.image.Features;
import dev.kelvin.metric.image.Moments;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.recipe.ImageFigures;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * FID and Inception score of a model of images while it trains, by the features of the set's classifier or of a pretrained network: of the replay
 * buffer's chains, or of fresh ones where there is no buffer. The step's key decides the draws, and nothing of training
 * depends on them.
 */
public final class TrainingJudge implements AutoCloseable {
    private static final Key KEY = KeyDomain.TRAINING_CURVE.key(0);

    private final Features network;
    private final FeatureDistances distances;
    private final Moments truth;
    private final int chains; // measured, at most: as many at every step, or the figures would not compare

    private TrainingJudge(Features network, FeatureDistances distances, Moments truth, int chains) {
        this.network = network;
        this.distances = distances;
        this.truth = truth;
        this.chains = chains;
    }

    /** With the training images' features, which are computed once. */
    static TrainingJudge of(Experiment experiment, ImageDataset data, Path runs) throws IOException {
        ImageFigures by = experiment.recipe().train().figures();
        if (by.file().isEmpty() && data.classes().size() < 2) {
            throw new UserException(
                    "train.judgeEvery needs images with classes, whose classifier gives the features, or a"
                            + " pretrained network: train.figures.features=FILE");
        }
        Features network = by.file().isPresent()
                ? PretrainedFeatures.load(by.file().get(), data)
                : Classifier.of(runs, data, WorkListener.SILENT);
        FeatureDistances distances = new FeatureDistances(experiment, data, network, WorkListener.SILENT);
        try (Scope scope = Scope.open()) {
            return new TrainingJudge(network, distances, distances.truth(), by.chains());
        }
    }

    /** The figures of the model as it stands at a step. */
    public Map<String, Double> at(long step) {
        return distances.inTraining(KEY.child(step), chains, truth);
    }

    @Override
    public void close() throws IOException {
        truth.close();
        network.close();
    }
}
