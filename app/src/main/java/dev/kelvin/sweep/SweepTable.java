package dev.kelvin.sweep;

import dev.kelvin.io.AtomicFile;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.sweep.SweepRun.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All runs of a sweep as CSV: a row each, with its settings, seed and state, all its figures, and why it diverged or failed. */
public final class SweepTable {
    private SweepTable() {}

    /** Writes it. Nothing in it depends on the clock. */
    public static void write(SweepFolder folder, List<Result> results) throws IOException {
        List<String> settings = folder.sweep().varied();
        List<String> figures = Figure.ordered(results.stream()
                        .flatMap(result -> result.figures().keySet().stream())
                        .distinct()
                        .sorted()
                        .toList())
                .stream()
                .map(Figure::name)
                .toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(Stream.of(List.of("run", "state"), settings, List.of("seed"), figures, List.of("why"))
                .flatMap(List::stream)
                .toList());
        for (Result result : results) {
            List<String> row =
                    new ArrayList<>(List.of(result.run().name(), result.state().toString()));
            settings.forEach(setting -> row.add(result.run().point().values().getOrDefault(setting, "")));
            row.add(Long.toString(result.run().seed()));
            figures.forEach(figure -> {
                Double value = result.figures().get(figure);
                row.add(value == null ? "" : value.toString());
            });
            row.add(result.why());
            rows.add(row);
        }
        AtomicFile.write(
                folder.table(),
                rows.stream()
                        .map(row -> row.stream().map(SweepTable::cell).collect(Collectors.joining(",")) + "\n")
                        .collect(Collectors.joining()));
    }

    private static String cell(String text) {
        return text.matches("(?s).*[\",\r\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}
