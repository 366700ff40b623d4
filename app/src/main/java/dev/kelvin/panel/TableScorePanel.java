package dev.kelvin.panel;

import dev.kelvin.draw.Series;
import dev.kelvin.judge.TableJudge;
import dev.kelvin.metric.figure.Alarm;
import dev.kelvin.part.Words;
import dev.kelvin.report.Block;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Curves;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** What f says of a table's rows: how it is distributed on each kind, and what an alarm at a low f would find. */
final class TableScorePanel {
    /** The rates of false alarms that thresholds are shown for. */
    static final List<Double> RATES = List.of(0.001, 0.003, 0.01, 0.03, 0.1);

    /** Kinds of labelled rows that have curves of their own; the page has six colours. */
    private static final int KINDS = 4;

    private static final int MOST_BINS = 40;
    private static final int FEWEST_BINS = 10;
    private static final int CURVE = 300; // points; a curve of more would be smoothed

    /** f is shown down to this many times the distance from the median of held-out rows to their lowest twentieth. */
    private static final double REACH = 10;

    private final double[] usual;
    private final double[] samples;
    private final Map<String, double[]> kinds; // without the held-out rows

    TableScorePanel(Map<String, double[]> f, double[] samples) {
        this.usual = f.getOrDefault(TableJudge.HELD_OUT, new double[0]);
        this.samples = samples;
        Map<String, double[]> others = new LinkedHashMap<>(f);
        others.remove(TableJudge.HELD_OUT);
        this.kinds = largest(others);
    }

