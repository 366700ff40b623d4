package dev.kelvin.panel;

import dev.kelvin.draw.Numbers;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.ImageKind;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.image.KernelDistance;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** FID, KID and Inception score of the model's samples beside those of a fitted Gaussian and of real images. */
final class ImageKindTable {
    private ImageKindTable() {}

    /** The section of a report; empty for an evaluation without features, or of a version that did not measure all kinds. */
    static Optional<Section> of(Evaluation evaluation) {
        Map<String, Double> figures = evaluation.figures();
        List<ImageKind> kinds = ImageKind.in(figures);
        if (!kinds.contains(ImageKind.GAUSSIAN)) {
            return Optional.empty();
        }
        List<String> sentences = new ArrayList<>();
        sentences.add(
                "Each kind is compared with " + evaluation.notes().getOrDefault("reference", "the training images")
                        + " by " + evaluation.notes().getOrDefault("features", "one network") + ".");
        Optional.ofNullable(evaluation.notes().get("comparable"))
                .ifPresent(words -> sentences.add("Comparable: " + words + "."));
        return Optional.of(new Section(
                "How near the samples are to the images",
                new Paragraphs(sentences),
                TableBlock.of(
                        "FID of fewer images is higher: compare rows of equally many",
                        "Images",
                        List.of("Number", "FID", "FID ÷ Gaussian's", "KID", "Inception score"),
                        kinds,
                        kind -> Cell.words(kind.words()),
                        kind -> cells(kind, figures))));
    }

    private static List<Cell> cells(ImageKind kind, Map<String, Double> figures) {
        return List.of(
                cell(kind.count(), figures),
                cell(kind.fid(), figures),
                kind.share().map(share -> cell(share, figures)).orElse(Cell.value(1)),
                kind == ImageKind.FRESH ? spread(figures) : cell(kind.kid(), figures),
                cell(kind.score(), figures));
    }

    private static Cell spread(Map<String, Double> figures) {
        double spread = KernelDistance.KID_SPREAD.value(figures);
        return Cell.value(
                KernelDistance.KID.value(figures), Double.isNaN(spread) ? "" : "± " + Numbers.forPeople(spread));
    }

    private static Cell cell(Figure figure, Map<String, Double> figures) {
        return figures.containsKey(figure.name()) ? Cell.value(figure.value(figures)) : Cell.words("–");
    }
}
