package dev.kelvin.report;

import dev.kelvin.metric.figure.Figure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/** Figures of several runs side by side: a row a figure in declared order, a column a run. */
public final class FigureTable {
    private FigureTable() {}

    /** With the best of each row marked, where one way is better. */
    public static TableBlock of(String caption, Map<String, Map<String, Double>> runs) {
        Set<String> names = new LinkedHashSet<>();
        runs.values().forEach(figures -> names.addAll(figures.keySet()));
        return of(caption, runs.keySet(), names, figure -> {
            OptionalDouble best = figure.best(runs.values().stream()
                    .mapToDouble(figures -> figures.getOrDefault(figure.name(), Double.NaN))
                    .toArray());
            return runs.values().stream()
                    .map(figures -> cell(figures, figure, best))
                    .toList();
        });
    }

    private static TableBlock.Cell cell(Map<String, Double> figures, Figure figure, OptionalDouble best) {
        Double value = figures.get(figure.name());
        return value == null
                ? new TableBlock.Cell.Words("–")
                : new TableBlock.Cell.Value(value, best.equals(OptionalDouble.of(value)) ? "best" : "");
    }

    /** With the cells of each figure's row, one for each column. */
    public static TableBlock of(
            String caption,
            Collection<String> columns,
            Collection<String> names,
            Function<Figure, List<TableBlock.Cell>> cells) {
        List<String> headers = new ArrayList<>(List.of("Figure"));
        headers.addAll(columns);
        List<List<TableBlock.Cell>> rows = new ArrayList<>();
        for (Figure figure : Figure.ordered(names)) {
            List<TableBlock.Cell> row = new ArrayList<>();
            row.add(header(figure));
            row.addAll(cells.apply(figure));
            rows.add(row);
        }
        return new TableBlock(caption, headers, rows);
    }

    /** The title, and the name that rules and JSON have for it. */
    private static TableBlock.Cell header(Figure figure) {
        String unit = figure.unit().isEmpty() ? "" : ", " + figure.unit();
        return new TableBlock.Cell.Words(
                figure.title() + unit, figure.title().equals(figure.name()) ? "" : figure.name());
    }
}
