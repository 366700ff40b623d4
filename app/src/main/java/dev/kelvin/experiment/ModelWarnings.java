package dev.kelvin.experiment;

import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.ModelFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the figures that models of any data have say is wrong, in sentences. */
final class ModelWarnings {
    private ModelWarnings() {}

    static List<String> of(Map<String, Double> figures) {
        List<String> warnings = new ArrayList<>();
        if (GridDensity.EDGE_MASS.isPoor(figures)) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "%.0f %% of the model's mass lies at the edge of the square on which it is normalised: it puts density where"
                            + " there is no data, and KL is worse than it looks.",
                    100 * figures.getOrDefault(GridDensity.EDGE_MASS.name(), 0.0)));
        }
        if (ModelFigures.LIGHTER_HALF.isPoor(figures)) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "Half of the negatives carry %.2g %% of the weight: most chains end where the model has no mass."
                            + " Use more steps, or a smaller beta.",
                    100 * figures.getOrDefault(ModelFigures.LIGHTER_HALF.name(), 0.0)));
        }
        if (ModelFigures.GRAD_SCALE.isPoor(figures)) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "Only %.2g %% of the gradient is used (GradScale): the positives outweigh all negatives, so little"
                            + " is learnt any more.",
                    100 * figures.getOrDefault(ModelFigures.GRAD_SCALE.name(), 0.0)));
        }
        if (ChainFigures.ACCEPTANCE.isPoor(figures)) {
            double rate = figures.getOrDefault(ChainFigures.ACCEPTANCE.name(), 0.0);
            warnings.add(
                    !(rate >= ChainFigures.ACCEPTANCE.good())
                            ? String.format(
                                    Locale.ROOT,
                                    "Only %.0f %% of the proposals are accepted: the step size is too large. Try a third of it.",
                                    100 * rate)
                            : String.format(
                                    Locale.ROOT,
                                    "%.1f %% of the proposals are accepted: the step size is too small to move. Try three times"
                                            + " as much.",
                                    100 * rate));
        }
        if (ModelFigures.ROUNDING.isPoor(figures)) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "f is so large that its rounding in float is worth %.2g nats at temperature %.2g: acceptances, weights and"
                            + " densities are noise. Keep f near 0 by an L2 penalty (objective's l2), or sample at a higher"
                            + " temperature.",
                    figures.getOrDefault(ModelFigures.ROUNDING.name(), Double.NaN),
                    figures.getOrDefault(ModelFigures.TEMPERATURE.name(), Double.NaN)));
        }
        if (ModelFigures.LOG_Z_GAP.isPoor(figures)) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "log Z is not known: annealed importance sampling bounds it by %.3g and %.3g, which lie apart. Either the"
                            + " samples are not the model's, or the way from a Gaussian to it is too long.",
                    figures.getOrDefault(ModelFigures.LOG_Z_LOWER.name(), Double.NaN),
                    figures.getOrDefault(ModelFigures.LOG_Z_UPPER.name(), Double.NaN)));
        }
        return warnings;
    }
}
