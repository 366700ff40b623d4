package dev.kelvin.cli;

import dev.kelvin.metric.GridDensity;
import dev.kelvin.pages.ComparisonReport;
import dev.kelvin.recipe.RunException;
import dev.kelvin.run.RunFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kelvin compare RUN RUN...}. */
@Command(
        name = "compare",
        description = "Puts several runs side by side in one report: figures, densities, curves, and how they differ.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class Compare implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "2..*", paramLabel = "RUN", description = "the runs' folders")
    private List<Path> runs = new ArrayList<>();

    @Option(names = "--out", paramLabel = "FILE", description = "the report (default: ${DEFAULT-VALUE})")
    private Path out = Path.of("runs", "compare.html");

    @Option(names = "--json", description = "print one JSON object at the end, and nothing else to stdout")
    private boolean json;

    @Mixin
    private DeviceOption deviceOption;

    @Override
    public Integer call() throws Exception {
        Set<Path> seen = new HashSet<>();
        for (Path run : runs) {
            if (!seen.add(run.toAbsolutePath().normalize())) {
                throw new RunException(run + " is named twice");
            }
        }
        List<RunFolder> folders = runs.stream().map(RunFolder::open).toList();
        Threads.choose(folders.get(0).recipe(List.of()));
        ComparisonReport comparison = ComparisonReport.of(folders, deviceOption.device());
        comparison.report().write(out);
        Map<String, Object> results = new LinkedHashMap<>();
        if (json) {
            results.putAll(comparison.figures());
        } else {
            String figure = comparison.ranking().orElse(GridDensity.KL).name();
            comparison
                    .figures()
                    .forEach((run, figures) ->
                            results.put(run, figure + " " + figures.getOrDefault(figure, Double.NaN)));
        }
        results.put("report", out.toString());
        Output.print(spec.commandLine().getOut(), json, results);
        return Main.OK;
    }
}
