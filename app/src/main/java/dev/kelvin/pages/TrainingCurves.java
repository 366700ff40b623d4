package dev.kelvin.pages;

import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.draw.Series;
import dev.kelvin.metric.Calibration;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.metric.figure.TrainingFigures;
import dev.kelvin.metric.image.FrechetDistance;
import dev.kelvin.metric.image.InceptionScore;
import dev.kelvin.recipe.ImageFigures;
import dev.kelvin.report.Curves;
import dev.kelvin.run.MetricsLog;
import java.util.List;
import java.util.stream.Stream;

/** How training went: the charts of what was logged. */
final class TrainingCurves {
    private TrainingCurves() {}

    static List<Curves> of(List<MetricsLog.Line> metrics, ImageFigures by) {
        return Stream.of(
                        chart(metrics, "KL divergence of the density", GridDensity.KL)
                                .onLogScale(),
                        chart(metrics, "Held-out error", Calibration.ERROR),
                        chart(
                                metrics,
                                "FID in training",
                                "Of at most " + by.chains() + " chains, by the features of "
                                        + by.file()
                                                .map(file -> String.valueOf(file.getFileName()))
                                                .orElse("the set's classifier")
                                        + " (train.judgeEvery).",
                                "FID",
                                FrechetDistance.FID_BUFFER,
                                FrechetDistance.FID),
                        chart(
                                metrics,
                                "Inception score in training",
                                "Of the same chains, by the same network.",
                                "Inception score",
                                InceptionScore.IS_BUFFER,
                                InceptionScore.INCEPTION_SCORE),
                        chart(metrics, "Unlikely chains of the replay buffer", ModelFigures.BUFFER_UNLIKELY),
                        chart(metrics, "Data against samples", TrainingFigures.GAP),
                        chart(
                                metrics,
                                "f at the data and at the samples",
                                "Only differences of f matter, so a common drift is harmless.",
                                "f",
                                TrainingFigures.POSITIVE,
                                TrainingFigures.NEGATIVE),
                        loss(metrics),
                        chart(
                                metrics,
                                "Entropy of the samples: distance to the nearest neighbour",
                                TrainingFigures.NEIGHBOUR_DISTANCE),
                        chart(metrics, "Smoothing factor of the generative part", TrainingFigures.ALPHA),
                        chart(metrics, "Displacement of the particles in an iteration", TrainingFigures.DISPLACEMENT),
                        chart(metrics, "Error of the generator of starts", TrainingFigures.GENERATOR_ERROR),
                        chart(
                                metrics,
                                "Weights of the robust objective",
                                "GradScale is the fraction of the gradient that is used, w₊ the weight that a positive would have among"
                                        + " the negatives: at a GradScale of 0 nothing is learnt.",
                                "share",
                                ModelFigures.GRAD_SCALE,
                                ModelFigures.POSITIVE_WEIGHT,
                                TrainingFigures.BETA),
                        chart(metrics, "Effective number of negatives", ModelFigures.EFFECTIVE_NEGATIVES),
                        chart(metrics, "Reconstruction error", ModelFigures.RECONSTRUCTION),
                        chart(metrics, "Likelihood of the batch", ModelFigures.INTEGRATED),
                        chart(metrics, "Gradient", TrainingFigures.GRADIENT_NORM),
                        chart(metrics, "Variance of the gradient over parameters", ModelFigures.GRADIENT_VARIANCE),
                        chart(metrics, "Sharpness of the minimum", TrainingFigures.SHARPNESS),
                        chart(metrics, "Acceptance", ChainFigures.ACCEPTANCE),
                        chart(metrics, "What preconditioned steps are divided by", ChainFigures.STEP_DIVISOR))
                .filter(chart -> !chart.series().isEmpty())
                .toList();
    }

    /** The loss and its parts; of no figure where it is minus the gap, which has a chart of its own. */
    private static Curves loss(List<MetricsLog.Line> metrics) {
        List<Figure> parts = List.of(
                TrainingFigures.SQUARES,
                TrainingFigures.ENTROPY,
                TrainingFigures.KL_TERM,
                TrainingFigures.CROSS_ENTROPY);
        boolean gapAlone = metrics.stream()
                .allMatch(line -> lossIsMinusGap(line)
                        && parts.stream().noneMatch(part -> line.values().containsKey(part.name())));
        return chart(
                metrics,
                "Loss and its parts",
                TrainingFigures.LOSS.meaning(),
                "loss",
                Stream.concat(Stream.of(TrainingFigures.LOSS), parts.stream())
                        .filter(figure -> !gapAlone)
                        .toArray(Figure[]::new));
    }

    private static boolean lossIsMinusGap(MetricsLog.Line line) {
        double loss = line.values().getOrDefault(TrainingFigures.LOSS.name(), 0.0);
        double gap = line.values().getOrDefault(TrainingFigures.GAP.name(), 0.0);
        double rounding = 1e-5 * Math.max(1, Math.abs(gap)); // both are sums of a batch's floats
        return Double.compare(loss, -gap) == 0 || Math.abs(loss + gap) <= rounding;
    }

    /** One figure, with what it means. */
    private static Curves chart(List<MetricsLog.Line> metrics, String title, Figure figure) {
        String unit = figure.unit().isEmpty() ? "" : ", " + figure.unit();
        return chart(metrics, title, figure.meaning(), figure.title() + unit, figure);
    }

    /** Curves of those that were logged. */
    private static Curves chart(
            List<MetricsLog.Line> metrics, String title, String explanation, String up, Figure... figures) {
        return new Curves(
                title,
                explanation,
                "step",
                up,
                Stream.of(figures)
                        .map(figure -> series(metrics, figure.name(), figure.title()))
                        .filter(series -> !series.points().isEmpty())
                        .toList());
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
}
