package dev.kelvin.panel;

import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Scale;
import dev.kelvin.draw.Series;
import dev.kelvin.judge.component.ComponentEvaluation;
import dev.kelvin.judge.component.TimeDensities;
import dev.kelvin.judge.component.TimeNormaliser;
import dev.kelvin.judge.component.TimeView;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.part.Words;
import dev.kelvin.report.Block;
import dev.kelvin.report.Curves;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** What a time-joint model knows of every time: its densities, its normalisers, its posterior, its step sizes. */
public final class TimePanels {
    private static final String TITLE = "Densities at every time";

    private TimePanels() {}

    /** With the densities of a model of the plane, or what is known of the normalisers of others. */
    public static Section of(ComponentEvaluation.Times measured) {
        Optional<TimeDensities> densities = measured.densities();
        Optional<TimeNormaliser> normaliser = measured.normaliser();
        List<Block> blocks = new ArrayList<>();
        densities.ifPresent(times -> blocks.addAll(densities(times)));
        normaliser.ifPresent(found -> blocks.addAll(normaliser(found)));
        if (densities.isEmpty() && normaliser.isEmpty()) {
            blocks.add(new Block.Paragraphs(
                    "There is no log-likelihood: the reference is not pinned, or f is too coarse, in bfloat16,"
                            + " to measure by annealed importance sampling how far the learnt normaliser is off."));
        }
        blocks.addAll(view(measured.view()));
        return new Section(TITLE, blocks);
    }

    private static List<Block> densities(TimeDensities times) {
        int count = times.model().size();
        List<Picture> learnt = new ArrayList<>();
        List<Picture> truths = new ArrayList<>();
        List<Integer> looks = times.truth().isEmpty()
                ? TimeDensities.looks(count)
                : List.copyOf(times.truth().keySet());
        for (int t : looks) {
            GridDensity grid = times.model().get(t);
            GridDensity reference = times.truth().getOrDefault(t, grid);
            Scale scale = Scale.linear(PlanePanels.rows(reference));
            learnt.add(picture("Learnt, t = " + t, grid, scale));
            if (times.truth().containsKey(t)) {
                truths.add(picture("True, t = " + t, reference, scale));
            }
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Film("The learnt density at times from the noise to the data.", learnt));
        if (!truths.isEmpty()) {
            blocks.add(new Block.Film("The true one at the same times, on the same scales.", truths));
        }
        blocks.add(curves(
                "Normalisers",
                "log Z of p(z|t) at every time, which should be 0 where the reference at t = 0 is pinned: the model is then"
                        + " normalised by itself.",
                count,
                "log Z",
                t -> times.model().get(t).logNormaliser()));
        return blocks;
    }

    private static List<Block> normaliser(TimeNormaliser found) {
        int count = found.count();
        double lower = found.lower()[count - 1];
        return List.of(
                new Block.Paragraphs(Words.say(
                        "The model says log p(x) = %.1f nats on average at held-out samples, as it sees them, by the normaliser that it has"
                                + " learnt. By annealed importance sampling from the reference along its own times log Z,"
                                + " which should be 0, lies between %.1f and %.1f, so that the true mean of its log p(x) lies"
                                + " between %.1f and %.1f. %s",
                        found.logLikelihood(),
                        lower,
                        found.upper(),
                        found.logLikelihood() - found.upper(),
                        found.logLikelihood() - lower,
                        lower > found.upper()
                                ? "The bounds contradict each other: the annealed samples are not the model's, and the upper"
                                        + " one does not hold."
                                : "The upper bound of log Z holds only if annealed samples are the model's.")),
                new Curves(
                                "Normalisers",
                                "log Z of p(z|t) at every time, which should be 0, by annealed importance sampling: the logarithm of"
                                        + " the mean weight, and a lower bound.",
                                "time",
                                List.of(
                                        series("log Z", count, t -> found.estimates()[t]),
                                        series("lower bound", count, t -> found.lower()[t])))
                        .measuring("log Z, nats"));
    }

    private static List<Block> view(TimeView view) {
        int count = view.count();
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Curves(
                        "p(t given z): inferred noise level",
                        "p(t|z): which times the model thinks a sample comes from.",
                        "time",
                        view.posteriors().stream()
                                .map(each -> series(each.at(), count, t -> each.shares()[t]))
                                .toList())
                .measuring("p(t|z)"));
        if (view.steps().length > 0) {
            blocks.add(new Curves(
                            "Step sizes",
                            "The length μ of one step's noise that each time's chains settled at, moved by "
                                    + view.kernel()
                                    + " before it was adapted; and the 0.4 times the noise βσ in z that “Thinking Fourth"
                                    + " Dimensionally” reports for Langevin steps, whose μ is √(2h).",
                            "time",
                            List.of(
                                    series("μ", count, t -> view.steps()[t]),
                                    series("0.4·βσ", count, t -> TimeView.REPORTED * view.noise()[t])))
                    .measuring("length of a step"));
        }
        return blocks;
    }

    private static Curves curves(String title, String explanation, int count, String name, IntToDoubleFunction value) {
        return new Curves(title, explanation, "time", List.of(series(name, count, value)));
    }

    private static Series series(String name, int count, IntToDoubleFunction value) {
        return new Series(
                name,
                IntStream.range(0, count)
                        .mapToObj(t -> new Series.Point(t, value.applyAsDouble(t)))
                        .toList());
    }

    private static Picture picture(String caption, GridDensity grid, Scale scale) {
        return new Picture(caption, caption, Drawings.small(grid.box(), PlanePanels.rows(grid), scale));
    }
}
