package dev.kelvin.training;

import dev.kelvin.model.ChainSettings;
import dev.kelvin.model.SampleKind;
import dev.kelvin.model.TableProfile;
import dev.kelvin.nn.Network;
import dev.kelvin.objective.Contrastive;
import dev.kelvin.objective.Objective;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.part.Check;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a plain model is trained from Java.
 *
 * @param network of one output; it is {@link Network#shaped} for the samples
 * @param checkpoints the number of checkpoints of which the best counts; 1 where the last does
 */
record TrainingPlan(
        Network network,
        Optional<BaseMeasure> base,
        ChainSettings chains,
        Objective objective,
        Optimiser optimiser,
        int iterations,
        int batch,
        double ema,
        int checkpoints) {
    /** That of a table with this profile. */
    static TrainingPlan of(TableProfile profile) {
        return new TrainingPlan(
                profile.network(),
                Optional.of(BaseMeasure.GAUSSIAN),
                ChainSettings.fresh(profile.start(), profile.kernel(), profile.steps())
                        .withBuffer(TableProfile.BATCH)
                        .withAdapt(profile.adapt().acceptance())
                        .in(TableProfile.BATCH, 1, OptionalInt.of(TableProfile.SAMPLE_STEPS)),
                new Contrastive(),
                profile.optimiser(),
                profile.iterations(),
                TableProfile.BATCH,
                TableProfile.EMA,
                TableProfile.CHECKPOINTS);
    }

    /** T of the density exp(f/T) that is learnt. */
    double temperature() {
        return chains.kernel().traits().temperature().orElse(1);
    }

    /** The chains as the model's samples come from them. */
    ChainSettings settledChains() {
        return chains.in(batch, objective.samplingScale(), chains.sampleSteps());
    }

    /** Refuses what cannot be trained on samples of this kind. */
    void check(SampleKind samples) {
        boolean images = samples.images().isPresent();
        Check.all(
                () -> Check.atLeast("iterations", iterations, 1),
                () -> Check.atLeast("batch", batch, 1),
                () -> Check.require(
                        chains.buffer() == 0 || chains.buffer() >= batch,
                        "buffer",
                        "must be at least " + batch + ", the number of negatives, found " + chains.buffer()),
                () -> Check.atLeast("batch", batch, objective.fewestPositives()),
                () -> chains.start().requireFit(samples.width()),
                () -> chains.kernel().requireFit(samples.width()),
                () -> objective.requireTemperature(temperature()),
                () -> Check.require(
                        objective.labels() == 0 && objective.sampled(),
                        "objective",
                        "has a cross-entropy of classes, and this model has none: " + objective.words()),
                () -> Check.require(
                        images
                                || (temperature() == 1
                                        && !chains.kernel().traits().judgedInexactly()
                                        && !chains.kernel().traits().temperatureVaries()),
                        "kernel",
                        "must sample at temperature 1 on points, which have a Gaussian under the network: exp(f/T) would have"
                                + " another; found " + chains.kernel().words()),
                () -> Check.require(
                        images || objective.l2() == 0,
                        "objective",
                        "cannot have an L2 penalty on f on points: f has the log-density of a Gaussian in it, which the"
                                + " penalty would undo"),
                () -> Check.require(
                        images || !objective.aboutLevel(),
                        "objective",
                        "cannot be binary-cross-entropy on points: f has the log-density of a Gaussian in it, at a level of its own"),
                () -> Check.require(
                        !chains.interacting() || batch > 1,
                        "batch",
                        "must be at least 2 with particles that push each other"),
                () -> Check.require(
                        !chains.byComponent(), "byComponent", "is for models with classes, and this one has none"),
                () -> Check.require(
                        network.takesImages() == images,
                        "network",
                        (images ? "takes points, and the data are images: " : "takes images, and the data are points: ")
                                + network.words()));
    }
}
