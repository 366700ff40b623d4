package dev.kelvin.report;

import dev.kelvin.draw.Png;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.RecipeWriter;
import dev.kelvin.run.Evaluation;
import dev.kelvin.run.Exhibits;
import dev.kelvin.run.Experiment;
import dev.kelvin.run.ImageExhibits;
import dev.kelvin.run.MetricsLog;
import dev.kelvin.run.PlaneExhibits;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The report of a run: what its kind of data shows, between the recipe in words and the curves and figures. */
public final class RunReport {
    private RunReport() {}

    /** What a kind of data shows: sections, and pictures by the names of their files, drawn when they are written. */
    record Shown(List<Section> sections, Map<String, Supplier<Png>> files) {}

    /** What is wrong with a run by its figures, in sentences; none where all is well. */
    public static List<String> warnings(Recipe recipe, Evaluation evaluation) {
        return Findings.of(recipe, evaluation).warnings();
    }

    /** Writes {@code report.html}, the pictures as PNG, the samples in them as npy, and the curves for TensorBoard. */
    public static void write(RunFolder folder, Experiment parts, Exhibits exhibits, Evaluation evaluation)
            throws IOException {
        Recipe recipe = parts.recipe();
        Findings findings = Findings.of(recipe, evaluation);
        List<MetricsLog.Line> metrics = new MetricsLog(folder.metrics()).read();
        List<DrawnCurves> curves =
                TrainingCurves.of(metrics).parallelStream().map(DrawnCurves::of).toList();
        Shown shown = exhibits instanceof ImageExhibits images
                ? new ImageReport(folder.samples(), parts, images, evaluation).shown()
                : new PlaneReport(folder.samples(), parts, (PlaneExhibits) exhibits).shown();
        writePictures(folder.samples(), shown.files(), curves);
        Provenance provenance = Provenance.read(folder.provenance());
        Instant began = provenance.began();
        TensorBoard.write(
                folder.path().resolve("events.out.tfevents." + began.getEpochSecond() + ".kelvin"), began, metrics);

        List<Section> sections = new ArrayList<>();
        sections.add(new Section("What was trained", new Paragraphs(findings.story())));
        sections.addAll(shown.sections());
        sections.add(new Section(
                "How training went", curves.isEmpty() ? List.of(nothingLogged(recipe)) : List.copyOf(curves)));
        sections.add(new Section("Drawings of merit", Table.of("Each with what it means", findings.measures())));
        sections.add(new Section(
                "Where it comes from",
                new Facts(provenance.facts()),
                new Fold("The recipe, every default written out", RecipeWriter.yaml(recipe))));
        List<String> warnings = new ArrayList<>(parts.warnings());
        warnings.addAll(findings.warnings());
        new Report(recipe.name(), findings.lead(), findings.highlights(), warnings, sections).write(folder.report());
    }

    private static Paragraphs nothingLogged(Recipe recipe) {
        return new Paragraphs("Nothing was logged: training ended before step "
                + recipe.train().logEvery() + ", where the log begins (train.logEvery).");
    }

    /** Draws and writes the files, at once where there are processors. */
    private static void writePictures(Path samples, Map<String, Supplier<Png>> shown, List<DrawnCurves> curves)
            throws IOException {
        Map<String, Supplier<Png>> files = new LinkedHashMap<>(shown);
        for (int i = 0; i < curves.size(); i++) {
            String file = "curves-" + (i + 1) + ".png";
            curves.get(i).picture().ifPresent(png -> files.put(file, () -> png));
        }
        try {
            files.entrySet().parallelStream().forEach(file -> {
                try {
                    file.getValue().get().write(samples.resolve(file.getKey()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
