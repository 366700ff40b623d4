package dev.kelvin.pages;

import dev.kelvin.report.Curves;
import dev.kelvin.draw.Series;
import dev.kelvin.run.MetricsLog;
import java.util.List;

/** How training went: the charts of what was logged. */
final class TrainingCurves {
    private TrainingCurves() {}

    static List<Curves> of(List<MetricsLog.Line> metrics) {
        return logged(List.of(
                new Curves(
                        "How far the density is from the truth",
                        "KL(data‖model) in nats on a coarse grid at each checkpoint; 0 is perfect.",
                        series(metrics, "kl", "KL(data‖model)")),
                new Curves(
                        "Data against samples",
                        "The mean of f at the data minus that at the model's samples. Healthy training keeps it near 0;"
                                + " a drift means that the sampler can't follow the model.",
                        series(metrics, "gap", "f₊ − f₋")),
                new Curves(
                        "f at the data and at the samples",
                        "Only differences of f matter, so a common drift is harmless.",
                        series(metrics, "f_positive", "f₊, at the data"),
                        series(metrics, "f_negative", "f₋, at the samples")),
                new Curves(
                        "Loss and its parts",
                        "An EBM's loss is no measure of its quality: it should hover, not fall.",
                        series(metrics, "loss", "loss"),
                        series(metrics, "l2", "weight on the squares")),
                new Curves(
                        "Weights of the robust objective",
                        "GradScale is the share of the gradient that is used, w₊ the weight that a positive would have among"
                                + " the negatives: at a GradScale of 0 nothing is learnt.",
                        series(metrics, "grad_scale", "GradScale, mean(1 − w₊)"),
                        series(metrics, "w_positive", "mean w₊"),
                        series(metrics, "beta", "β")),
                new Curves(
                        "Negatives that count",
                        "The effective number of negatives, 1/Σw²: how many share the weight of the robust objective.",
                        series(metrics, "effective_negatives", "effective negatives")),
                new Curves(
                        "Gradient",
                        "The length of the parameters' gradient before any limit.",
                        series(metrics, "gradient_norm", "norm of the gradient")),
                new Curves(
                        "Acceptance",
                        "The share of the sampler's proposals that were accepted; about 0.6 is best for MALA.",
                        series(metrics, "acceptance", "acceptance"))));
    }

    /** What was logged under that name; no points where nothing was. */
    static Series series(List<MetricsLog.Line> metrics, String metric, String label) {
        return new Series(
                label,
                metrics.stream()
                        .filter(line -> line.values().containsKey(metric))
                        .map(line -> new Series.Point(line.step(), line.values().getOrDefault(metric, Double.NaN)))
                        .toList());
    }

    /** The charts without curves that have no points, and without those that have no other. */
    private static List<Curves> logged(List<Curves> charts) {
        return charts.stream()
                .map(chart -> new Curves(
                        chart.title(),
                        chart.explanation(),
                        chart.series().stream()
                                .filter(series -> !series.points().isEmpty())
                                .toList()))
                .filter(chart -> !chart.series().isEmpty())
                .toList();
    }
}
