package dev.kelvin.pages;

import dev.kelvin.draw.Numbers;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.report.Block;
import dev.kelvin.report.EffectChart;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import dev.kelvin.sweep.SweepPoint;
import dev.kelvin.sweep.SweepRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What one setting of a sweep does to the figure that runs are ranked by, over all seeds and all values of the other settings. */
record SettingEffects(SettingAxis axis, boolean drawn, Figure figure, List<SweepRun.Result> results) {
    /** Parts of a range of which two values or more each were drawn. */
    private static final int PARTS = 4;

    private static final int LABELS = 600; // pixels for all names of a chart's axis

    /** Of a setting by its path, whose values are drawn from a range or else a few. */
    static SettingEffects of(String path, boolean drawn, Figure figure, List<SweepRun.Result> results) {
        return new SettingEffects(SettingAxis.of(path, results, LABELS), drawn, figure, results);
    }

    /** Runs with one value, or with values in one part of a range. */
    private record Part(String name, List<SweepRun.Result> runs) {
        private double[] values(Figure figure) {
            return runs.stream()
                    .mapToDouble(run -> figure.value(run.figures()))
                    .filter(Double::isFinite)
                    .toArray();
        }

        private long lost() {
            return runs.stream()
                    .filter(run -> run.state() == SweepRun.State.DIVERGED || run.state() == SweepRun.State.FAILED)
                    .count();
        }

        /** The finite values of each point over its seeds. */
        private List<double[]> byPoint(Figure figure) {
            Map<SweepPoint, List<SweepRun.Result>> points = new LinkedHashMap<>();
            runs.forEach(run -> points.computeIfAbsent(run.run().point(), point -> new ArrayList<>())
                    .add(run));
            return points.values().stream()
                    .map(some -> new Part(name, some).values(figure))
                    .filter(values -> values.length > 0)
                    .toList();
        }
    }

    /** How far the medians of its values lie apart. */
    double size() {
        return width(parts().stream()
                .map(part -> part.values(figure))
                .filter(values -> values.length > 0)
                .mapToDouble(ClaimTable.Spread::median)
                .toArray());
    }

    /** A table of its values, and a chart of all runs. */
    List<Block> blocks() {
        List<Part> parts = parts();
        TableBlock table = TableBlock.of(
                axis.path() + ": " + figure.title() + " of all runs with a value",
                inParts() ? "Values" : "Value",
                List.of("Runs", "Median", "Range", "Spread over seeds", "Spread over other settings"),
                parts,
                part -> Cell.words(part.name()),
                this::cells);
        return List.of(chart(parts), table);
    }

    private List<Cell> cells(Part part) {
        double[] values = part.values(figure);
        ClaimTable.Spread spread = ClaimTable.Spread.of(values);
        List<double[]> points = part.byPoint(figure);
        double[] overSeeds = points.stream()
                .filter(seeds -> seeds.length > 1)
                .mapToDouble(SettingEffects::width)
                .toArray();
        double[] medians =
                points.stream().mapToDouble(ClaimTable.Spread::median).toArray();
        String lost = part.lost() == 0 ? "" : part.lost() + " diverged or failed";
        return List.of(
                Cell.words(Integer.toString(part.runs().size()), lost),
                Cell.words(values.length == 0 ? "–" : spread.middle()),
                Cell.words(spread.range().isEmpty() ? "–" : spread.range()),
                Cell.words(overSeeds.length == 0 ? "–" : Numbers.forPeople(ClaimTable.Spread.median(overSeeds))),
                Cell.words(medians.length < 2 ? "–" : Numbers.forPeople(width(medians))));
    }

    private static double width(double... values) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length - 1] - sorted[0];
    }

    private EffectChart chart(List<Part> parts) {
        List<EffectChart.Group> groups = parts.stream()
                .map(part -> new EffectChart.Group(
                        part.name(),
                        part.runs().stream()
                                .filter(run -> Double.isFinite(figure.value(run.figures())))
                                .mapToDouble(axis::place)
                                .toArray(),
                        part.values(figure)))
                .toList();
        String says = inParts()
                ? "Each dot is a run; lines are the medians of the parts of the table."
                : "Each dot is a run; boxes are quartiles and the median.";
        String title = figure.title() + " by " + axis.axis().label();
        return new EffectChart(title, says, axis.axis(), SettingAxis.of(figure, results), groups);
    }

    /** The setting's values in order, or where they are many parts of its range with as many of them. */
    private List<Part> parts() {
        List<String> values = axis.values();
        int count = inParts() ? PARTS : values.size();
        return IntStream.range(0, count)
                .mapToObj(i -> values.subList(values.size() * i / count, values.size() * (i + 1) / count))
                .map(some -> new Part(
                        some.size() == 1 ? some.get(0) : some.get(0) + " to " + some.get(some.size() - 1),
                        results.stream()
                                .filter(run -> some.contains(axis.value(run)))
                                .toList()))
                .toList();
    }

    private boolean inParts() {
        return drawn && axis.values().size() >= 2 * PARTS;
    }
}
