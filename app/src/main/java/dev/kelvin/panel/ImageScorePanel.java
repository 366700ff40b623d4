package dev.kelvin.panel;

import dev.kelvin.draw.Series;
import dev.kelvin.judge.ImageJudge;
import dev.kelvin.report.Curves;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What f says of images: how it is distributed on each kind. */
final class ImageScorePanel {
    private static final int BINS = 40;

    private ImageScorePanel() {}

    /** How f is distributed on each kind of image, as densities on common bins. */
    static Curves histogram(Map<String, double[]> f) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (double[] values : f.values()) {
            double[] sorted =
                    Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
            if (sorted.length > 0) {
                low = Math.min(low, sorted[0]);
                high = Math.max(high, sorted[sorted.length - 1]);
            }
        }
        List<Series> series = new ArrayList<>();
        if (low < high) {
            for (Map.Entry<String, double[]> entry : f.entrySet()) {
                series.add(new Series(entry.getKey(), histogram(entry.getValue(), low, high)));
            }
        }
        String larger = f.containsKey(ImageJudge.LARGER_STEPS)
                ? " Chains with steps " + ImageJudge.LARGER
                        + " times as large, at the same temperature, have the same density in"
                        + " theory: if they find a higher f, short chains had not reached the model's density, and its"
                        + " likelihoods are not reliable."
                : "";
        return new Curves(
                        "f on images of several kinds",
                        "The share of images in each bin of f, the unnormalised log-density. Training and held-out images should"
                                + " lie together, samples with them, and noise far below." + larger,
                        "f",
                        series)
                .measuring("share of images");
    }

    private static List<Series.Point> histogram(double[] values, double low, double high) {
        double[] counts = new double[BINS];
        for (double value : values) {
            if (Double.isFinite(value)) {
                counts[(int) Math.min(BINS - 1, (value - low) / (high - low) * BINS)]++;
            }
        }
        List<Series.Point> points = new ArrayList<>();
        for (int i = 0; i < BINS; i++) {
            points.add(new Series.Point(low + (i + 0.5) * (high - low) / BINS, counts[i] / values.length));
        }
        return points;
    }
}
