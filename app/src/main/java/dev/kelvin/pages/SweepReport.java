package dev.kelvin.pages;

import dev.kelvin.dataset.Build;
import dev.kelvin.draw.Axis;
import dev.kelvin.draw.ParallelAxes;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.pages.SweepRanking.Ranked;
import dev.kelvin.report.Block;
import dev.kelvin.report.Block.Facts;
import dev.kelvin.report.Block.Fold;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import dev.kelvin.sweep.Sweep;
import dev.kelvin.sweep.SweepPoint;
import dev.kelvin.sweep.SweepRun;
import dev.kelvin.sweep.SweepRun.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The report of a sweep: the best points, what each setting does, parallel coordinates, what went wrong, and links to all runs. */
public final class SweepReport {
    private static final int BEST = 20; // points
    private static final int MOST_AXES = 9;
    private static final int MOST_ROWS = 1000;

    private final SweepRanking ranking;
    private final Sweep sweep;
    private final List<SettingEffects> effects;

    private SweepReport(SweepRanking ranking) {
        this.ranking = ranking;
        this.sweep = ranking.folder().sweep();
        this.effects = ranking.figure().stream()
                .flatMap(figure -> sweep.varied().stream()
                        .map(path -> SettingEffects.of(path, sweep.drawn().contains(path), figure, ranking.results())))
                .sorted(Comparator.comparingDouble(effect -> -effect.size()))
                .toList();
    }

    /** The page of a sweep whose runs are over. */
    public static Report of(SweepRanking ranking) throws IOException {
        return new SweepReport(ranking).report();
    }

    private Report report() throws IOException {
        List<Section> sections = new ArrayList<>();
        if (!ranking.points().isEmpty()) {
            sections.add(new Section("The best", best()));
        }
        if (!effects.isEmpty()) {
            sections.add(new Section("What each setting does", effects()));
            ranking.figure().ifPresent(figure -> sections.add(new Section("All settings at once", parallel(figure))));
        }
        if (ranking.count(State.FINISHED) < ranking.results().size()) {
            sections.add(new Section("What went wrong", lost()));
        }
        sections.add(new Section("All runs", new Fold(ranking.ends(), "", List.of(all()))));
        sections.add(new Section("Where it comes from", facts()));
        return new Report("Sweep of " + sweep.recipe(), lead(), List.of(), ranking.remarks(), sections);
    }

    private String lead() {
        return ranking.ends() + ". "
                + ranking.figure()
                        .map(figure -> ranking.best()
                                .map(best -> "The best by " + figure.title() + " ("
                                        + ComparedRuns.direction(figure) + ") is "
                                        + best.point().words() + ": "
                                        + best.finished().words(figure) + ".")
                                .orElseGet(() -> ranking.points().size() == 1
                                        ? figure.title() + ": "
                                                + ranking.points()
                                                        .get(0)
                                                        .finished()
                                                        .words(figure) + "."
                                        : "None is called best by " + figure.title() + "."))
                        .orElse("No figure of merit with a better way was measured.");
    }

    // ---- points

    private TableBlock best() {
        List<Ranked> points = ranking.points();
        List<Figure> figures = ranking.shown();
        List<String> columns = Stream.of(
                        sweep.varied().stream().map(this::name),
                        figures.stream().map(SweepReport::heading),
                        Stream.of("Finished"))
                .flatMap(each -> each)
                .toList();
        String more = points.size() > BEST ? ", the first " + BEST + " of " + points.size() : "";
        String by = ranking.figure()
                .map(figure -> " by the median of " + figure.title() + " (" + ComparedRuns.direction(figure) + ")")
                .orElse("");
        return TableBlock.of(
                "Points" + by + more
                        + "; in brackets the range over the seeds. Points with runs that did not finish come last.",
                "Point",
                columns,
                points.subList(0, Math.min(BEST, points.size())),
                this::point,
                point -> cells(point, figures));
    }

    private static String heading(Figure figure) {
        return figure.title() + (figure.unit().isEmpty() ? "" : ", " + figure.unit());
    }

    private String name(String path) {
        return ranking.folder().points().get(0).shortName(path);
    }

    /** It leads to the report of its best run. */
    private Cell point(Ranked point) {
        SweepRun.Result first = point.all().stream()
                .filter(result -> result.state() == State.FINISHED)
                .min(Comparator.comparingDouble(this::badness))
                .orElseThrow();
        return link(first, Integer.toString(point.point().number()));
    }

    private double badness(SweepRun.Result run) {
        return ranking.figure()
                .map(figure -> SweepRanking.badness(figure, figure.value(run.figures())))
                .orElse(0.0);
    }

    private List<Cell> cells(Ranked point, List<Figure> figures) {
        List<Cell> cells = new ArrayList<>();
        sweep.varied()
                .forEach(path -> cells.add(Cell.words(point.point().values().getOrDefault(path, ""))));
        figures.forEach(figure -> cells.add(
                Cell.words(point.finished().has(figure) ? point.finished().words(figure) : "–")));
        cells.add(Cell.words(point.count()));
        return cells;
    }

