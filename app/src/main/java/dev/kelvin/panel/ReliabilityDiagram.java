package dev.kelvin.panel;

import dev.kelvin.draw.Drawings;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.metric.Reliability;
import dev.kelvin.part.Words;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Pictures;
import java.util.List;
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
        String error = Words.say("%.3f", evaluation.figure("ece").orElse(Double.NaN));
        return new Pictures(
                (own
                                ? "The model's own p(y|x) on the held-out images."
                                : "The classifier whose features FID and KID compare, on the held-out images; the"
                                        + " energy-based model itself has no classes.")
                        + " Its confidence is the probability that it gives to the likeliest class. Where a"
                        + " bar ends on the diagonal, it is right as often as it says; below it, it is over-confident; above"
                        + " it, under-confident. The expected calibration error (ECE) is the mean distance from the diagonal"
                        + " over all images: "
                        + error + ". " + evaluation.leaning().orElse(""),
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

    private static double[] heights(List<Reliability.Bin> bins, ToDoubleFunction<Reliability.Bin> height) {
        return bins.stream().mapToDouble(height).toArray();
    }
}
