package dev.kelvin.panel;

import dev.kelvin.draw.ImageGrid;
import dev.kelvin.judge.component.ComponentEvaluation;
import dev.kelvin.judge.component.Drawn;
import dev.kelvin.judge.component.LatentView;
import dev.kelvin.part.Words;
import dev.kelvin.report.Block;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.sample.anneal.MarginalLikelihood;
import dev.kelvin.tensor.Scope;
import java.util.ArrayList;
import java.util.List;

/** What a report shows of times and of latent vectors; other components have no sections. */
final class ComponentPanels {
    private ComponentPanels() {}

    /** The sections of what was measured. */
    static List<Section> of(ComponentEvaluation components) {
        List<Section> sections = new ArrayList<>();
        components.times().map(TimePanels::of).ifPresent(sections::add);
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
        return new Section(
                "Reconstructions and interpolations",
                new Pictures(
                        "Held-out images above their reconstructions from posterior samples of their latent vectors; images interpolated between the latent vectors of pairs; and samples of the Gaussian without the learnt prior, which should do better.",
                        pictures),
                likelihoods(view.likelihood()),
                new Block.Paragraphs(
                        "Annealed importance sampling along the same chains is a lower bound in expectation. Where it and"
                                + " the integral differ by much more than their errors, chains have not reached the posterior."));
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
        double byChains = likelihood.each().stream()
                .mapToDouble(MarginalLikelihood.Estimate::error)
                .average()
                .orElse(Double.NaN);
        String chains = Words.say("%.2f", byChains);
        List<List<TableBlock.Cell>> rows = new ArrayList<>();
        String integration = "thermodynamic integration over " + LatentView.RUNGS + " steps of temperature";
        rows.add(row(integration, likelihood.integrated(), likelihood.error(), chains));
        if (!Double.isNaN(likelihood.corrected())) {
            rows.add(row(
                    "the same, corrected by Gaussian divergences", likelihood.corrected(), likelihood.error(), chains));
        }
        rows.add(row("annealed importance sampling", likelihood.importance(), likelihood.importanceError(), "–"));
        return new TableBlock(
                "log p(x) of " + likelihood.each().size()
                        + " held-out images: mean and its standard error over images, and the mean standard error of one image over its chains, in nats",
                List.of("By", "Mean", "Error over images", "Error over chains"),
                rows);
    }

    private static List<TableBlock.Cell> row(String by, double mean, double error, String chains) {
        return List.of(
                TableBlock.Cell.words(by),
                TableBlock.Cell.words(Words.say("%.1f", mean)),
                TableBlock.Cell.words(Double.isNaN(error) ? "–" : Words.say("± %.1f", error)),
                TableBlock.Cell.words(chains));
    }
}
