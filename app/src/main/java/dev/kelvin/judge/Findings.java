package dev.kelvin.judge;

import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.judge.Finding.About;
import dev.kelvin.judge.Finding.Advice;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What is wrong with a run by its figures, and what its recipe allows to try: one finding after the other. */
final class Findings {
    /** What a poor figure of a model of any data says, with the values of some figures in the sentence. */
    private record Rule(
            Figure poor,
            About about,
            String sentence,
            double factor,
            List<Figure> values,
            List<Function<Suggestions, Optional<Advice>>> advice) {}

    private static final List<Rule> RULES = List.of(
            rule(
                    GridDensity.EDGE_MASS,
                    About.MODEL,
                    "%.0f %% of the model's mass lies at the edge of the square on which it is normalised: it puts"
                            + " density where there is no data, and KL is worse than it looks.",
                    Suggestions::moreSteps,
                    Suggestions::penalty),
            rule(
                    ModelFigures.LIGHTER_HALF,
                    About.SAMPLER,
                    "Half of the negatives carry %.2g %% of the weight: most chains end where the model has no mass.",
                    Suggestions::moreSteps,
                    Suggestions::smallerBeta),
            rule(
                    ModelFigures.GRAD_SCALE,
                    About.MODEL,
                    "Only %.2g %% of the gradient is used (GradScale): the positives outweigh all negatives, so"
                            + " little is learnt any more.",
                    Suggestions::smallerBeta,
                    Suggestions::moreSteps),
            rule(
                    ChainFigures.ACCEPTANCE,
                    About.SAMPLER,
                    "Only %.0f %% of the proposals are accepted: the step size is too large.",
                    Suggestions::smallerSteps),
            new Rule(
                    ModelFigures.ROUNDING,
                    About.MODEL,
                    "f is so large that its rounding in float is worth %.2g nats at temperature %.2g: acceptances,"
                            + " weights and densities are noise.",
                    1,
                    List.of(ModelFigures.ROUNDING, ModelFigures.TEMPERATURE),
                    List.of(Suggestions::penalty)),
            new Rule(
                    ModelFigures.LOG_Z_GAP,
                    About.SAMPLER,
                    "log Z is not known: annealed importance sampling bounds it by %.3g and %.3g, which lie apart."
                            + " Either the samples are not the model's, or the way from a Gaussian to it is too long.",
                    1,
                    List.of(ModelFigures.LOG_Z_LOWER, ModelFigures.LOG_Z_UPPER),
                    List.of(Suggestions::penalty)));

    /** What a poor acceptance says where it is not too low. */
    private static final Rule TOO_HIGH = rule(
            ChainFigures.ACCEPTANCE,
            About.SAMPLER,
            "%.1f %% of the proposals are accepted: the step size is too small to move.",
            Suggestions::largerSteps);

    private final Map<String, Double> figures;
    private final Suggestions suggestions;
    private final List<Finding> found = new ArrayList<>();

    Findings(Recipe recipe, Map<String, Double> figures) {
        this.figures = figures;
        suggestions = new Suggestions(recipe);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Rule rule(
            Figure share, About about, String sentence, Function<Suggestions, Optional<Advice>>... advice) {
        return new Rule(share, about, sentence, 100, List.of(share), List.of(advice));
    }

    /** Adds what is wrong if {@code is}, with those of the suggestions that the recipe allows. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    final Findings add(boolean is, About about, String sentence, Function<Suggestions, Optional<Advice>>... suggested) {
        if (is) {
            add(about, sentence, List.of(suggested));
        }
        return this;
    }

    private void add(About about, String sentence, List<Function<Suggestions, Optional<Advice>>> suggested) {
        found.add(new Finding(
                about,
                sentence,
                suggested.stream()
                        .flatMap(each -> each.apply(suggestions).stream())
                        .toList()));
    }

    /** All that were added, and then what figures say that models of any data have. */
    List<Finding> all() {
        for (Rule rule : RULES) {
            if (rule.poor.isPoor(figures)) {
                double value = figures.getOrDefault(rule.poor.name(), Double.NaN);
                boolean tooHigh = rule.poor.equals(ChainFigures.ACCEPTANCE) && value >= ChainFigures.ACCEPTANCE.good();
                Rule said = tooHigh ? TOO_HIGH : rule;
                Object[] values = said.values.stream()
                        .map(each -> said.factor * figures.getOrDefault(each.name(), Double.NaN))
                        .toArray();
                add(said.about, Words.say(said.sentence, values), said.advice);
            }
        }
        return found;
    }
}
