package dev.kelvin.pages;

import dev.kelvin.dataset.WorkListener;
import dev.kelvin.draw.Series;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judge;
import dev.kelvin.judge.component.ComponentJudge.CheckpointMetric;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.pages.ComparedRuns.Group;
import dev.kelvin.panel.Panels;
import dev.kelvin.report.Curves;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import dev.kelvin.run.MetricsLog;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.tensor.Device;
import dev.kelvin.yaml.SettingPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Several runs side by side: their figures, samples and curves, and the settings in which they differ. */
public record ComparisonReport(Report report, ComparedRuns runs) {
    /** One run, with what the report shows of it. */
    private record Entry(ComparedRuns.Run run, Picture picture, Optional<Figure> scoredBy, Series scores) {}

    /** Judges those that are not judged yet; the listener follows that. */
    public static ComparisonReport of(List<RunFolder> folders, Device device, WorkListener listener)
            throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (RunFolder folder : folders) {
            listener.at("runs", entries.size() + 1, folders.size());
            entries.add(entry(folder, device, listener));
        }
        ComparedRuns runs = new ComparedRuns(entries.stream().map(Entry::run).toList());
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("Figures of merit", figures(runs)));
        sections.add(new Section(
                "What they learnt",
                new Pictures(
                        "Each on the scale of its own data.",
                        entries.stream().map(Entry::picture).toList())));
        scores(entries).ifPresent(curves -> sections.add(new Section("How training went", curves)));
        sections.add(new Section("How their recipes differ", differences(runs)));
        Report report = new Report(entries.size() + " runs compared", best(runs), List.of(), runs.remarks(), sections);
        return new ComparisonReport(report, runs);
    }

    private static Entry entry(RunFolder folder, Device device, WorkListener listener) throws IOException {
        try (Experiment experiment = new Experiment(folder.recipe(List.of()), device)) {
            Runner runner = new Runner(folder, device);
            long step = runner.restoreJudged(experiment);
            Judge judgement = Judge.of(experiment).measured();
            Evaluation evaluation = Files.exists(folder.evaluation())
                    ? Evaluation.read(folder.evaluation())
                    : runner.evaluate(experiment, judgement, step, listener);
            String name = folder.path().toString();
            Optional<Figure> scoredBy = Judge.of(experiment).score().map(CheckpointMetric::figure);
            Series scores = TrainingCurves.series(
                    new MetricsLog(folder.metrics()).read(),
                    scoredBy.map(Figure::name).orElse(""),
                    name);
            ComparedRuns.Run run = new ComparedRuns.Run(
                    name,
                    evaluation.figures(),
                    evaluation.notes(),
                    SettingPaths.of(experiment.recipe()),
                    data(folder, experiment));
            return new Entry(run, Panels.of(judgement).picture(name), scoredBy, scores);
        }
    }

    private static String data(RunFolder folder, Experiment experiment) {
        return Files.exists(folder.provenance())
                ? Provenance.read(folder.provenance()).data()
                : experiment.recipe().data().origin();
    }

    private static TableBlock figures(ComparedRuns runs) {
        List<Group> groups = runs.groups();
        Set<String> names = new LinkedHashSet<>();
        runs.runs().forEach(run -> names.addAll(Evaluation.main(run.figures()).keySet()));
        List<String> columns = Stream.concat(groups.stream().map(Group::name), Stream.of("Which way"))
                .toList();
        return TableBlock.ofFigures("Medians and ranges where there are several seeds", columns, names, figure -> {
            Optional<Group> best = runs.best(figure);
            List<Cell> cells = new ArrayList<>();
            groups.forEach(group -> cells.add(cell(group, figure, best.equals(Optional.of(group)) ? "best" : "")));
            cells.add(Cell.words(ComparedRuns.direction(figure)));
            return cells;
        });
    }

    private static Cell cell(Group group, Figure figure, String mark) {
        if (!group.has(figure)) {
            return Cell.words("–");
        }
        return group.runs().size() == 1
                ? Cell.value(group.median(figure), mark)
                : Cell.words(group.words(figure), mark);
    }

    /** Checkpoints' scores, of the runs that have the first one's. */
    private static Optional<Curves> scores(List<Entry> entries) {
        Optional<Figure> figure =
                entries.stream().flatMap(entry -> entry.scoredBy().stream()).findFirst();
        List<Series> scores = entries.stream()
                .filter(entry -> entry.scoredBy().equals(figure))
                .map(Entry::scores)
                .filter(series -> !series.points().isEmpty())
                .toList();
        return scores.isEmpty()
                ? Optional.empty()
                : figure.map(by ->
                        new Curves(by.title(), "At each checkpoint; " + ComparedRuns.direction(by) + ".", scores));
    }

    private static String best(ComparedRuns runs) {
        return runs.ranking()
                .map(figure -> runs.best(figure)
                        .map(group -> group.name() + " is best by " + figure.title() + ", " + group.words(figure) + " ("
                                + ComparedRuns.direction(figure) + ").")
                        .orElse("None is called best by " + figure.title() + "."))
                .orElse("No figure of merit was measured of two of them.");
    }

    /** The settings that are not the same in all of them. */
    private static TableBlock differences(ComparedRuns runs) {
        Set<String> names = new LinkedHashSet<>();
        runs.runs().forEach(run -> names.addAll(run.settings().keySet()));
        names.removeIf(name -> runs.runs().stream()
                        .map(run -> run.settings().getOrDefault(name, "–"))
                        .distinct()
                        .count()
                == 1);
        return TableBlock.of(
                names.isEmpty() ? "They do not differ" : "Settings that are not the same in all of them",
                "Setting",
                runs.runs().stream().map(ComparedRuns.Run::name).toList(),
                names,
                Cell::words,
                name -> runs.runs().stream()
                        .map(run -> Cell.words(run.settings().getOrDefault(name, "–")))
                        .toList());
    }
}
