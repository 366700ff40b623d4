package dev.kelvin.panel;

import dev.kelvin.draw.Series;
import dev.kelvin.draw.Series.Point;
import dev.kelvin.objective.Integration;
import dev.kelvin.part.Words;
import dev.kelvin.report.Block;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Curves;
import dev.kelvin.sample.Ladder;
import dev.kelvin.sample.anneal.MarginalLikelihood.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The integrand of log p(x) over temperature, and where training's temperatures lie on it (figures 1 and 2 of Raj and Girolami
 * 2024, of the model itself).
 */
public final class ThermodynamicPanels {
    private ThermodynamicPanels() {}

    static List<Block> of(List<Level> levels, Optional<Integration> integration) {
        List<Block> blocks = new ArrayList<>(List.of(integrand(levels, integration)));
        integration.ifPresent(by -> {
            blocks.add(schedule(by));
            blocks.add(new Paragraphs(weight(by)));
        });
        return blocks;
    }

    /** E_t over t, measured, and its values at training's temperatures, between which the trapezoid rule is linear. */
    public static Curves integrand(List<Level> levels, Optional<Integration> integration) {
        Ladder measured = new Ladder(levels.stream().mapToDouble(Level::t).toArray());
        double[] means = levels.stream().mapToDouble(Level::mean).toArray();
        List<Series> series = new ArrayList<>();
        series.add(new Series(
                "E_t",
                levels.stream().map(level -> new Point(level.t(), level.mean())).toList()));
        integration.ifPresent(by -> {
            double[] t = by.ladder().t();
            series.add(new Series(
                    "trapezoids of training",
                    IntStream.range(0, t.length)
                            .mapToObj(i -> new Point(t[i], measured.between(means, t[i])))
                            .toList()));
        });
        return new Curves(
                "Mean log-likelihood by temperature",
                "E_t = mean log p(x|z) under p(z|x, t) ∝ p(x|z)^t p(z), of held-out images; the area under it is log p(x)."
                        + (integration.isPresent()
                                ? " Trapezoids are those that training's first temperatures would have."
                                : ""),
                "t",
                "E_t, nats",
                series);
    }

    /** tᵢ by i. */
    public static Curves schedule(Integration by) {
        double[] t = by.ladder().t();
        return new Curves(
                "Schedule of temperatures",
                "tᵢ = (i/N_t)^p with p = " + Words.number(by.power())
                        + (by.adaptive() ? ", before they are adapted." : "."),
                "i",
                "t",
                List.of(Series.of("t", t, i -> i)));
    }

    private static String weight(Integration by) {
        String share = Words.say("%.2g", by.priorWeight());
        String rest = by.mode() == Integration.Mode.PAPER
                ? " in the loss; the gradient through the chains corrects for it in part."
                : " in the generator's gradient, as the samples are held fixed: for these draws, which know nothing of"
                        + " the image, the best output is the mean image.";
        return by.fromPrior()
                ? "Draws of the prior, t = 0, have the weight w₀ = t₁/2 = " + share + rest
                : "Draws of the prior, t = 0, are left out of the generator's gradient (fromPrior: false).";
    }
}
