package dev.kelvin.cli.terminal;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.pages.RunReport;
import dev.kelvin.part.Words;
import dev.kelvin.report.Measure;
import dev.kelvin.run.RunFolder;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** What the command line prints of a run that was judged. */
public record Results(RunFolder folder, Experiment experiment, Evaluation evaluation, RunReport.Summary summary) {
    /** Everything, for programs. */
    public Map<String, Object> forPrograms() {
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

    /** Prints a few lines for people: what came out, the verdicts and the warnings of the report. */
    public void print(CommandSpec spec) {
        PrintWriter out = spec.commandLine().getOut();
        Paragraph paragraph = Paragraph.on(out);
        boolean everything = Progress.Detail.of(spec) == Progress.Detail.VERBOSE;
        paragraph.print("", summary.lead());
        List<Measure> shown = everything ? summary.measures() : summary.highlights();
        int widest = shown.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        String line = "  %-" + widest + "s  %-14s %s";
        shown.forEach(each -> out.println(
                Words.say(line, each.name(), each.words(), each.verdict().word())
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
