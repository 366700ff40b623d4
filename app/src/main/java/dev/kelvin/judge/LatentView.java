package dev.kelvin.judge;

import dev.kelvin.dataset.ImageDataset;
import dev.kelvin.dataset.KeyDomain;
import dev.kelvin.draw.ImageGrid;
import dev.kelvin.draw.Png;
import dev.kelvin.experiment.Components;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.LatentCost;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.negative.Batch;
import dev.kelvin.recipe.LatentSettings;
import dev.kelvin.report.Paragraphs;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.sample.Ladder;
import dev.kelvin.sample.Mala;
import dev.kelvin.sample.anneal.MarginalLikelihood;
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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a latent model knows of held-out images: how well it makes them again, what lies between two of them, and their
 * likelihood.
 *
 * @param error the mean square a pixel of reconstructions of held-out images from their latent vectors
 */
public record LatentView(
        List<Picture> pictures, double error, MarginalLikelihood likelihood, GradientNoise noise, double flops) {
    private static final Key KEY = KeyDomain.REPORT.key().child(20);
    private static final int SHOWN = 10;
    private static final int MADE_AGAIN = 256;
    private static final int STEPS_BETWEEN = 10;
    private static final int CHAINS = 16;
    private static final int RUNGS = 20;
    private static final double POWER = 4;
    private static final int STEPS = 20;
    private static final int SETTLING = 200; // steps on the prior
    private static final double FIRST_STEP = 0.05;
    private static final int BATCHES = 20; // by which the gradient's noise is measured

    public static LatentView of(Experiment experiment, LatentSettings settings) {
        LatentLearner learner = experiment.latent().orElseThrow();
        try (Scope scope = Scope.open()) {
            Key[] keys = KEY.split(6);
            Tensor x = experiment
                    .data()
                    .heldOut(keys[0], Math.max(MADE_AGAIN, settings.measured()))
                    .orElseThrow();
            Tensor z = learner.encoded(keys[1], x);
            Tensor images = learner.generated(z);
            double error = images.minus(x).square().mean().item();
            int shown = (int) Math.min(SHOWN, x.size(0));
            Tensor both = Tensors.concat(0, x.narrow(0, 0, shown), images.narrow(0, 0, shown));
            List<Picture> pictures = new ArrayList<>();
            pictures.add(new Picture(
                    "Held-out images and reconstructions",
                    "Two rows: held-out images, and their reconstructions",
                    ImageGrid.of(
                            ((ImageDataset) experiment.data()).unit(both), shown, List.of("held-out", "made again"))));
            if (shown > 1) {
                pictures.add(between(experiment, learner, z, shown));
            }
            Tensor noise = Tensors.normal(keys[2], x.dtype(), x.device(), 100, settings.size())
                    .timesInPlace(settings.std());
            pictures.add(new Picture(
                    "Samples of the Gaussian, without the learnt prior",
                    "Images of latent vectors from the Gaussian",
                    grid(experiment, learner.generated(noise), SHOWN)));
            return new LatentView(
                    pictures,
                    error,
                    likelihood(keys[3], experiment, learner, settings, x),
                    noise(keys[4], experiment, learner),
                    LatentCost.of(
                                    experiment.recipe(),
                                    settings,
                                    experiment.data().shape())
                            .flops());
        }
    }

    private static Png grid(Experiment experiment, Tensor x, int columns) {
        return ImageGrid.of(((ImageDataset) experiment.data()).unit(x), columns);
    }

    /** A row for each pair of images: what lies on the line from one's latent vector to the other's. */
    private static Picture between(Experiment experiment, LatentLearner learner, Tensor z, int shown) {
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
        return new Picture(
                "Interpolations in latent space",
                "Rows of images interpolated between two by their latent vectors",
                grid(experiment, learner.generated(Tensors.concat(0, rows)), STEPS_BETWEEN));
    }

    private static MarginalLikelihood likelihood(
            Key key, Experiment experiment, LatentLearner learner, LatentSettings settings, Tensor x) {
        Key[] keys = key.split(3);
        Tensor some = x.narrow(0, 0, Math.min(settings.measured(), x.size(0)));
        long rows = some.size(0) * CHAINS;
        Tensor start = Tensors.normal(keys[0], x.dtype(), x.device(), rows, settings.size())
                .timesInPlace(settings.std());
        Tensor draws = WarmUp.run(
                        keys[1], Mala.of(FIRST_STEP), experiment.chainTable().data(), start, SETTLING, 0.574)
                .x();
        return learner.likelihood(
                keys[2],
                some,
                draws,
                new MarginalLikelihood.Settings(Ladder.of(RUNGS, POWER), CHAINS, STEPS, FIRST_STEP),
                done -> {});
    }

    private static GradientNoise noise(Key key, Experiment experiment, LatentLearner learner) {
        int size = experiment.recipe().train().batch();
        List<Batch> batches = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
            batches.add(Batch.of(experiment.positives().draw(key.child(i), size)));
        }
        return learner.gradientNoise(key.child(BATCHES), batches);
    }

    public Components.Seen seen() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(ModelFigures.RECONSTRUCTION.name(), error);
        figures.put(ModelFigures.INTEGRATED.name(), likelihood.integrated());
        boolean several = likelihood.each().size() > 1; // or there is no error over images
        if (several) {
            figures.put(ModelFigures.INTEGRATED_ERROR.name(), likelihood.error());
            figures.put(ModelFigures.IMPORTANCE_ERROR.name(), likelihood.importanceError());
        }
        if (!Double.isNaN(likelihood.corrected())) {
            figures.put(ModelFigures.CORRECTED.name(), likelihood.corrected());
        }
        figures.put(ModelFigures.IMPORTANCE.name(), likelihood.importance());
        figures.put(ModelFigures.GRADIENT_VARIANCE.name(), noise.overParameters());
        figures.put(ModelFigures.GRADIENT_VARIANCE_OVER_DRAWS.name(), noise.overDraws());
        figures.put(ModelFigures.FLOPS_PER_STEP.name(), flops);
        Section section = new Section(
                "Reconstructions and interpolations",
                new Pictures(
                        "Held-out images above their reconstructions from posterior samples of their latent vectors; images interpolated between the latent vectors of pairs; and samples of the Gaussian without the learnt prior, which should do better.",
                        pictures.toArray(Picture[]::new)),
                likelihoods(),
                new Paragraphs(
                        "Annealed importance sampling along the same chains is a lower bound in expectation. Where it and"
                                + " the integral differ by much more than their errors, chains have not reached the posterior."));
        return new Components.Seen(figures, List.of(section), Optional.empty(), Optional.empty());
    }

    private TableBlock likelihoods() {
        double byChains = likelihood.each().stream()
                .mapToDouble(MarginalLikelihood.Estimate::error)
                .average()
                .orElse(Double.NaN);
        String chains = String.format(Locale.ROOT, "%.2f", byChains);
        List<List<TableBlock.Cell>> rows = new ArrayList<>();
        String integration = "thermodynamic integration over " + RUNGS + " steps of temperature";
        rows.add(row(integration, likelihood.integrated(), likelihood.error(), chains));
        if (!Double.isNaN(likelihood.corrected())) {
            rows.add(row(
                    "the same, corrected by Gaussian divergences", likelihood.corrected(), likelihood.error(), chains));
        }
        rows.add(row("annealed importance sampling", likelihood.importance(), likelihood.importanceError(), "–"));
        return new TableBlock(
                "log p(x) of " + likelihood.each().size()
                        + " held-out images: mean and its standard error over images, and the mean standard error of one image over its chains, in nats",
                List.of("By", "Mean", "Error over images", "Error over chains"),
                rows);
    }

    private static List<TableBlock.Cell> row(String by, double mean, double error, String chains) {
        return List.of(
                TableBlock.Cell.words(by),
                TableBlock.Cell.words(String.format(Locale.ROOT, "%.1f", mean)),
                TableBlock.Cell.words(Double.isNaN(error) ? "–" : String.format(Locale.ROOT, "± %.1f", error)),
                TableBlock.Cell.words(chains));
    }
}
