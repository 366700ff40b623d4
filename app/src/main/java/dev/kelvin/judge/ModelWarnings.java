package dev.kelvin.judge;

import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.recipe.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the figures that models of any data have say is wrong. */
public final class ModelWarnings {
    private ModelWarnings() {}

    /** What is wrong by these figures. */
    public static List<Finding> of(Recipe recipe, Map<String, Double> figures) {
        Suggestions remedies = new Suggestions(recipe);
        List<Finding> found = new ArrayList<>();
        if (GridDensity.EDGE_MASS.isPoor(figures)) {
            found.add(Finding.of(
                    About.MODEL,
                    say(
                            "%.0f %% of the model's mass lies at the edge of the square on which it is normalised: it puts"
                                    + " density where there is no data, and KL is worse than it looks.",
                            100 * figures.getOrDefault(GridDensity.EDGE_MASS.name(), 0.0)),
                    remedies.moreSteps(),
                    remedies.penalty()));
        }
        if (ModelFigures.LIGHTER_HALF.isPoor(figures)) {
            found.add(Finding.of(
                    About.SAMPLER,
                    say(
                            "Half of the negatives carry %.2g %% of the weight: most chains end where the model has no mass.",
                            100 * figures.getOrDefault(ModelFigures.LIGHTER_HALF.name(), 0.0)),
                    remedies.moreSteps(),
                    remedies.smallerBeta()));
        }
        if (ModelFigures.GRAD_SCALE.isPoor(figures)) {
            found.add(Finding.of(
                    About.MODEL,
                    say(
                            "Only %.2g %% of the gradient is used (GradScale): the positives outweigh all negatives, so"
                                    + " little is learnt any more.",
                            100 * figures.getOrDefault(ModelFigures.GRAD_SCALE.name(), 0.0)),
                    remedies.smallerBeta(),
                    remedies.moreSteps()));
        }
        addAcceptance(found, remedies, figures);
        if (ModelFigures.ROUNDING.isPoor(figures)) {
            found.add(Finding.of(
                    About.MODEL,
                    say(
                            "f is so large that its rounding in float is worth %.2g nats at temperature %.2g: acceptances,"
                                    + " weights and densities are noise.",
                            figures.getOrDefault(ModelFigures.ROUNDING.name(), Double.NaN),
                            figures.getOrDefault(ModelFigures.TEMPERATURE.name(), Double.NaN)),
                    remedies.penalty()));
        }
        if (ModelFigures.LOG_Z_GAP.isPoor(figures)) {
            found.add(Finding.of(
                    About.SAMPLER,
                    say(
                            "log Z is not known: annealed importance sampling bounds it by %.3g and %.3g, which lie apart."
                                    + " Either the samples are not the model's, or the way from a Gaussian to it is too long.",
                            figures.getOrDefault(ModelFigures.LOG_Z_LOWER.name(), Double.NaN),
                            figures.getOrDefault(ModelFigures.LOG_Z_UPPER.name(), Double.NaN)),
                    remedies.penalty()));
        }
        return found;
    }

    private static void addAcceptance(List<Finding> found, Suggestions remedies, Map<String, Double> figures) {
        if (!ChainFigures.ACCEPTANCE.isPoor(figures)) {
            return;
        }
        double rate = figures.getOrDefault(ChainFigures.ACCEPTANCE.name(), 0.0);
        found.add(
                !(rate >= ChainFigures.ACCEPTANCE.good())
                        ? Finding.of(
                                About.SAMPLER,
                                say(
                                        "Only %.0f %% of the proposals are accepted: the step size is too large.",
                                        100 * rate),
                                remedies.smallerSteps())
                        : Finding.of(
                                About.SAMPLER,
                                say(
                                        "%.1f %% of the proposals are accepted: the step size is too small to move.",
                                        100 * rate),
                                remedies.largerSteps()));
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
