package dev.kelvin.cli;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.pages.RunReport;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.report.Measure;
import dev.kelvin.run.RunFolder;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

    /** All of a run that was judged, for programs. */
    static Map<String, Object> of(RunFolder folder, Experiment experiment, Evaluation evaluation, RunReport.Summary summary) {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("recipe", experiment.recipe().name());
        results.put("seed", experiment.recipe().train().seed());
        results.put("parameters", experiment.parameters());
        results.putAll(evaluation.all());
        results.put("warnings", summary.warnings());
        results.put("run", folder.path().toString());
        results.put("report", folder.report().toString());
        return results;
    }

    /** The same for people, in a few lines: what came out, the verdicts and the warnings of the report. */
    static void print(Paragraph paragraph, boolean everything, RunFolder folder, RunReport.Summary summary) {
        PrintWriter out = paragraph.out();
        paragraph.print("", summary.lead());
        List<Measure> told = everything ? summary.measures() : summary.highlights();
        int widest = told.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        told.forEach(each -> out.println(String.format(
                        Locale.ROOT,
                        "  %-" + widest + "s  %-14s %s",
                        each.name(),
                        each.words(),
                        each.verdict().word())
                .stripTrailing()));
        if (!summary.warnings().isEmpty()) {
            int count = summary.warnings().size();
            out.println(count == 1 ? "1 warning:" : count + " warnings:");
            summary.warnings().forEach(warning -> paragraph.print("  - ", warning));
            out.println("What to try: " + Words.command("diagnose", folder.path()));
        }
        out.println("Report: " + folder.report());
        out.flush();
    }
}
