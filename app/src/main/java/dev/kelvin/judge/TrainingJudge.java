package dev.kelvin.judge;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.WorkListener;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.image.Features;
import dev.kelvin.metric.image.Moments;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * FID and Inception score of a model of images while it trains, by the features of the set's classifier: of the replay
 * buffer's chains, or of fresh ones where there is no buffer. The step's key decides the draws, and nothing of training
 * depends on them.
 */
public final class TrainingJudge implements AutoCloseable {
    /** Chains that are measured, at most: as many at every step, or the figures would not compare. */
    static final int MOST = 1_000;

    private static final Key KEY = KeyDomain.TRAINING_CURVE.key(0);

    private final Features network;
    private final FeatureDistances distances;
    private final Moments truth;

    private TrainingJudge(Features network, FeatureDistances distances, Moments truth) {
        this.network = network;
        this.distances = distances;
        this.truth = truth;
    }

    /** With the training images' features, which are computed once. */
    static TrainingJudge of(Experiment experiment, ImageDataset data, Path runs) throws IOException {
        if (data.classes().size() < 2) {
            throw new UserException("train.judgeEvery needs images with classes, whose classifier gives the features");
        }
        Features network = Classifier.of(runs, data, WorkListener.SILENT);
        FeatureDistances distances = new FeatureDistances(experiment, data, network, WorkListener.SILENT);
        try (Scope scope = Scope.open()) {
            return new TrainingJudge(network, distances, distances.truth());
        }
    }

    /** The figures of the model as it stands at a step. */
    public Map<String, Double> at(long step) {
        return distances.inTraining(KEY.child(step), MOST, truth);
    }

    @Override
    public void close() throws IOException {
        truth.close();
        network.close();
    }
}
