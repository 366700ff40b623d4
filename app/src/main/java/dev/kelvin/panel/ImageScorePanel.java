package dev.kelvin.panel;

import dev.kelvin.draw.Series;
import dev.kelvin.judge.ImageJudge;
import dev.kelvin.metric.OodScore;
import dev.kelvin.metric.ProjectedGradient;
import dev.kelvin.metric.ProjectedGradient.Norm;
import dev.kelvin.report.Curves;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What scores say of images: how f is distributed on each kind, how well kinds are separated, and accuracy under attack. */
public final class ImageScorePanel {
    private static final int BINS = 40;

    private static final String AUROC = "auroc";

    /** The figures in columns of the report's table, where they have upper-case names. */
    private static final List<String> SHOWN = List.of(AUROC, "aupr", "fpr95");

    private ImageScorePanel() {}

    /** How f is distributed on each kind of image, as densities on common bins. */
    static Curves histogram(Map<String, double[]> f) {
        double[] all = TableScorePanel.finite(f.values().stream().flatMapToDouble(Arrays::stream));
        List<Series> series =
                all.length == 0 ? List.of() : TableScorePanel.shares(f, all[0], all[all.length - 1], BINS);
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
                "share of images",
                series);
    }

    /** The figures as a table: a row for each kind of images, and for each figure a column by each score. */
    public static TableBlock outOfDistribution(Map<String, Double> figures) {
        List<OodScore> scores = List.of(OodScore.values()).stream()
                .filter(score -> figures.containsKey(AUROC + score.suffix() + "_noise"))
                .toList();
        List<String> headers = new ArrayList<>(List.of("Held-out images against"));
        SHOWN.forEach(figure ->
                scores.forEach(score -> headers.add(figure.toUpperCase(Locale.ROOT) + " by " + score.words())));
        String stem = AUROC + scores.get(scores.size() - 1).suffix() + "_";
        List<List<Cell>> rows = figures.keySet().stream()
                .filter(name -> name.startsWith(stem) && !name.equals("auroc_test_train"))
                .map(name -> name.substring(stem.length()))
                .map(kind -> row(figures, kind, scores))
                .toList();
        return new TableBlock(
                "How well three scores separate held-out images from others: chance level is 0.5, 0.5 and 0.95; 1, 1 and 0 are"
                        + " perfect",
                headers,
                rows);
    }

    private static List<Cell> row(Map<String, Double> figures, String kind, List<OodScore> scores) {
        List<Cell> row = new ArrayList<>(List.of(Cell.words(kind.replace('_', ' '))));
        SHOWN.forEach(figure -> scores.forEach(
                score -> row.add(Cell.value(figures.getOrDefault(figure + score.suffix() + "_" + kind, Double.NaN)))));
        return row;
    }

    /** The curves of accuracies by radius; none where nothing was attacked. */
    public static List<Curves> attacks(Map<String, Double> figures) {
        List<Curves> charts = new ArrayList<>();
        for (Norm norm : Norm.values()) {
            List<Series> series = new ArrayList<>();
            for (boolean refined : new boolean[] {false, true}) {
                String stem = ProjectedGradient.name(norm, refined, "");
                List<Series.Point> points = figures.entrySet().stream()
                        .filter(figure -> figure.getKey().matches(stem + "[0-9.]+"))
                        .map(figure -> new Series.Point(
                                Double.parseDouble(figure.getKey().substring(stem.length())), figure.getValue()))
                        .toList();
                if (!points.isEmpty()) {
                    series.add(new Series(refined ? "refined first" : "as attacked", points));
                }
            }
            if (!series.isEmpty()) {
                charts.add(new Curves(
                        "Accuracy under " + norm.words() + " attack",
                        "The share of held-out images that p(y|x) still assigns to the right class, by the radius ε of the ball"
                                + " within which each image was changed; black and white are 1 apart."
                                + (series.size() > 1
                                        ? " The attack knows nothing of the refinement: against one that does, it would help"
                                                + " less."
                                        : ""),
                        "ε",
                        "accuracy",
                        series));
            }
        }
        return charts;
    }
}
