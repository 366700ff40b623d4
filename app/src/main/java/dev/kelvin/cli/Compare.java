package dev.kelvin.cli;

import dev.kelvin.cli.option.DeviceOption;
import dev.kelvin.cli.option.Writing;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.Paragraph;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.pages.ComparedRuns;
import dev.kelvin.pages.ComparisonReport;
import dev.kelvin.part.Words;
import dev.kelvin.run.RunFolder;
import dev.kelvin.yaml.UserException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kelvin compare RUN RUN...}. */
@Command(
        name = "compare",
        description =
                "Puts several runs side by side in one report: figures, samples, curves, and how their recipes differ.")
final class Compare extends JsonVerb implements Writing {
    @Parameters(arity = "0..*", paramLabel = "RUN", description = "the runs' folders, two or more")
    private List<Path> runs = new ArrayList<>();

    @Option(names = "--out", paramLabel = "FILE", description = "the report (default: ${DEFAULT-VALUE})")
    private Path out = Path.of("runs", "compare.html");

    @Mixin
    private DeviceOption deviceOption;

    @Override
    public List<Path> written() {
        return List.of(out);
    }

    @Override
    public Integer call() throws Exception {
        if (runs.isEmpty()) {
            throw usage("name two or more RUNs, such as runs/rings runs/rings-2");
        }
        if (runs.size() < 2) {
            throw usage("compare takes two or more RUNs, found only " + runs.get(0) + "; one run alone is shown by '"
                    + Words.command("evaluate", runs.get(0)) + "'");
        }
        List<RunFolder> folders = runs.stream().map(RunFolder::open).toList();
        Set<Path> seen = new HashSet<>();
        for (Path run : runs) {
            if (!seen.add(run.toRealPath())) {
                throw new UserException(run + " is named twice");
            }
        }
        chooseThreads(folders.get(0).recipe(List.of()).data().images());
        ComparisonReport comparison;
        try (Progress progress = Progress.of(spec)) {
            progress.doing("opening the runs");
            comparison = ComparisonReport.of(folders, deviceOption.device(), progress);
            progress.doing("writing the report");
            comparison.report().write(out);
        }
        if (json) {
            print(results(comparison.runs()));
        } else {
            print(comparison.runs());
        }
        return ExitCode.OK;
    }

    private Map<String, Object> results(ComparedRuns compared) {
        Map<String, Object> results = new LinkedHashMap<>();
        compared.runs().forEach(run -> results.put(run.name(), run.figures()));
        compared.ranking().ifPresent(figure -> {
            results.put("ranked_by", figure.name());
            results.put("better", figure.better().name().toLowerCase(Locale.ROOT));
            compared.best(figure).ifPresent(best -> results.put("best", names(best)));
            results.put(
                    "groups",
                    compared.groups().stream()
                            .map(group -> Map.of(
                                    "runs", names(group),
                                    "median", group.median(figure),
                                    "range", group.range(figure)))
                            .toList());
        });
        results.put("remarks", compared.remarks());
        results.put("report", out.toString());
        return results;
    }

    private static List<String> names(ComparedRuns.Group group) {
        return group.runs().stream().map(ComparedRuns.Run::name).toList();
    }

    private void print(ComparedRuns compared) {
        PrintWriter to = out();
        int widest = compared.groups().stream()
                .mapToInt(group -> group.name().length())
                .max()
                .orElse(0);
        for (Figure figure : compared.shown()) {
            int words = compared.groups().stream()
                    .mapToInt(group -> group.words(figure).length())
                    .max()
                    .orElse(0);
            String line = "  %-" + widest + "s  %-" + Math.max(16, words) + "s %s";
            to.println(figure.title() + (figure.unit().isEmpty() ? "" : ", " + figure.unit()) + " ("
                    + ComparedRuns.direction(figure) + ")");
            Optional<ComparedRuns.Group> best = compared.best(figure);
            for (ComparedRuns.Group group : compared.groups()) {
                if (group.has(figure)) {
                    String mark = best.equals(Optional.of(group)) ? "best" : "";
                    to.println(Words.say(line, group.name(), group.words(figure), mark)
                            .stripTrailing());
                }
            }
        }
        if (compared.shown().isEmpty()) {
            compared.groups().forEach(group -> alone(to, group));
        }
        compared.remarks().forEach(remark -> Paragraph.on(to).print("", remark));
        to.println("Report: " + out);
        to.flush();
    }

    /** A group that has no figure with others, by its own. */
    private static void alone(PrintWriter to, ComparedRuns.Group group) {
        new ComparedRuns(group.runs())
                .ranking()
                .ifPresent(figure -> to.println(group.name() + ": " + figure.title() + " " + group.words(figure) + " ("
                        + ComparedRuns.direction(figure) + ")"));
    }
}
