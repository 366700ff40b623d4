package dev.kelvin.pages;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.dataset.Data;
import dev.kelvin.dataset.PlaneDataset;
import dev.kelvin.draw.Drawings;
import dev.kelvin.draw.Numbers;
import dev.kelvin.draw.Scale;
import dev.kelvin.draw.Series;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Judge;
import dev.kelvin.math.Box;
import dev.kelvin.metric.GridDensity;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.SampleRequest;
import dev.kelvin.panel.Panels;
import dev.kelvin.panel.PlanePanels;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Study;
import dev.kelvin.report.Block;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.Curves;
import dev.kelvin.report.Pictures;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.RunsChart;
import dev.kelvin.report.TableBlock;
import dev.kelvin.report.TableBlock.Cell;
import dev.kelvin.run.MetricsLog;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import dev.kelvin.run.StudyRunner;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.train.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The report of studies: the verdicts on their claims first, then for each study the numbers and the pictures behind them. */
public final class StudyReport {
    private static final int SHOWN_CHAINS = 6;
    private static final int MOST_COLUMNS = 5; // of a table that fits the page
    private static final int CELLS = 128;
    private static final int SAMPLES = 2000;

    /** The report's draws have a key of their own. */
    private static final Key KEY = KeyDomain.STUDY_PICTURES.key();

    private StudyReport() {}

    /** A study with its figures. */
    public record Measured(Study study, StudyRunner runner, StudyRunner.Figures figures) {}

    /** One page for all of these studies. */
    public static Report of(List<Measured> studies) throws IOException {
        List<Section> sections = new ArrayList<>();
        sections.add(new Section("The verdicts", ClaimTable.of(studies)));
        for (Measured each : studies) {
            sections.add(section(each));
        }
        String title = String.join(
                ", ", studies.stream().map(each -> each.study().name()).toList());
        return new Report(title, lead(studies), List.of(), List.of(), sections);
    }

    private static String lead(List<Measured> studies) {
        List<StudyRunner.Verdict> verdicts = studies.stream()
                .flatMap(each -> each.study().claims().stream().map(each.figures()::verdict))
                .toList();
        int holding = Collections.frequency(verdicts, StudyRunner.Verdict.HOLDS);
        int undecided = Collections.frequency(verdicts, StudyRunner.Verdict.UNDECIDED);
        int not = verdicts.size() - holding - undecided;
        return "Of " + counted(verdicts.size(), "claim", "claims") + " " + counted(holding, "holds", "hold") + ", "
                + counted(not, "does", "do") + " not, and " + counted(undecided, "is", "are") + " undecided.";
    }

    private static String counted(int number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    /** The median and the range of a figure over the seeds. */
    public static String spread(double[] values) {
        return ClaimTable.Spread.of(values).toString();
    }

    private static Section section(Measured each) throws IOException {
        Study study = each.study();
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Paragraphs(study.about(), "Scale: " + study.scale()));
        Set<String> known = new HashSet<>();
        for (Study.Trained run : study.runs()) {
            blocks.addAll(learnt(each, run, known));
        }
        blocks.addAll(figures(
                each, "The runs", study.runs().stream().map(Study.Trained::name).toList()));
        for (Study.Plot plot : study.plots()) {
            blocks.add(plot.isOfTraining() ? training(each, plot) : chart(each, plot));
        }
        blocks.addAll(figures(
                each,
                "The chains",
                study.chains().stream().map(Study.Walked::name).toList()));
        if (!study.chains().isEmpty()) {
            blocks.addAll(chains(each));
        }
        return new Section(study.name() + ": " + study.paper().replaceFirst("^\\d+: ", ""), blocks);
    }