    private static Cell link(SweepRun.Result result, String text) {
        return Cell.linked(text, "", result.run().name() + "/report.html");
    }

    // ---- settings

    private List<Block> effects() {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                new Paragraphs(
                        "Settings whose values make the most difference, by their medians, come first. The spread over"
                                + " seeds is the median, over points with the value, of how far their seeds differ; that over other settings, how"
                                + " far the medians of those points do. A difference that is smaller than either says little."));
        effects.forEach(effect -> blocks.addAll(effect.blocks()));
        return blocks;
    }

    private Pictures parallel(Figure figure) {
        List<SettingEffects> shown = effects.subList(0, Math.min(MOST_AXES, effects.size()));
        int room = ParallelAxes.room(shown.size() + 1);
        List<SettingAxis> settings = shown.stream()
                .map(effect -> SettingAxis.of(
                        effect.axis().path(),
                        !effect.drawn(),
                        ranking.results(),
                        room * effect.axis().values().size()))
                .toList();
        List<Axis> axes =
                new ArrayList<>(settings.stream().map(SettingAxis::axis).toList());
        axes.add(SettingAxis.of(figure, ranking.results()));
        double limit = limit(figure);
        List<ParallelAxes.Line> lines = ranking.results().stream()
                .map(run -> {
                    double value = figure.value(run.figures());
                    double known = Double.isFinite(value) ? value : Double.NaN;
                    boolean best = SweepRanking.badness(figure, known) <= limit;
                    int kind = run.state() != State.FINISHED ? 2 : best ? 1 : 0;
                    return new ParallelAxes.Line(places(settings, run, known), kind);
                })
                .toList();
        List<String> kinds = Stream.of("other runs", "the best tenth of the runs", "diverged or failed")
                .limit(lines.stream().anyMatch(line -> line.kind() == 2) ? 3 : 2)
                .toList();
        return Pictures.wide(
                "",
                new Picture(
                        "A line for each run through its settings to its " + figure.title() + ", "
                                + ComparedRuns.direction(figure) + ".",
                        "Parallel coordinates of all runs",
                        ParallelAxes.of(axes, kinds, lines)));
    }

    /** The figure of the last of the best tenth. */
    private double limit(Figure figure) {
        double[] sorted = ranking.results().stream()
                .mapToDouble(run -> figure.value(run.figures()))
                .filter(Double::isFinite)
                .map(value -> SweepRanking.badness(figure, value))
                .sorted()
                .toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 10];
    }

    private static double[] places(List<SettingAxis> settings, SweepRun.Result run, double value) {
        double[] places = new double[settings.size() + 1];
        for (int i = 0; i < settings.size(); i++) {
            places[i] = settings.get(i).place(run);
        }
        places[settings.size()] = value;
        return places;
    }

    // ---- runs

    private TableBlock lost() {
        List<SweepRun.Result> lost = ranking.results().stream()
                .filter(result -> result.state() != State.FINISHED)
                .limit(MOST_ROWS)
                .toList();
        return TableBlock.of(
                "Runs without figures; those that failed are tried again when the sweep is resumed",
                "Run",
                List.of("How it ended", "Why"),
                lost,
                result -> Cell.words(result.run().name()),
                result -> List.of(Cell.words(result.state().toString()), Cell.words(result.why())));
    }

    private TableBlock all() {
        Optional<Figure> by = ranking.figure();
        List<String> columns =
                new ArrayList<>(sweep.varied().stream().map(this::name).toList());
        columns.add("Seed");
        by.ifPresent(figure -> columns.add(heading(figure)));
        int count = ranking.results().size();
        return TableBlock.of(
                "Each with its report; all figures of all runs are in sweep.csv"
                        + (count > MOST_ROWS ? ", where those after the first " + MOST_ROWS + " are too" : ""),
                "Run",
                columns,
                ranking.results().subList(0, Math.min(MOST_ROWS, count)),
                result -> result.state() == State.FINISHED
                        ? link(result, result.run().name())
                        : Cell.words(result.run().name(), result.state().toString()),
                result -> {
                    SweepPoint point = result.run().point();
                    List<Cell> cells = new ArrayList<>();
                    sweep.varied()
                            .forEach(path -> cells.add(Cell.words(point.values().getOrDefault(path, ""))));
                    cells.add(Cell.words(Long.toString(result.run().seed())));
                    by.ifPresent(figure -> cells.add(
                            result.figures().containsKey(figure.name())
                                    ? Cell.value(figure.value(result.figures()))
                                    : Cell.words("–")));
                    return cells;
                });
    }

    private Facts facts() throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("recipe", sweep.recipe());
        facts.put(
                "set",
                String.join(
                        "; ",
                        Stream.concat(sweep.fixed().stream(), sweep.set().stream())
                                .toList()));
        facts.put(
                "seeds",
                String.join(", ", sweep.seeds().stream().map(String::valueOf).toList()));
        sweep.random().ifPresent(count -> facts.put("points", count + ", drawn"));
        facts.putAll(Build.facts());
        return new Facts(facts);
    }
}
