package dev.kelvin.report;

import dev.kelvin.metric.Verdict;
import dev.kelvin.objective.Robust;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.Evaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What the figures of a model of the plane say. */
record PlaneFindings(Recipe recipe, Evaluation evaluation) implements Findings {
    // where a figure stops being good, and where it starts being poor
    private static final double GOOD_KL = 0.1;
    private static final double POOR_KL = 0.5;
    private static final double GOOD_EXCESS = 0.05; // of a total variation above its floor
    private static final double POOR_EXCESS = 0.15;
    private static final double GOOD_TV = 0.1;
    private static final double POOR_TV = 0.3;
    private static final double GOOD_LOG_Z = 0.1; // nats
    private static final double POOR_LOG_Z = 0.5;
    private static final double LOW_ACCEPTANCE = 0.2;
    private static final double HIGH_ACCEPTANCE = 0.97;
    private static final double LIGHT = 0.02; // of the negatives' weight
    private static final double LITTLE_USED = 0.05; // of the gradient
    private static final double MUCH_EDGE_MASS = 0.01;

    @Override
    public String lead() {
        String data = recipe.data().title();
        OptionalDouble kl = evaluation.figure("kl");
        if (kl.isEmpty()) {
            return "An energy-based model of " + data + ".";
        }
        String density = kl.getAsDouble() < GOOD_KL
                ? "matches the data's density closely"
                : kl.getAsDouble() < POOR_KL ? "comes near the data's density" : "is far from the data's density";
        return String.format(
                Locale.ROOT, "An energy-based model of %s that %s (KL %.3g nats).", data, density, kl.getAsDouble());
    }

    @Override
    public List<Measure> measures() {
        List<Measure> measures = new ArrayList<>();
        add(
                measures,
                "kl",
                "KL(data‖model)",
                "Nats lost when the model's density stands for the data's; 0 is perfect."
                        + " Normalised on a 256×256 grid.",
                value -> verdict(value, GOOD_KL, POOR_KL));
        add(
                measures,
                "tv",
                "Total variation of the density",
                "The largest difference in probability that the two densities"
                        + " give to any region: 0 equal, 1 disjoint.",
                value -> verdict(value, GOOD_TV, POOR_TV));
        add(
                measures,
                "sample_tv",
                "Total variation of the samples",
                floorText("sample_tv", samplesAre()),
                value -> excessVerdict("sample_tv", value));
        add(
                measures,
                "long_sample_tv",
                "The same after a long walk",
                floorText(
                        "long_sample_tv",
                        (recipe.time().isPresent()
                                        ? "Annealed chains go on at the data's time, "
                                        : "Fresh chains walk ")
                                + "30 times as far as in training. If this is much worse than the figure above, the"
                                + " density is wrong although the samples look right."),
                value -> excessVerdict("long_sample_tv", value));
        add(measures, "log_likelihood", "Held-out log-likelihood", likelihoodText());
        add(
                measures,
                "log_z_max",
                "Largest |log Z| of all times",
                "The model is meant to be normalised by itself at every time, from the reference on; this is by how many"
                        + " nats it misses at the worst one.",
                value -> verdict(value, GOOD_LOG_Z, POOR_LOG_Z));
        add(
                measures,
                "kl_mean",
                "KL over the times",
                "The mean of KL(data‖model) at times from the noise to the data.",
                value -> verdict(value, GOOD_KL, POOR_KL));
        add(
                measures,
                "mmd2",
                "MMD² of the samples",
                "Distance of samples and data under a Gaussian kernel of median width;"
                        + " it scatters around 0 where the two are equal.");
        add(
                measures,
                Robust.EFFECTIVE_NEGATIVES,
                "Effective negatives",
                "1/Σw₋² of a batch under the robust objective: as many of equal weight would say as much.");
        add(
                measures,
                Robust.LIGHTER_HALF,
                "Weight of the lighter half",
                "The share of the weight that the lighter half of the negatives carries; a half if all count the same.");
        add(
                measures,
                Robust.GRAD_SCALE,
                "GradScale",
                "mean(1 − w₊): the share of the gradient that the robust objective uses.");
        add(
                measures,
                "acceptance",
                "Acceptance",
                "The share of the sampler's proposals that were accepted; about 0.6 is" + " best for MALA.",
                value -> value < LOW_ACCEPTANCE || value > HIGH_ACCEPTANCE ? Verdict.POOR : Verdict.GOOD);
        add(
                measures,
                "edge_mass",
                "Mass at the edge",
                "The share of the model's density in the outermost 1/32 of the"
                        + " pictures' square at each side. If it is large, the model leaks out of sight and the figures above"
                        + " flatter it.",
                value -> value > MUCH_EDGE_MASS ? Verdict.POOR : Verdict.NONE);
        recipe.negatives()
                .kernel()
                .targetTemperature()
                .ifPresent(t -> measures.add(new Measure(
                        "Sampler's temperature T",
                        t,
                        "The chains sample exp(f/T), T = σ²/2h, and that density is judged here.",
                        Verdict.NONE)));
        return measures;
    }