    /** A curve for each run and seed. */
    private static Curves training(Measured each, Study.Plot plot) throws IOException {
        List<Series> curves = new ArrayList<>();
        for (String run : plot.runs()) {
            for (int seed = 0; seed < each.study().seeds(); seed++) {
                List<Series.Point> points = new MetricsLog(
                                RunFolder.open(each.runner().run(run, seed)).metrics())
                        .read().stream()
                                .filter(line -> line.values().containsKey(plot.figure()))
                                .map(line -> new Series.Point(
                                        line.step(), line.values().get(plot.figure())))
                                .toList();
                curves.add(new Series(run + ", seed " + seed, points));
            }
        }
        String up = ClaimTable.title(plot.figure());
        return new Curves(plot.title(), plot.says(), "step", up, plot.logarithmic(), curves);
    }

    private static RunsChart chart(Measured each, Study.Plot plot) {
        List<RunsChart.Group> groups = new ArrayList<>();
        for (int i = 0; i < plot.runs().size(); i++) {
            String run = plot.runs().get(i);
            double[] y = each.figures().figure(run + "." + plot.figure());
            double[] x = plot.at().isEmpty() ? each.figures().figure(run + "." + plot.against()) : new double[y.length];
            if (!plot.at().isEmpty()) {
                Arrays.fill(x, plot.at().get(i));
            }
            groups.add(new RunsChart.Group(run, x, y));
        }
        String across = plot.at().isEmpty() ? ClaimTable.title(plot.against()) : plot.against();
        String up = ClaimTable.title(plot.figure());
        return new RunsChart(plot.title(), plot.says(), across, up, plot.logarithmic(), groups);
    }

    /** Every figure that was measured of these, the median and the range over the seeds: a table for a few of them each. */
    private static List<TableBlock> figures(Measured each, String caption, List<String> names) {
        List<TableBlock> tables = new ArrayList<>();
        int count = (names.size() + MOST_COLUMNS - 1) / MOST_COLUMNS;
        for (int i = 0; i < count; i++) {
            List<String> some =
                    names.subList(names.size() * i / count, names.size() * (i + 1) / count); // of nearly equal widths
            String part = count == 1 ? "" : ", " + (i + 1) + " of " + count;
            tables.add(figureTable(each, caption + part + ": median, and range over the seeds", some));
        }
        return tables;
    }

    private static TableBlock figureTable(Measured each, String caption, List<String> names) {
        Set<String> measured = new LinkedHashSet<>();
        for (var seed : each.figures().seeds()) {
            seed.keySet().stream()
                    .filter(key -> names.contains(key.replaceFirst("\\..*", "")))
                    .map(key -> key.replaceFirst("^[^.]*\\.", ""))
                    .forEach(measured::add);
        }
        return TableBlock.ofFigures(
                caption,
                names,
                measured,
                figure -> names.stream()
                        .<Cell>map(name -> {
                            double[] values = each.figures().figure(name + "." + figure.name());
                            ClaimTable.Spread spread = ClaimTable.Spread.of(values);
                            boolean unknown = Arrays.stream(values).allMatch(Double::isNaN);
                            return unknown ? Cell.words("–") : Cell.words(spread.middle(), spread.range());
                        })
                        .toList());
    }

    /** What seed 0 of a run learnt, while it has a checkpoint, and, before the first run on a data set, what there was to learn. */
    private static List<Pictures> learnt(Measured each, Study.Trained run, Set<String> known) throws IOException {
        Path path = each.runner().run(run.name(), 0);
        if (!Files.exists(path.resolve("evaluation.json"))) {
            return List.of();
        }
        RunFolder folder = RunFolder.open(path);
        if (new Checkpoints(folder.checkpoints()).newest().isEmpty()) {
            return List.of();
        }
        try (Scope scope = Scope.open();
                Experiment experiment = new Experiment(folder.recipe(List.of()), Device.CPU)) {
            new Runner(folder, Device.CPU).restoreJudged(experiment);
            String changes = run.set().isEmpty() ? "" : " (" + String.join(", ", run.set()) + ")";
            String caption = run.name() + ", seed 0: " + run.recipe() + changes;
            return experiment.data() instanceof PlaneDataset plane
                    ? learnt(experiment, plane.toy(), caption, known)
                    : List.of(new Pictures(
                            caption, Panels.of(Judge.of(experiment)).picture("samples")));
        }
    }

