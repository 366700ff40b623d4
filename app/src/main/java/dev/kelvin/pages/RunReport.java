package dev.kelvin.pages;

import dev.kelvin.draw.Png;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judge;
import dev.kelvin.panel.Panels;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.report.Block;
import dev.kelvin.report.Block.Facts;
import dev.kelvin.report.Block.Film;
import dev.kelvin.report.Block.Fold;
import dev.kelvin.report.Block.Paragraphs;
import dev.kelvin.report.ChartFigure;
import dev.kelvin.report.Curves;
import dev.kelvin.report.Measure;
import dev.kelvin.report.Pictures.Picture;
import dev.kelvin.report.Report;
import dev.kelvin.report.Report.Section;
import dev.kelvin.report.TableBlock;
import dev.kelvin.run.BufferPictures;
import dev.kelvin.run.MetricsLog;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.yaml.RecipeWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The report of a run: what its kind of data shows, between the recipe in words and the curves and figures. */
public final class RunReport {
    private static final int LONGEST_FACT = 400; // characters

    private RunReport() {}

    /**
     * Writes {@code report.html}, the pictures as PNG, the samples in them as npy, and the curves for TensorBoard.
     *
     * @return what the report begins with
     */
    public static Summary write(RunFolder folder, Experiment experiment, Judge judgement, Evaluation evaluation)
            throws IOException {
        Recipe recipe = experiment.recipe();
        List<MetricsLog.Line> metrics = new MetricsLog(folder.metrics()).read();
        List<ChartFigure> curves = TrainingCurves.of(metrics, recipe.train().figures()).parallelStream()
                .map(Curves::drawn)
                .toList();
        Panels.Shown shown = Panels.of(judgement).show(folder.samples(), evaluation);
        writePictures(folder.samples(), shown.files(), curves);
        Provenance provenance = Provenance.read(folder.provenance());
        Map<String, String> facts = new LinkedHashMap<>(provenance.facts());
        facts.values()
                .removeIf(value -> value.length() > LONGEST_FACT); // a table's schema and scaling are for programs
        Instant began = provenance.began();
        TensorBoard.write(
                folder.path().resolve("events.out.tfevents." + began.getEpochSecond() + ".kelvin"), began, metrics);

        Summary summary = Summary.of(folder, experiment, evaluation);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(
                "What was trained", new Paragraphs(Judge.of(experiment).story())));
        sections.addAll(shown.sections());
        List<Block> training = new ArrayList<>(curves.isEmpty() ? List.of(nothingLogged(recipe)) : curves);
        overTraining(folder.samples()).ifPresent(training::add);
        sections.add(new Section("How training went", training));
        sections.add(new Section(
                "Figures of merit",
                TableBlock.of("Each with what it means", summary.measures()),
                new Facts(evaluation.notes())));
        sections.add(new Section(
                "Where it comes from",
                new Facts(facts),
                new Fold("The recipe, every default written out", RecipeWriter.yaml(recipe), List.of())));
        new Report(recipe.title(), summary.lead(), summary.highlights(), summary.warnings(), sections)
                .write(folder.report());
        return summary;
    }

    /** What was drawn of the replay buffer while the model was trained. */
    private static Optional<Film> overTraining(Path samples) throws IOException {
        List<Picture> frames = BufferPictures.read(samples).entrySet().stream()
                .map(frame -> new Picture(
                        "iteration " + frame.getKey(),
                        "Images of the replay buffer at iteration " + frame.getKey(),
                        frame.getValue()))
                .toList();
        return Optional.of(new Film("Images of the replay buffer at checkpoints, always at the same places.", frames))
                .filter(film -> !frames.isEmpty());
    }

    private static Paragraphs nothingLogged(Recipe recipe) {
        return new Paragraphs("Nothing was logged: training ended before step "
                + recipe.train().logEvery() + ", where the log begins (train.logEvery).");
    }

    /** Draws the files, at once where there are processors, and writes them. */
    private static void writePictures(Path samples, Map<String, Supplier<Png>> shown, List<ChartFigure> curves)
            throws IOException {
        Map<String, Supplier<Png>> files = new LinkedHashMap<>(shown);
        for (int i = 0; i < curves.size(); i++) {
            files.put("curves-" + (i + 1) + ".png", curves.get(i)::file);
        }
        Map<String, Png> drawn = files.entrySet().parallelStream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, file -> file.getValue().get()));
        for (Map.Entry<String, Png> file : drawn.entrySet()) {
            file.getValue().write(samples.resolve(file.getKey()));
        }
    }

    /** What a report begins with, and the command line ends with: the result, all figures, and what is wrong. */
    public record Summary(String lead, List<Measure> measures, List<String> warnings) {
        public Summary {
            measures = List.copyOf(measures);
            warnings = List.copyOf(warnings);
        }

        /** The summary of a run that was evaluated. */
        public static Summary of(RunFolder folder, Experiment experiment, Evaluation evaluation) throws IOException {
            Judge judge = Judge.of(experiment);
            Map<String, Double> figures = Evaluation.main(evaluation.figures());
            figures.keySet().removeAll(evaluation.ofFeatures().keySet()); // folded away
            figures.putAll(folder.times());
            List<String> warnings = new ArrayList<>(judge.warnings());
            warnings.addAll(MetricsLog.Rollback.sentences(
                    new MetricsLog(folder.metrics()).read(),
                    experiment.recipe().train().guard().retries()));
            judge.findings(evaluation).forEach(finding -> warnings.add(finding.sentence()));
            return new Summary(judge.lead(evaluation), Measure.all(figures), warnings);
        }

        /** The first few figures that are judged. */
        public List<Measure> highlights() {
            return Measure.highlights(measures);
        }
    }
}
