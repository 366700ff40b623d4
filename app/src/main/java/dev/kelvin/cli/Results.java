package dev.kelvin.cli;

import dev.kelvin.report.ImageReport;
import dev.kelvin.report.RunReport;
import dev.kelvin.run.Evaluation;
import dev.kelvin.run.Exhibits;
import dev.kelvin.run.ImageExhibits;
import dev.kelvin.run.Parts;
import dev.kelvin.run.PlaneExhibits;
import dev.kelvin.run.RunFolder;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a run leaves behind: its report, and the figures that the command line prints. */
final class Results {
    private Results() {}

    /** Writes the report and the pictures. */
    static void finish(RunFolder folder, Parts parts, Exhibits exhibits, Evaluation evaluation) throws IOException {
        if (exhibits instanceof ImageExhibits images) {
            new ImageReport(folder, parts, images, evaluation).write();
        } else {
            new RunReport(folder, parts, (PlaneExhibits) exhibits, evaluation).write();
        }
    }

    static Map<String, Object> of(RunFolder folder, Parts parts, Evaluation evaluation, Optional<Double> seconds) {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("recipe", parts.recipe().name());
        results.put("seed", parts.recipe().train().seed());
        results.put("parameters", parts.learner().model().layout().trainedCount());
        results.putAll(evaluation.all());
        seconds.ifPresent(value -> results.put("seconds", value));
        results.put("run", folder.path().toString());
        results.put("report", folder.report().toString());
        return results;
    }
}
