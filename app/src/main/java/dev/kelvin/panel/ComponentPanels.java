package dev.kelvin.panel;

import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.ImageGrid;
import dev.kelvin.draw.Scale;
import dev.kelvin.draw.Series;
import dev.kelvin.judge.component.ComponentJudge.Measured;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.judge.component.LatentView;
import dev.kelvin.judge.component.TimeNormaliser;
import dev.kelvin.judge.component.TimeView;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.part.Words;
import dev.kelvin.report.Block;
import dev.kelvin.report.Block.Film;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Curves;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import dev.kelvin.sample.anneal.MarginalLikelihood;
import dev.kelvin.sample.anneal.MarginalLikelihood.Estimate;
import dev.kelvin.tensor.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** What a report shows of times (their densities, normalisers, posterior and step sizes) and of latent vectors. */
public final class ComponentPanels {
    private static final String TITLE = "Densities at every time";

    private ComponentPanels() {}

    /** The sections of what was measured. */
    static List<Section> of(Measured components) {
        List<Section> sections = new ArrayList<>();
        components.times().map(ComponentPanels::times).ifPresent(sections::add);
        components.latent().map(ComponentPanels::latent).ifPresent(sections::add);
        return sections;
    }

    private static Section latent(LatentView view) {
        List<Picture> pictures = new ArrayList<>();
        int shown = view.reconstructions().count() / 2;
        pictures.add(picture(
                "Held-out images and reconstructions",
                "Two rows: held-out images, and their reconstructions",
                view.reconstructions(),
                shown,
                List.of("held-out", "made again")));
        view.interpolations()
                .ifPresent(images -> pictures.add(picture(
                        "Interpolations in latent space",
                        "Rows of images interpolated between two by their latent vectors",
                        images,
                        LatentView.STEPS_BETWEEN,
                        List.of())));
        pictures.add(picture(
                "Samples of the Gaussian, without the learnt prior",
                "Images of latent vectors from the Gaussian",
                view.fromGaussian(),
                LatentView.SHOWN,
                List.of()));
        List<Block> blocks = new ArrayList<>(
                List.of(
                        new Pictures(
                                "Held-out images above their reconstructions from posterior samples of their latent vectors; images interpolated between the latent vectors of pairs; and samples of the Gaussian without the learnt prior, which should do better.",
                                pictures),
                        likelihoods(view.likelihood()),
                        new Paragraphs(
                                "Annealed importance sampling along the same chains is a lower bound in expectation. Where it and"
                                        + " the integral differ by much more than their errors, chains have not reached the posterior.")));
        if (Double.isNaN(view.likelihood().mean(Estimate::corrected))) {
            blocks.add(new Paragraphs("There is no integral corrected by Gaussian divergences: for the covariances of "
                    + view.size() + " latent variables set latent.measuredSteps to "
                    + LatentView.stepsForCorrection(view.size()) + " or more."));
        }
        blocks.addAll(ThermodynamicPanels.of(view.likelihood().levels(), view.integration()));
        return new Section("Reconstructions and interpolations", blocks);
    }

    private static Picture picture(String caption, String description, Drawn images, int columns, List<String> rows) {
        try (Scope scope = Scope.open()) {
            return new Picture(
                    caption,
                    description,
                    rows.isEmpty()
                            ? ImageGrid.of(images.tensor(), columns)
                            : ImageGrid.of(images.tensor(), columns, rows));
        }
    }

    private static TableBlock likelihoods(MarginalLikelihood likelihood) {
        String chains = Words.say("%.2f", likelihood.mean(Estimate::error));
        List<List<Cell>> rows = new ArrayList<>();
        String integration = "thermodynamic integration over " + LatentView.RUNGS + " steps of temperature";
        rows.add(row(
                integration, likelihood.mean(Estimate::integrated), likelihood.error(Estimate::integrated), chains));
        if (!Double.isNaN(likelihood.mean(Estimate::corrected))) {
            rows.add(row(
                    "the same, corrected by Gaussian divergences",
                    likelihood.mean(Estimate::corrected),
                    likelihood.error(Estimate::integrated),
                    chains));
        }
        rows.add(row(
                "annealed importance sampling",
                likelihood.mean(Estimate::importance),
                likelihood.error(Estimate::importance),
                "–"));
        return new TableBlock(
                "log p(x) of " + likelihood.each().size()
                        + " held-out images: mean and its standard error over images, and the mean standard error of one image over its chains, in nats",
                List.of("By", "Mean", "Error over images", "Error over chains"),
                rows);
    }

