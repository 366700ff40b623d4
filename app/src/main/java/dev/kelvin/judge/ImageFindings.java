package dev.kelvin.judge;

import dev.kelvin.judge.Finding.About;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.panel.ReliabilityDiagram;
import dev.kelvin.recipe.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** What the figures of a model of images say, in sentences. */
public final class ImageFindings {
    private ImageFindings() {}

    /** What came out, in one sentence. */
    public static String lead(String title, Evaluation evaluation) {
        String model = joint(evaluation)
                ? String.format(
                        Locale.ROOT,
                        "A joint energy model of %s: it names the class of %.1f %% of the held-out images (ECE %.1f %%)",
                        title,
                        100 * evaluation.figure(Calibration.ACCURACY.name()).orElse(Double.NaN),
                        100 * evaluation.figure(Calibration.ECE.name()).orElse(Double.NaN))
                : "An energy-based model of " + title;
        OptionalDouble fid = evaluation.figure(FrechetDistance.FID.name());
        return fid.isEmpty()
                ? model + "."
                : String.format(
                        Locale.ROOT,
                        "%s %s samples lie %.3g from the training images (FID; a Gaussian fitted to the pixels lies"
                                + " %.3g away).",
                        model,
                        joint(evaluation) ? "and its" : "whose",
                        fid.getAsDouble(),
                        evaluation.figure(FrechetDistance.FID_GAUSSIAN.name()).orElse(Double.NaN));
    }

    /** Whether the model was judged as a classifier that draws samples of each class. */
    private static boolean joint(Evaluation evaluation) {
        return evaluation.figure(Calibration.CLASS_SAMPLE_ACCURACY.name()).isPresent();
    }

    /** What is wrong by the figures; nothing where all is well. */
    public static List<Finding> of(Recipe recipe, Evaluation evaluation) {
        List<Finding> found = new ArrayList<>();
        Suggestions remedies = new Suggestions(recipe);
        Map<String, Double> figures = evaluation.figures();
        boolean poor = FrechetDistance.FID.isPoor(figures);
        boolean buffer = evaluation.figure(FrechetDistance.FID_BUFFER.name()).isPresent()
                && !FrechetDistance.FID_BUFFER.isPoor(figures);
        if (poor && buffer) {
            found.add(Finding.of(
                    About.SAMPLER,
                    String.format(
                            Locale.ROOT,
                            "Fresh chains do not reach the images in %d steps; those of the replay buffer, which have gone"
                                    + " further, do (FID %.3g).",
                            recipe.negatives().freshSteps(),
                            evaluation.figure(FrechetDistance.FID_BUFFER.name()).orElse(Double.NaN)),
                    remedies.judgeLongerChains()));
        } else if (poor) {
            found.add(Finding.of(
                    About.MODEL,
                    "The samples are no nearer to the images than a fitted Gaussian's.",
                    remedies.trainLonger(),
                    remedies.average()));
        }
        if (Figure.named("auroc_noise").isPoor(figures)) {
            found.add(Finding.of(
                    About.MODEL,
                    "f is hardly higher at images than at noise: it can't be used to detect what is out of distribution.",
                    remedies.trainLonger()));
        }
        if (evaluation.ofFeatures().isEmpty() && Calibration.ECE.isPoor(figures)) {
            ReliabilityDiagram.leaning(evaluation)
                    .ifPresent(leaning -> found.add(Finding.of(
                            About.MODEL,
                            String.format(
                                    Locale.ROOT,
                                    "p(y|x) is not calibrated (ECE %.2f). %s",
                                    figures.getOrDefault(Calibration.ECE.name(), Double.NaN),
                                    leaning))));
        }
        found.addAll(ModelWarnings.of(recipe, figures));
        return found;
    }
}
