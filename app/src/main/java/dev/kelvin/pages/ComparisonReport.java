package dev.kelvin.pages;

import dev.kelvin.draw.Series;
import dev.kelvin.experiment.Evaluation;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.Judgement;
import dev.kelvin.experiment.WorkListener;
import dev.kelvin.metric.Better;
import dev.kelvin.metric.Figure;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.recipe.RecipeWriter;
import dev.kelvin.report.Curves;
import dev.kelvin.report.FigureTable;
import dev.kelvin.report.Measure;
import dev.kelvin.report.Picture;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Report;
import dev.kelvin.report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.run.MetricsLog;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Several runs side by side: their figures, densities and curves, and the settings in which they differ. */
public record ComparisonReport(Report report, Map<String, Map<String, Double>> figures) {
    /** One run, with what the report shows of it. */
    private record Entry(String name, Map<String, Double> figures, String recipe, Picture density, Series score) {}

    public static ComparisonReport of(List<RunFolder> folders, Device device) throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (RunFolder folder : folders) {
            entries.add(entry(folder, device));
        }
        Map<String, Map<String, Double>> figures = new LinkedHashMap<>();
        entries.forEach(entry -> figures.put(entry.name(), entry.figures()));
        Map<String, Map<String, Double>> shown = new LinkedHashMap<>();
        figures.forEach((run, all) -> shown.put(run, Evaluation.main(all)));
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("Figures of merit", FigureTable.of("As in each run's report", shown)));
        sections.add(new Section(
                "What they learnt",
                new Pictures(
                        "The learnt densities, each on the scale of its own data's.",
                        entries.stream().map(Entry::density).toList())));
        List<Series> scores = entries.stream()
                .map(Entry::score)
                .filter(score -> !score.points().isEmpty())
                .toList();
        if (!scores.isEmpty()) {
            sections.add(new Section(
                    "How training went",
                    new Curves(
                            GridDensity.KL.title(),
                            "In nats on a coarse grid at each checkpoint; 0 is perfect.",
                            scores)));
        }
        sections.add(new Section("How their recipes differ", differences(entries)));
        String best = best(figures);
        return new ComparisonReport(
                new Report(entries.size() + " runs compared", best, List.of(), List.of(), sections), figures);
    }

    private static Entry entry(RunFolder folder, Device device) throws IOException {
        try (Experiment experiment = new Experiment(folder.recipe(List.of()), device)) {
            Runner runner = new Runner(folder, device);
            long step = runner.restoreJudged(experiment);
            Judgement judgement = experiment.data().judge(experiment);
            Evaluation evaluation = Files.exists(folder.evaluation())
                    ? Evaluation.read(folder.evaluation())
                    : runner.evaluate(experiment, judgement, step, WorkListener.SILENT);
            String name = folder.path().toString();
            Picture picture = judgement.picture(name);
            Series scores = TrainingCurves.series(new MetricsLog(folder.metrics()).read(), GridDensity.KL.name(), name);
            return new Entry(name, evaluation.figures(), RecipeWriter.yaml(experiment.recipe()), picture, scores);
        }
    }

    /**
     * The figure to rank runs by: the first in declared order that can be good or poor and that two of them have; empty
     * where there is none.
     */
    public Optional<Figure> ranking() {
        return ranking(figures);
    }

    private static Optional<Figure> ranking(Map<String, Map<String, Double>> figures) {
        List<String> names = figures.values().stream()
                .flatMap(each -> each.keySet().stream())
                .toList();
        return Figure.ordered(names).stream()
                .filter(figure -> figure.better() == Better.LOWER || figure.better() == Better.HIGHER)
                .filter(figure -> !Double.isNaN(figure.poor()) && Collections.frequency(names, figure.name()) > 1)
                .findFirst();
    }

    private static String best(Map<String, Map<String, Double>> figures) {
        Optional<Figure> ranking = ranking(figures);
        if (ranking.isEmpty()) {
            return "No figure of merit was measured of two of them.";
        }
        Figure figure = ranking.get();
        OptionalDouble best = figure.best(figures.values().stream()
                .mapToDouble(each -> each.getOrDefault(figure.name(), Double.NaN))
                .toArray());
        return figures.entrySet().stream()
                .filter(run -> best.isPresent()
                        && run.getValue().getOrDefault(figure.name(), Double.NaN) == best.getAsDouble())
                .map(run -> run.getKey() + " is best by " + figure.title() + ", "
                        + Measure.of(figure, run.getValue()).words() + ".")
                .findFirst()
                .orElse("None is better than the others by " + figure.title() + ".");
    }

    /** The lines of the resolved recipes that are not in all of them. */
    private static TableBlock differences(List<Entry> entries) {
        List<Map<String, String>> settings =
                entries.stream().map(entry -> settings(entry.recipe())).toList();
        Set<String> names = new LinkedHashSet<>();
        settings.forEach(each -> names.addAll(each.keySet()));
        names.removeIf(name -> settings.stream()
                        .map(each -> each.getOrDefault(name, "–"))
                        .distinct()
                        .count()
                == 1);
        List<String> headers = new ArrayList<>(List.of("Setting"));
        entries.forEach(entry -> headers.add(entry.name()));
        List<List<TableBlock.Cell>> rows = new ArrayList<>();
        for (String name : names) {
            List<TableBlock.Cell> row = new ArrayList<>(List.of(new TableBlock.Cell.Words(name)));
            settings.forEach(each -> row.add(new TableBlock.Cell.Words(each.getOrDefault(name, "–"))));
            rows.add(row);
        }
        return new TableBlock(
                rows.isEmpty() ? "They do not differ" : "Settings that are not the same in all of them", headers, rows);
    }

    /** The settings of a written recipe, by their paths: each level is indented by two spaces more. */
    private static Map<String, String> settings(String yaml) {
        Map<String, String> settings = new LinkedHashMap<>();
        List<String> path = new ArrayList<>();
        for (String line : yaml.lines().toList()) {
            int depth = (line.length() - line.stripLeading().length()) / 2;
            int colon = line.indexOf(':');
            if (colon < 0 || line.isBlank()) {
                continue;
            }
            while (path.size() > depth) {
                path.remove(path.size() - 1);
            }
            path.add(line.substring(0, colon).strip());
            String value = line.substring(colon + 1).strip();
            if (!value.isEmpty()) {
                settings.put(String.join(".", path), value);
            }
        }
        return settings;
    }
}