    private static List<Cell> row(String by, double mean, double error, String chains) {
        return List.of(
                Cell.words(by),
                Cell.words(Words.say("%.1f", mean)),
                Cell.words(Double.isNaN(error) ? "–" : Words.say("± %.1f", error)),
                Cell.words(chains));
    }

    /** With the densities of a model of the plane, or what is known of the normalisers of others. */
    public static Section times(Measured.Times measured) {
        Optional<TimeView.Densities> densities = measured.densities();
        Optional<TimeNormaliser> normaliser = measured.normaliser();
        List<Block> blocks = new ArrayList<>();
        densities.ifPresent(times -> blocks.addAll(densities(times)));
        normaliser.ifPresent(found -> blocks.addAll(normaliser(found)));
        if (densities.isEmpty() && normaliser.isEmpty()) {
            blocks.add(new Paragraphs(
                    "There is no log-likelihood: the reference is not pinned, or f is too coarse, in bfloat16,"
                            + " to measure by annealed importance sampling how far the learnt normaliser is off."));
        }
        blocks.addAll(view(measured.view()));
        return new Section(TITLE, blocks);
    }

    private static List<Block> densities(TimeView.Densities times) {
        int count = times.model().size();
        List<Picture> learnt = new ArrayList<>();
        List<Picture> truths = new ArrayList<>();
        List<Integer> looks = times.truth().isEmpty()
                ? TimeView.Densities.looks(count)
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
        blocks.add(new Film("The learnt density at times from the noise to the data.", learnt));
        if (!truths.isEmpty()) {
            blocks.add(new Film("The true one at the same times, on the same scales.", truths));
        }
        blocks.add(curves(
                "Normalisers",
                "log Z of p(z|t) at every time, which should be 0 where the reference at t = 0 is pinned: the model is then"
                        + " normalised by itself.",
                "log Z",
                series("log Z", count, t -> times.model().get(t).logNormaliser())));
        return blocks;
    }

    private static List<Block> normaliser(TimeNormaliser found) {
        int count = found.count();
        double lower = found.lower()[count - 1];
        return List.of(
                new Paragraphs(Words.say(
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
                curves(
                        "Normalisers",
                        "log Z of p(z|t) at every time, which should be 0, by annealed importance sampling: the logarithm of"
                                + " the mean weight, and a lower bound.",
                        "log Z, nats",
                        series("log Z", count, t -> found.estimates()[t]),
                        series("lower bound", count, t -> found.lower()[t])));
    }

    private static List<Block> view(TimeView view) {
        int count = view.count();
        List<Block> blocks = new ArrayList<>();
        blocks.add(curves(
                "p(t given z): inferred noise level",
                "p(t|z): which times the model thinks a sample comes from.",
                "p(t|z)",
                view.posteriors().stream()
                        .map(each -> series(each.at(), count, t -> each.shares()[t]))
                        .toArray(Series[]::new)));
        if (view.steps().length > 0) {
            blocks.add(curves(
                    "Step sizes",
                    "The length μ of one step's noise that each time's chains settled at, moved by "
                            + view.kernel()
                            + " before it was adapted; and the 0.4 times the noise βσ in z that “Thinking Fourth"
                            + " Dimensionally” reports for Langevin steps, whose μ is √(2h).",
                    "length of a step",
                    series("μ", count, t -> view.steps()[t]),
                    series("0.4·βσ", count, t -> TimeView.REPORTED * view.noise()[t])));
        }
        return blocks;
    }

    private static Curves curves(String title, String explanation, String up, Series... series) {
        return new Curves(title, explanation, "time", up, List.of(series));
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
