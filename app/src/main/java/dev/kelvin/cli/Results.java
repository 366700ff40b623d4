package dev.kelvin.cli;

import dev.kelvin.experiment.Evaluation;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.experiment.Recipe;
import dev.kelvin.run.RunFolder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What the command line prints of a run. */
final class Results {
    private Results() {}

    /** Of a run that has no figures, and how it ended: stopped, diverged. */
    static Map<String, Object> ended(String how, RunFolder folder, Recipe recipe) {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("ended", how);
        results.put("recipe", recipe.name());
        results.put("seed", recipe.train().seed());
        results.put("run", folder.path().toString());
        return results;
    }

    static Map<String, Object> of(
            RunFolder folder, Experiment experiment, Evaluation evaluation, Optional<Double> seconds, boolean json) {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("recipe", experiment.recipe().name());
        results.put("seed", experiment.recipe().train().seed());
        results.put("parameters", experiment.parameters());
        if (json) {
            results.putAll(evaluation.all());
        } else { // people find the rest in the report
            results.putAll(evaluation.main());
            results.putAll(evaluation.notes());
        }
        seconds.ifPresent(value -> results.put("seconds", value));
        results.put("run", folder.path().toString());
        results.put("report", folder.report().toString());
        return results;
    }
}