    @Override
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        OptionalDouble kl = evaluation.figure("kl");
        boolean poorDensity = kl.isPresent() && !(kl.getAsDouble() < POOR_KL);
        boolean goodSamples = excess("sample_tv") < POOR_EXCESS;
        if (kl.isPresent() && !Double.isFinite(kl.getAsDouble())) {
            warnings.add("KL(data‖model) is not a number: f is not finite somewhere on the grid. The run has broken;"
                    + " train again with a smaller learning rate.");
        } else if (poorDensity && goodSamples) {
            warnings.add("The short-run samples are good but the density is not: the sampler does not converge."
                    + " Try the robust objective, --set objective.robust.beta=0.5, or a replay buffer,"
                    + " --set negatives.buffer.size=10000.");
        } else if (poorDensity) {
            warnings.add("Neither the samples nor the density match the data. Train longer, use more steps"
                    + " (negatives.steps), or a wider network.");
        } else if (!goodSamples) {
            warnings.add("The density is fair but the samples are not: the chains are too short or their step is too"
                    + " small. Try more steps (kelvin sample RUN --steps) or a larger step size.");
        }
        if (goodSamples && excess("long_sample_tv") > 2 * POOR_EXCESS) {
            warnings.add("Chains that walk 30 times as far as in training leave the data: samples are good only at the"
                    + " length that was trained, and the density is not the one that the samples suggest.");
        }
        if (evaluation.figure("edge_mass").orElse(0) > MUCH_EDGE_MASS) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "%.0f %% of the model's mass lies at the edge of the square on which it"
                            + " is normalised: it puts density where there is no data, and KL is worse than it looks.",
                    100 * evaluation.figure("edge_mass").orElse(0)));
        }
        evaluation.figure(Robust.LIGHTER_HALF).ifPresent(share -> {
            if (share < LIGHT) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "Half of the negatives carry %.2g %% of the weight: most chains end where the model has no mass."
                                + " Use more steps, or a smaller beta.",
                        100 * share));
            }
        });
        evaluation.figure(Robust.GRAD_SCALE).ifPresent(scale -> {
            if (scale < LITTLE_USED) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "Only %.2g %% of the gradient is used (GradScale): the positives outweigh all negatives, so little"
                                + " is learnt any more.",
                        100 * scale));
            }
        });
        evaluation.figure("acceptance").ifPresent(rate -> {
            if (rate < LOW_ACCEPTANCE) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "Only %.0f %% of the proposals are accepted: the step size is too"
                                + " large. Try a third of it.",
                        100 * rate));
            } else if (rate > HIGH_ACCEPTANCE) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "%.1f %% of the proposals are accepted: the step size is too small"
                                + " to move. Try three times as much.",
                        100 * rate));
            }
        });
        return warnings;
    }

    private double excess(String figure) {
        double value = evaluation.figure(figure).orElse(0)
                - evaluation.figure(figure + "_floor").orElse(0);
        return Double.isNaN(value) ? Double.POSITIVE_INFINITY : value;
    }

    private Verdict excessVerdict(String figure, double value) {
        return Double.isNaN(value) ? Verdict.POOR : verdict(excess(figure), GOOD_EXCESS, POOR_EXCESS);
    }

    private static Verdict verdict(double value, double good, double poor) {
        return value < good ? Verdict.GOOD : value < poor ? Verdict.FAIR : Verdict.POOR;
    }

    private String samplesAre() {
        if (recipe.time().isPresent()) {
            return "Histogram of chains led from the reference to the data, against the data's, on 50×50 bins of a square"
                    + " that holds both.";
        }
        String chains = recipe.negatives().buffer().isPresent()
                ? "Histogram of the replay buffer's chains, moved on as in training, against the data's, on 50×50 bins."
                : "Histogram of fresh chains, as long as in training, against the data's, on 50×50 bins.";
        return recipe.objective().objective().samplingScale() == 1
                ? chains
                : chains + " In training the chains see (1 − β)f, so they spread wider than the model.";
    }

    private String floorText(String figure, String text) {
        return evaluation.figure(figure + "_floor").isPresent()
                ? text
                        + String.format(
                                Locale.ROOT,
                                " Perfect samples would score %.3g.",
                                evaluation.figure(figure + "_floor").getAsDouble())
                : text;
    }

    private String likelihoodText() {
        OptionalDouble truth = evaluation.figure("true_log_likelihood");
        String text = String.format(
                Locale.ROOT,
                "Mean log-density of fresh data under the model, ± %.2g.",
                evaluation.figure("log_likelihood_error").orElse(Double.NaN));
        return truth.isPresent()
                ? text + String.format(Locale.ROOT, " The true density scores %.4g.", truth.getAsDouble())
                : text;
    }
}
