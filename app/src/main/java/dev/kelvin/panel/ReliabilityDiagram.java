package dev.kelvin.panel;

import dev.kelvin.draw.Drawings;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.Reliability;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Pictures;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * How often a classifier is right among images of which it is equally sure, and how many those are. Source: Guo et al.
 * 2017, figure 1.
 */
public final class ReliabilityDiagram {
    private ReliabilityDiagram() {}

    /**
     * Of an evaluation that has the bins.
     *
     * @param own whether the model itself has classes
     */
    static Pictures of(Evaluation evaluation, boolean own) {
        List<Reliability.Bin> bins = evaluation.reliability();
        double images = bins.stream().mapToLong(Reliability.Bin::count).sum();
        String error =
                String.format(Locale.ROOT, "%.3f", evaluation.figure("ece").orElse(Double.NaN));
        return new Pictures(
                (own
                                ? "The model's own p(y|x) on the held-out images."
                                : "The classifier whose features FID and KID compare, on the held-out images; the"
                                        + " energy-based model itself has no classes.")
                        + " Its confidence is the probability that it gives to the likeliest class. Where a"
                        + " bar ends on the diagonal, it is right as often as it says; below it, it is over-confident; above"
                        + " it, under-confident. The expected calibration error (ECE) is the mean distance from the diagonal"
                        + " over all images: "
                        + error + ". " + leaning(evaluation).orElse(""),
                new Picture(
                        "Accuracy by confidence, ECE " + error,
                        "Bars: how often the classifier is right, by its confidence, and the diagonal",
                        Drawings.bars(heights(bins, Reliability.Bin::accuracy), true, "confidence", "accuracy")),
                new Picture(
                        "Share of the images by confidence",
                        "Bars: how many of the images have each confidence",
                        Drawings.bars(
                                heights(bins, bin -> bin.count() / images), false, "confidence", "share of images")));
    }

    /** Whether it is too sure or not sure enough, in a sentence; nothing where no classifier was judged. */
    public static Optional<String> leaning(Evaluation evaluation) {
        List<Reliability.Bin> bins =
                evaluation.reliability().stream().filter(bin -> bin.count() > 0).toList();
        double all = bins.stream().mapToLong(Reliability.Bin::count).sum();
        if (all == 0) {
            return Optional.empty();
        }
        double right = bins.stream()
                .mapToDouble(bin -> bin.accuracy() * bin.count() / all)
                .sum();
        double sure = bins.stream()
                .mapToDouble(bin -> bin.confidence() * bin.count() / all)
                .sum();
        double error = evaluation.figure("ece").orElse(Double.NaN);
        String whole = switch (Calibration.ECE.verdict(error)) {
            case GOOD -> "It is well calibrated";
            default ->
                Math.abs(sure - right) < error / 2
                        ? "It is over-confident of some images and under-confident of others"
                        : sure > right ? "It is over-confident" : "It is under-confident";
        };
        return Optional.of(String.format(
                Locale.ROOT,
                "%s: it is right in %.1f %% of the cases, and %.1f %% sure in the mean.",
                whole,
                100 * right,
                100 * sure));
    }

    private static double[] heights(List<Reliability.Bin> bins, ToDoubleFunction<Reliability.Bin> height) {
        return bins.stream().mapToDouble(height).toArray();
    }
}