    /** The largest kinds, and the others together. */
    private static Map<String, double[]> largest(Map<String, double[]> all) {
        List<String> named = all.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, double[]> each) -> -each.getValue().length))
                .limit(all.size() <= KINDS ? KINDS : KINDS - 1)
                .map(Map.Entry::getKey)
                .toList();
        Map<String, double[]> kinds = new LinkedHashMap<>(all);
        kinds.keySet().retainAll(named);
        double[] others = all.entrySet().stream()
                .filter(each -> !named.contains(each.getKey()))
                .flatMapToDouble(each -> Arrays.stream(each.getValue()))
                .toArray();
        if (kinds.size() < all.size()) {
            kinds.put("other labels", others);
        }
        return kinds;
    }

    /** How f is distributed on each kind, as shares in common bins. */
    Curves histogram() {
        Map<String, double[]> all = new LinkedHashMap<>();
        all.put("held-out rows", usual);
        all.put("samples", samples);
        all.putAll(kinds);
        double[] sorted = finite(Arrays.stream(usual));
        double[] every = finite(all.values().stream().flatMapToDouble(Arrays::stream));
        double least = every.length == 0 ? 0 : every[0];
        double high = every.length == 0 ? 0 : every[every.length - 1];
        double low = least;
        if (sorted.length > 0) {
            double median = sorted[sorted.length / 2];
            double spread = median - sorted[sorted.length / 20];
            low = spread > 0 ? Math.max(least, median - REACH * spread) : least;
        }
        int bins = Math.max(FEWEST_BINS, Math.min(MOST_BINS, usual.length / 5));
        List<Series> series = shares(all, low, high, bins);
        return new Curves(
                "f on rows of several kinds",
                "The share of rows in each bin of f, the unnormalised log-density. Samples should lie with held-out rows, and"
                        + " anomalies below them."
                        + (low > least ? " The leftmost bin holds what lies further down too." : ""),
                "f",
                "share of rows",
                series);
    }

    /** Those that are finite, ascending. */
    static double[] finite(DoubleStream values) {
        return values.filter(Double::isFinite).sorted().toArray();
    }

    /** The shares of each kind that has values; no curves where there is no range. */
    static List<Series> shares(Map<String, double[]> kinds, double low, double high, int bins) {
        return kinds.entrySet().stream()
                .filter(kind -> low < high && kind.getValue().length > 0)
                .map(kind -> new Series(kind.getKey(), shares(kind.getValue(), low, high, bins)))
                .toList();
    }

    /** The share of values in each of equal bins; the outermost hold what lies beyond. */
    private static List<Series.Point> shares(double[] values, double low, double high, int bins) {
        double[] counts = new double[bins];
        for (double value : values) {
            if (!Double.isNaN(value)) {
                counts[(int) Math.max(0, Math.min(bins - 1, (value - low) / (high - low) * bins))]++;
            }
        }
        return IntStream.range(0, bins)
                .mapToObj(i -> new Series.Point(low + (i + 0.5) * (high - low) / bins, counts[i] / values.length))
                .toList();
    }

    /** ROC and precision-recall curves and the table of thresholds; without labelled rows, the thresholds alone. */
    List<Block> alarms() {
        List<Block> blocks = new ArrayList<>();
        if (usual.length == 0) {
            return blocks;
        }
        double[] others = others();
        blocks.add(new Paragraphs(
                "An alarm is set at rows whose quantile among held-out rows is at most a rate: that is the share of false alarms to expect on rows like the training rows ('kelvin score --alarm RATE')."
                        + (others.length == 0
                                ? " No held-out row has another label, so how many anomalies it finds is not known."
                                : " Measured on " + usual.length + " usual rows and " + others.length
                                        + " with other labels, all held out; precision holds for that mix.")));
        if (others.length > 0) {
            blocks.add(roc(others));
            blocks.add(recall(others));
        }
        blocks.add(thresholds(others));
        return blocks;
    }

    private double[] others() {
        return kinds.values().stream().flatMapToDouble(Arrays::stream).toArray();
    }

    private Map<String, double[]> curves(double[] others) {
        Map<String, double[]> curves = new LinkedHashMap<>();
        curves.put(kinds.size() == 1 ? kinds.keySet().iterator().next() : "all other labels", others);
        if (kinds.size() > 1) {
            curves.putAll(kinds);
        }
        return curves;
    }

    private Curves roc(double[] others) {
        List<Series> series = new ArrayList<>();
        curves(others)
                .forEach((name, f) -> series.add(new Series(
                                name,
                                Alarm.all(usual, f).stream()
                                        .map(alarm -> new Series.Point(alarm.falseRate(), alarm.found()))
                                        .toList())
                        .thinned(CURVE)));
        return new Curves(
                "ROC curve: true-positive rate",
                "By the false-positive rate, at every threshold. The area under the curve is the AUROC;"
                        + " chance level is the diagonal.",
                "false-alarm rate",
                "share of anomalies found",
                series);
    }

    /** Precision moves between two finds; at each find it is at its highest. */
    private Curves recall(double[] others) {
        List<Series> series = new ArrayList<>();
        curves(others).forEach((name, f) -> {
            List<Series.Point> points = new ArrayList<>();
            double before = 0;
            for (Alarm alarm : Alarm.all(usual, f)) {
                if (alarm.found() > before) {
                    points.add(new Series.Point(alarm.found(), alarm.precision()));
                    before = alarm.found();
                }
            }
            series.add(new Series(name, points).thinned(CURVE));
        });
        return new Curves(
                "Precision",
                "Precision, the fraction of anomalies among all alarms, by recall, the fraction of anomalies found. Chance level is their fraction in the"
                        + " rows, "
                        + percent((double) others.length / (others.length + usual.length)) + ".",
                "recall",
                "precision",
                series);
    }

    private TableBlock thresholds(double[] others) {
        boolean told = others.length > 0;
        List<String> headers = new ArrayList<>(List.of("Alarm rate", "f below", "False alarms"));
        if (told) {
            headers.addAll(List.of("Anomalies found", "Precision"));
        }
        List<List<Cell>> rows = new ArrayList<>();
        for (double rate : RATES) {
            List<Cell> row = new ArrayList<>(List.of(Cell.words(percent(rate))));
            Optional<Alarm> found = Alarm.at(rate, usual, others);
            if (found.isEmpty()) {
                row.add(Cell.words("–", "needs " + Alarm.rowsFor(rate) + " held-out rows"));
                while (row.size() < headers.size()) {
                    row.add(Cell.words("–"));
                }
            } else {
                Alarm alarm = found.get();
                row.add(Cell.value(alarm.threshold()));
                DoubleStream.of(alarm.falseRate(), alarm.found(), alarm.precision())
                        .limit(told ? 3 : 1)
                        .forEach(share -> row.add(Cell.words(Double.isNaN(share) ? "–" : percent(share))));
            }
            rows.add(row);
        }
        return new TableBlock("Thresholds of f", headers, rows);
    }

    private static String percent(double share) {
        return Words.say(share < 0.1 && share > 0 ? "%.1f\u00A0%%" : "%.0f\u00A0%%", 100 * share);
    }
}
