package dev.kelvin.cli;

import dev.kelvin.experiment.Study;
import dev.kelvin.pages.LedgerReport;
import dev.kelvin.run.Ledger;
import dev.kelvin.tensor.Backend;
import dev.kelvin.tensor.Device;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kelvin reproduce STUDY...}. */
@Command(
        name = "reproduce",
        description = "Tests what the papers claim, and says which claims hold, with the numbers, in one report.",
        mixinStandardHelpOptions = true,
        footer = {"", "Finished runs in the folder are kept; Ctrl-C stops, the same command resumes."})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class Reproduce implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "STUDY", description = "which; without one, they are listed")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "where runs and report go (default: ${DEFAULT-VALUE})")
    private Path out = Path.of("runs", "reproduce");

    @Option(names = "--jobs", paramLabel = "N", description = "the number of runs in parallel (default: one per core)")
    private Optional<Integer> jobs = Optional.empty();

    @Option(names = "--json", description = "print one JSON object at the end, and nothing else to stdout")
    private boolean json;

    @Mixin
    private DeviceOption deviceOption;

    @Override
    public Integer call() throws Exception {
        PrintWriter console = spec.commandLine().getOut();
        if (names.isEmpty()) {
            Study.names()
                    .forEach(name ->
                            console.println(name + "  " + Study.named(name).paper()));
            return Main.OK;
        }
        List<Study> studies = names.stream().map(Study::named).toList();
        int parallel = jobs.orElse(Runtime.getRuntime().availableProcessors());
        if (parallel < 1) {
            throw new ParameterException(spec.commandLine(), "--jobs must be at least 1, found " + parallel);
        }
        Device device = deviceOption.device();
        if (System.getProperty("kelvin.threads") == null) {
            System.setProperty("kelvin.threads", "1"); // several runs at once, each on one thread
            Backend.threads(1);
        }
        PrintWriter err = spec.commandLine().getErr();
        StopSignal stop = StopSignal.install(err);
        List<LedgerReport.Measured> measured = new ArrayList<>();
        Threads.choose(studies.get(0).runs().get(0).recipe(0));
        for (Study study : studies) {
            err.println(study.name() + ": " + study.seeds() + " seeds, "
                    + study.claims().size() + " claims");
            err.flush();
            Ledger ledger = new Ledger(
                    study,
                    out.resolve(study.name()),
                    device,
                    line -> {
                        err.println("  " + line);
                        err.flush();
                    },
                    stop::requested);
            Optional<Ledger.Figures> figures = ledger.measure(parallel);
            if (figures.isEmpty()) {
                err.println("stopped; the same command resumes");
                if (json) {
                    Output.print(console, true, Map.of("ended", "stopped"));
                }
                return stop.exitCode();
            }
            measured.add(new LedgerReport.Measured(study, ledger, figures.get()));
        }
        Path page = out.resolve(String.join("+", names) + ".html");
        LedgerReport.of(measured).write(page);
        print(console, measured, page);
        return Main.OK;
    }

    private void print(PrintWriter console, List<LedgerReport.Measured> measured, Path page) {
        Map<String, Object> results = new LinkedHashMap<>();
        for (LedgerReport.Measured each : measured) {
            each.study()
                    .claims()
                    .forEach(claim -> results.put(
                            each.study().name() + "/" + claim.id(),
                            json
                                    ? Map.of(
                                            "verdict",
                                            each.figures().verdict(claim).toString(),
                                            "statistic",
                                            each.figures().statistics(claim),
                                            "rule",
                                            claim.rule())
                                    : String.format(
                                            Locale.ROOT,
                                            "%-14s %s  (%s)",
                                            each.figures().verdict(claim),
                                            LedgerReport.spread(each.figures().statistics(claim)),
                                            claim.rule())));
        }
        results.put("report", page.toString());
        Output.print(console, json, results);
    }
}
