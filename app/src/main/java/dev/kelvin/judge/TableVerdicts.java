package dev.kelvin.judge;

import dev.kelvin.judge.Finding.About;
import dev.kelvin.metric.HeldOut;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.figure.TableFigures;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.sample.anneal.PartitionFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** What the figures of a model of a table say, in sentences. */
public final class TableVerdicts {
    /** The largest gap between the bounds of log Z at which log p is told as a number, in nats. */
    private static final double KNOWN = 2;

    private TableVerdicts() {}

    /** Whether log Z is known well enough to tell log p. */
    static boolean known(double lower, double upper) {
        return upper - lower <= KNOWN && upper - lower > -KNOWN;
    }

    /** The verdict on a likelihood. */
    static String likelihood(PartitionFunction z, double mean) {
        String bounds = String.format(Locale.ROOT, "[%.2f, %.2f]", mean - z.upper(), mean - z.lower());
        return switch (z.verdict()) {
            case KNOWN -> "known: the mean log-likelihood of held-out rows lies in " + bounds;
            case ROUGHLY_KNOWN -> "roughly known: the mean log-likelihood of held-out rows lies in " + bounds;
            case NOT_KNOWN -> "not known: the two bounds, " + bounds + ", lie too far apart to name a number";
        };
    }

    public static String lead(String title, Evaluation evaluation) {
        OptionalDouble likelihood = evaluation.figure(HeldOut.LOG_LIKELIHOOD.name());
        OptionalDouble auroc = evaluation.figure("auroc");
        String told = auroc.isPresent()
                ? String.format(
                        Locale.ROOT,
                        " It ranks a row with another label below a usual one in %.1f %% of pairs (AUROC).",
                        100 * auroc.getAsDouble())
                : "";
        if (likelihood.isEmpty()) {
            return "A density of the rows of " + title + ", whose likelihood is not known." + told;
        }
        return String.format(
                Locale.ROOT,
                "A density of the rows of %s: held-out rows have a mean log-likelihood of %.2f nats, under a fitted Gaussian"
                        + " %.2f.%s",
                title,
                likelihood.getAsDouble(),
                evaluation.figure(TableFigures.OF_GAUSSIAN.name()).orElse(Double.NaN),
                told);
    }

    public static List<Finding> findings(Recipe recipe, Evaluation evaluation) {
        List<Finding> found = new ArrayList<>();
        Suggestions remedies = new Suggestions(recipe);
        Map<String, Double> figures = evaluation.figures();
        double lower = figures.getOrDefault(ModelFigures.LOG_Z_LOWER.name(), Double.NaN);
        double upper = figures.getOrDefault(ModelFigures.LOG_Z_UPPER.name(), Double.NaN);
        if (!known(lower, upper)) {
            found.add(Finding.of(
                    About.MODEL,
                    String.format(
                            Locale.ROOT,
                            "The likelihood is not known: log Z lies between %.4g and %.4g. f still ranks rows, and quantiles"
                                    + " hold; log p is not given. A smaller network or fewer columns may help.",
                            lower,
                            upper),
                    remedies.moreNoise()));
        }
        OptionalDouble likelihood = evaluation.figure(HeldOut.LOG_LIKELIHOOD.name());
        double gaussian = figures.getOrDefault(TableFigures.OF_GAUSSIAN.name(), Double.NaN);
        if (likelihood.isPresent() && likelihood.getAsDouble() < gaussian) {
            found.add(Finding.of(
                    About.MODEL,
                    "Held-out rows are likelier under a fitted Gaussian than under the model: it has learnt too much of"
                            + " the rows themselves, or too little.",
                    remedies.trainShorter(),
                    remedies.trainLonger()));
        }
        if (TableFigures.MARGINAL.isPoor(figures)) {
            found.add(Finding.of(
                    About.MODEL,
                    "Samples' columns differ from the rows': the chains have not reached the model's density, or the"
                            + " model is far from the data's.",
                    remedies.trainLonger(),
                    remedies.moreSteps()));
        }
        found.addAll(ModelWarnings.of(recipe, figures));
        return found;
    }
}