    private static List<Pictures> learnt(Experiment experiment, ToyData data, String caption, Set<String> known) {
        List<Pictures> rows = new ArrayList<>();
        GridDensity model = grid(experiment.model().density(), data);
        GridDensity reference =
                data.logDensity().map(truth -> grid(truth, data)).orElse(model);
        if (known.add(data.name())) {
            rows.add(row("The data, " + data.name(), data, reference, reference, "samples", data.draw(KEY, SAMPLES)));
        }
        rows.add(row(
                caption,
                data,
                model,
                reference,
                experiment.sampler().traits().negativesDiffer() ? "samples: chains on f" : "samples",
                experiment.drawn(SampleRequest.of(KEY, SAMPLES))));
        return rows;
    }

    private static GridDensity grid(LogDensity f, ToyData data) {
        return GridDensity.of(f, data.domain(), CELLS, DType.FLOAT, Device.CPU);
    }

    /** A density, its logarithm, and samples, on the reference's scales. */
    private static Pictures row(
            String caption, ToyData data, GridDensity density, GridDensity reference, String of, Tensor samples) {
        double[][] rows = PlanePanels.rows(density);
        double[][] scale = PlanePanels.rows(reference);
        float[][] points = PlanePanels.points(samples);
        return new Pictures(
                caption,
                new Picture(
                        "density", "Heat map of the density", Drawings.small(data.domain(), rows, Scale.linear(scale))),
                new Picture(
                        "its logarithm",
                        "Heat map of the logarithm of the density",
                        Drawings.small(data.domain(), rows, Scale.log(scale))),
                new Picture(
                        Numbers.forPeople(points.length) + " " + of + PlanePanels.outside(data.domain(), points),
                        "Scatter plot of " + of,
                        Drawings.frame(data.domain(), points)));
    }

    /** The draws and the traces of each walk's first set of chains, where they were kept. */
    private static List<Block> chains(Measured each) throws IOException {
        List<Picture> pictures = new ArrayList<>();
        List<Curves> traces = new ArrayList<>();
        for (Study.Walked walk : each.study().chains()) {
            Path file = each.runner().draws(walk.name(), 0);
            if (!Files.exists(file)) {
                continue;
            }
            Recipe recipe = RunFolder.open(each.runner().run(walk.run(), 0)).recipe(List.of());
            try (Scope scope = Scope.open();
                    Data data = Experiment.open(recipe, Device.CPU)) {
                Tensor draws = Npy.read(file);
                float[][] points = PlanePanels.points(draws);
                Box domain = ((PlaneDataset) data).toy().domain();
                pictures.add(new Picture(
                        walk.name() + ": " + Numbers.forPeople(points.length) + " draws"
                                + PlanePanels.outside(domain, points),
                        "Scatter plot of the chains' draws",
                        Drawings.samples(domain, points)));
                traces.add(trace(walk, draws));
            }
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Pictures(
                "The first set of chains of seed 0, second half of the chains; each colour of a trace is a chain.",
                pictures));
        blocks.addAll(traces);
        return blocks;
    }

    private static Curves trace(Study.Walked walk, Tensor draws) {
        int chains = (int) draws.size(1);
        List<Series> series = new ArrayList<>();
        for (int chain = 0; chain < Math.min(SHOWN_CHAINS, chains); chain++) {
            double[] values = draws.select(1, chain).select(1, 0).contiguous().toDoubles();
            series.add(Series.of("chain " + (chain + 1), values, draw -> draw));
        }
        return new Curves(
                walk.name(),
                Words.say(
                        "x₁ of the first %d chains of %s. Lines that keep apart are chains that never meet.",
                        series.size(), walk.kernel().words()),
                "kept draw",
                "x₁",
                series);
    }
}
