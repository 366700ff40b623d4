package dev.kelvin.cli;

import dev.kelvin.cli.terminal.Paragraph;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.judge.Finding;
import dev.kelvin.judge.Judge;
import dev.kelvin.metric.SteinDiscrepancy;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.ModelFigures;
import dev.kelvin.pages.RunReport;
import dev.kelvin.part.Words;
import dev.kelvin.run.RunDiagnosis;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.Runner;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code kelvin diagnose RUN}. */
@Command(
        name = "diagnose",
        description = {
            "Says what is wrong with a run's model and with its sampler, and which commands to try.",
            "The run's own sampler is run on the model for long; its chains are compared with each other and with the data."
        })
final class Diagnose extends ExperimentCommand {
    /** Of the evaluation: whether the samples are the model's, and whether its normaliser is known. */
    private static final List<String> FIGURES = Stream.of(
                    SteinDiscrepancy.STEIN, ModelFigures.LOG_Z_LOWER, ModelFigures.LOG_Z_UPPER, ModelFigures.LOG_Z_GAP)
            .map(Figure::name)
            .toList();

    @Override
    void work(RunFolder folder, Experiment experiment, Runner runner, Progress progress, long step) throws Exception {
        Evaluation evaluation;
        if (Files.exists(folder.evaluation())) {
            evaluation = Evaluation.read(folder.evaluation());
        } else {
            progress.doing("judging the model");
            evaluation = runner.evaluate(experiment, Judge.of(experiment).measured(), step, progress);
        }
        progress.doing("running long chains");
        RunDiagnosis examination = RunDiagnosis.of(experiment, evaluation);
        progress.close();
        if (json) {
            print(results(folder, step, evaluation, examination));
        } else {
            print(folder, RunReport.Summary.of(folder, experiment, evaluation), examination);
        }
    }

    private static Map<String, Object> results(
            RunFolder folder, long step, Evaluation evaluation, RunDiagnosis examination) {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("run", folder.path().toString());
        results.put("checkpoint", step);
        List<String> sentences =
                examination.findings().stream().map(Finding::sentence).toList();
        results.put("sentences", sentences);
        for (Finding.About about : Finding.About.values()) {
            List<Map<String, Object>> findings = examination.about(about).stream()
                    .map(each -> Map.<String, Object>of("problem", each.problem(), "try", each.commands(folder.path())))
                    .toList();
            results.put(Words.kebab(about.name()), findings);
        }
        FIGURES.forEach(name -> evaluation.figure(name).ifPresent(value -> results.put(name, value)));
        results.putAll(examination.figures());
        return results;
    }

    private void print(RunFolder folder, RunReport.Summary summary, RunDiagnosis examination) {
        PrintWriter out = out();
        Paragraph paragraph = Paragraph.on(out);
        String verdicts = summary.highlights().stream()
                .map(each ->
                        each.name() + " " + each.words() + ", " + each.verdict().word())
                .collect(Collectors.joining("; "));
        String model = "The model: " + (verdicts.isEmpty() ? summary.lead() : verdicts + ".");
        print(paragraph, folder, model, examination.about(Finding.About.MODEL));
        print(paragraph, folder, "The sampler: " + examination.words(), examination.about(Finding.About.SAMPLER));
        out.flush();
    }

    private static void print(Paragraph paragraph, RunFolder folder, String heading, List<Finding> findings) {
        paragraph.print("", heading);
        if (findings.isEmpty()) {
            paragraph.out().println("  no fault was found");
        }
        for (Finding finding : findings) {
            paragraph.print("  - ", finding.problem());
            for (Finding.Advice advice : finding.advice()) {
                paragraph.print("    to try: ", advice.words());
                paragraph.out().println("      " + Words.command(advice.command(folder.path())));
            }
        }
    }
}
