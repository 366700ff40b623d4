package dev.kelvin.judge.component;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.LatentCost;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.negative.Batch;
import dev.kelvin.objective.Integration;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.sample.Ladder;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.anneal.MarginalLikelihood;
import dev.kelvin.sample.anneal.MarginalLikelihood.Estimate;
import dev.kelvin.sample.warmup.WarmUp;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.train.latent.GradientNoise;
import dev.kelvin.train.latent.LatentLearner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a latent model knows of held-out images: how well it makes them again, what lies between two of them, and their
 * likelihood.
 *
 * @param reconstructions held-out images, and then what the generator makes of their latent vectors
 * @param interpolations {@value #STEPS_BETWEEN} images between the latent vectors of each pair of held-out ones
 * @param fromGaussian images of latent vectors from the Gaussian, without the learnt prior
 * @param size of a latent vector
 * @param integration the temperatures of training, where the likelihood is integrated over them
 * @param error the mean square a pixel of reconstructions of held-out images from their latent vectors
 */
public record LatentView(
        Drawn reconstructions,
        Optional<Drawn> interpolations,
        Drawn fromGaussian,
        double error,
        MarginalLikelihood likelihood,
        GradientNoise noise,
        int size,
        Optional<Integration> integration,
        double flops) {
    private static final Key KEY = KeyDomain.LATENT_REPORT.key();
    /** Images in a row of a report. */
    public static final int SHOWN = 10;

    private static final int MADE_AGAIN = 256;
    /** Images between two. */
    public static final int STEPS_BETWEEN = 10;

    private static final int CHAINS = 16; // for each image whose likelihood is estimated
    /** Temperatures of the integral. */
    public static final int RUNGS = 20;

    private static final double POWER = 4;
    private static final int SETTLING = 200; // steps on the prior
    private static final double FIRST_STEP = 0.05;
    private static final int BATCHES = 20; // by which the gradient's noise is measured

    /** Measures a latent model. */
    public static LatentView of(Experiment experiment, LatentSettings settings) {
        LatentLearner learner = experiment.latent().orElseThrow();
        try (Scope scope = Scope.open()) {
            Key[] keys = KEY.split(6);
            ImageDataset data = (ImageDataset) experiment.data();
            Tensor x = data.heldOut(keys[0], Math.max(MADE_AGAIN, settings.measured()))
                    .orElseThrow();
            Tensor z = learner.density().encoded(keys[1], x);
            Tensor images = learner.density().generated(z);
            double error = images.minus(x).square().mean().item();
            int shown = (int) Math.min(SHOWN, x.size(0));
            Tensor both = Tensors.concat(0, x.narrow(0, 0, shown), images.narrow(0, 0, shown));
            Optional<Drawn> between = shown > 1 ? Optional.of(between(data, learner, z, shown)) : Optional.empty();
            Tensor noise = learner.latent().gaussian(keys[2], x, 100);
            return new LatentView(
                    Drawn.of(data.unit(both)),
                    between,
                    Drawn.of(data.unit(learner.density().generated(noise))),
                    error,
                    likelihood(keys[3], experiment, learner, settings, x),
                    noise(keys[4], experiment, learner),
                    settings.size(),
                    settings.integration(),
                    LatentCost.of(
                                    experiment.recipe(),
                                    settings,
                                    experiment.data().shape())
                            .flops());
        }
    }

    /** A row for each pair of images: what lies on the line from one's latent vector to the other's. */
    private static Drawn between(ImageDataset data, LatentLearner learner, Tensor z, int shown) {
        List<Tensor> rows = new ArrayList<>();
        int pairs = shown / 2;
        for (int pair = 0; pair < pairs; pair++) {
            Tensor from = z.narrow(0, 2L * pair, 1);
            Tensor to = z.narrow(0, 2L * pair + 1, 1);
            for (int i = 0; i < STEPS_BETWEEN; i++) {
                double share = i / (STEPS_BETWEEN - 1.0);
                rows.add(from.times(1 - share).plus(to, share));
            }
        }
        return Drawn.of(data.unit(learner.density().generated(Tensors.concat(0, rows))));
    }

    private static MarginalLikelihood likelihood(
            Key key, Experiment experiment, LatentLearner learner, LatentSettings settings, Tensor x) {
        Key[] keys = key.split(3);
        Tensor some = x.narrow(0, 0, Math.min(settings.measured(), x.size(0)));
        long rows = some.size(0) * CHAINS;
        Tensor start = learner.latent().gaussian(keys[0], x, rows);
        Tensor draws = WarmUp.run(
                        keys[1],
                        Mala.of(FIRST_STEP),
                        experiment.model().chainJoint().data(),
                        start,
                        SETTLING,
                        0.574)
                .x();
        return learner.density()
                .likelihood(
                        keys[2],
                        some,
                        draws,
                        new MarginalLikelihood.Settings(
                                Ladder.of(RUNGS, POWER), CHAINS, settings.measuredSteps(), FIRST_STEP),
                        done -> {});
    }

    private static GradientNoise noise(Key key, Experiment experiment, LatentLearner learner) {
        int size = experiment.recipe().train().batch();
        List<Batch> batches = IntStream.range(0, BATCHES)
                .mapToObj(i -> Batch.of(experiment.positives().draw(key.child(i), size)))
                .toList();
        return learner.gradientNoise(key.child(BATCHES), batches);
    }

    /** The setting latent.measuredSteps from which on the likelihood is corrected, for latent vectors of a size. */
    public static int stepsForCorrection(int size) {
        return MarginalLikelihood.Settings.stepsForCorrection(CHAINS, size);
    }

    Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(ModelFigures.RECONSTRUCTION.name(), error);
        figures.put(ModelFigures.INTEGRATED.name(), likelihood.mean(Estimate::integrated));
        boolean several = likelihood.each().size() > 1; // or there is no error over images
        if (several) {
            figures.put(ModelFigures.INTEGRATED_ERROR.name(), likelihood.error(Estimate::integrated));
            figures.put(ModelFigures.IMPORTANCE_ERROR.name(), likelihood.error(Estimate::importance));
        }
        if (!Double.isNaN(likelihood.mean(Estimate::corrected))) {
            figures.put(ModelFigures.CORRECTED.name(), likelihood.mean(Estimate::corrected));
        }
        figures.put(ModelFigures.IMPORTANCE.name(), likelihood.mean(Estimate::importance));
        figures.put(ModelFigures.GRADIENT_VARIANCE.name(), noise.overParameters());
        figures.put(ModelFigures.GRADIENT_VARIANCE_OVER_DRAWS.name(), noise.overDraws());
        figures.put(ModelFigures.FLOPS_PER_STEP.name(), flops);
        return figures;
    }
}
