package dev.kelvin.pages;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Judge;
import dev.kelvin.report.Measure;
import dev.kelvin.run.MetricsLog;
import dev.kelvin.run.Rollback;
import dev.kelvin.run.RunFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run's report begins with, and the command line ends with: what came out in a sentence, every figure with what it
 * says, and what is wrong.
 */
public record RunSummary(String lead, List<Measure> measures, List<String> warnings) {
    public RunSummary {
        measures = List.copyOf(measures);
        warnings = List.copyOf(warnings);
    }

    /** The summary of a run that was evaluated. */
    public static RunSummary of(RunFolder folder, Experiment experiment, Evaluation evaluation) throws IOException {
        Judge judge = Judge.of(experiment);
        Map<String, Double> figures = new LinkedHashMap<>(evaluation.main());
        figures.keySet().removeAll(evaluation.ofFeatures().keySet()); // folded away
        figures.putAll(folder.times());
        List<String> warnings = new ArrayList<>(judge.warnings());
        warnings.addAll(Rollback.sentences(
                new MetricsLog(folder.metrics()).read(),
                experiment.recipe().train().guard().retries()));
        judge.findings(evaluation).forEach(finding -> warnings.add(finding.sentence()));
        return new RunSummary(judge.lead(evaluation), Measure.all(figures), warnings);
    }

    /** The first few figures that are judged. */
    public List<Measure> highlights() {
        return Measure.highlights(measures);
    }
}
