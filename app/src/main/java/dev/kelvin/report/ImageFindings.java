package dev.kelvin.report;

import dev.kelvin.metric.Verdict;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.Evaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What the figures of a model of images say. */
record ImageFindings(Recipe recipe, Evaluation evaluation) implements Findings {
    // of the fitted Gaussian's FID: what a model should beat by far, and must beat at all
    private static final double GOOD_SHARE = 0.5;
    private static final double POOR_SHARE = 1;

    // AUROC of f between held-out images and noise
    private static final double GOOD_AUROC = 0.95;
    private static final double POOR_AUROC = 0.7;

    @Override
    public String lead() {
        OptionalDouble fid = evaluation.figure("fid");
        OptionalDouble gaussian = evaluation.figure("fid_gaussian");
        String model = "An energy-based model of " + recipe.data().title();
        return fid.isEmpty()
                ? model + "."
                : String.format(
                        Locale.ROOT,
                        "%s whose samples lie %.3g from the training images (FID; a Gaussian fitted to the pixels lies"
                                + " %.3g away).",
                        model,
                        fid.getAsDouble(),
                        gaussian.orElse(Double.NaN));
    }

    @Override
    public List<Measure> measures() {
        List<Measure> measures = new ArrayList<>();
        String with = String.format(
                Locale.ROOT,
                " By %s, against %s, with %.0f samples: figures by other features, references or numbers can't be"
                        + " compared with it.",
                evaluation.notes().getOrDefault("features", "no features"),
                evaluation.notes().getOrDefault("reference", "no reference"),
                evaluation.figure("n").orElse(0));
        add(
                measures,
                "fid",
                "FID",
                "Fréchet distance of the samples' features from the images'; 0 is perfect." + samples() + with,
                this::share);
        add(
                measures,
                "fid_gaussian",
                "FID of a fitted Gaussian",
                "The same for samples of a Gaussian with the pixels' mean and covariance: what a model must beat.");
        add(
                measures,
                "fid_buffer",
                "FID of the buffer",
                String.format(
                        Locale.ROOT,
                        "The same for %.0f chains of the replay buffer, which have walked through all of training:"
                                + " often far better than what a fresh chain reaches.",
                        evaluation.figure("n_buffer").orElse(0)),
                this::share);
        add(
                measures,
                "fid_infinity",
                "FID∞",
                "FID, which falls with the number of samples, drawn out to infinitely many.");
        add(
                measures,
                "kid",
                "KID",
                "Squared distance of the features under a cubic kernel, without bias; it scatters around 0 where samples"
                        + " and images are alike.");
        add(
                measures,
                "is",
                "Inception score",
                "How sure the classifier is of each sample and how evenly it sees all classes: 1 at worst, the number of"
                        + " classes at best.");
        evaluation.figures().forEach((figure, value) -> {
            if (figure.startsWith("auroc_") && !figure.equals("auroc_test_train")) {
                String other = figure.substring("auroc_".length());
                measures.add(new Measure(
                        "AUROC against " + other,
                        value,
                        String.format(
                                Locale.ROOT,
                                "The chance that f is higher at a held-out image than at one of %s. AUPR %.3f; of %s, %.1f %%"
                                        + " pass where 95 %% of the held-out images do.",
                                other,
                                evaluation.figure("aupr_" + other).orElse(Double.NaN),
                                other,
                                100 * evaluation.figure("fpr95_" + other).orElse(Double.NaN)),
                        value > GOOD_AUROC ? Verdict.GOOD : value > POOR_AUROC ? Verdict.FAIR : Verdict.POOR));
            }
        });
        add(
                measures,
                "auroc_test_train",
                "AUROC, training against held-out",
                "The chance that f is higher at a training image than at a held-out one: a half where nothing is"
                        + " learnt by heart.");
        add(
                measures,
                "accuracy",
                recipe.classes().isPresent() ? "Accuracy" : "Accuracy of the features",
                String.format(
                        Locale.ROOT,
                        (recipe.classes().isPresent()
                                        ? "How often the model's own p(y|x) is highest at the right class, on held-out"
                                                + " images."
                                        : "How often the classifier whose features are compared is right on held-out images"
                                                + " (the model itself has no classes).")
                                + " NLL %.3f, Brier score %.3f, calibration error %.3f.",
                        evaluation.figure("nll").orElse(Double.NaN),
                        evaluation.figure("brier").orElse(Double.NaN),
                        evaluation.figure("ece").orElse(Double.NaN)));
        add(
                measures,
                "sample_accuracy",
                "Samples of the class asked for",
                "The share of samples that the features' classifier takes for the class that they were drawn for.");
        add(
                measures,
                "acceptance",
                "Acceptance",
                "The share of the sampler's proposals that were accepted; about 0.6 is best for MALA.");
        recipe.negatives()
                .kernel()
                .targetTemperature()
                .ifPresent(t -> measures.add(new Measure(
                        "Sampler's temperature T", t, "The chains sample exp(f/T), T = σ²/2h.", Verdict.NONE)));
        return measures;
    }

    /** What the samples are that are judged. */
    private String samples() {
        if (recipe.time().isPresent()) {
            return " The samples are chains that were led from the noise to the images, time by time.";
        }
        return recipe.negatives().buffer().isPresent()
                ? " The samples are fresh chains as long as one walk of training, not the buffer's."
                : " The samples are fresh chains, as long as in training.";
    }

    @Override
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        OptionalDouble buffer = evaluation.figure("fid_buffer");
        boolean poor = share(evaluation.figure("fid").orElse(0)) == Verdict.POOR;
        if (poor && buffer.isPresent() && share(buffer.getAsDouble()) != Verdict.POOR) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "Fresh chains do not reach the images in the %d steps of training; those of the replay buffer, which have"
                            + " gone further, do (FID %.3g). Let fresh chains walk longer: kelvin sample RUN --steps N.",
                    recipe.negatives().steps(),
                    buffer.getAsDouble()));
        } else if (poor) {
            warnings.add(
                    "The samples are no nearer to the images than a fitted Gaussian's. Train longer, let the learning"
                            + " rate fall at the end, or keep an average of the parameters (train.ema).");
        }
        if (evaluation.figure("auroc_noise").orElse(1) < POOR_AUROC) {
            warnings.add("f is hardly higher at images than at noise: it can't be used to tell what is foreign.");
        }
        return warnings;
    }

    /** Of a FID, by its share of the fitted Gaussian's; one that is not a number is poor. */
    private Verdict share(double fid) {
        double gaussian = evaluation.figure("fid_gaussian").orElse(Double.NaN);
        if (Double.isNaN(gaussian)) {
            return Verdict.NONE;
        }
        double share = fid / gaussian;
        return share < GOOD_SHARE ? Verdict.GOOD : share < POOR_SHARE ? Verdict.FAIR : Verdict.POOR;
    }
}
