package dev.kelvin.cli;

import dev.kelvin.cli.option.DeviceOption;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.Progress;
import dev.kelvin.cli.terminal.StopSignal;
import dev.kelvin.pages.ClaimsPage;
import dev.kelvin.pages.StudyReport;
import dev.kelvin.part.Words;
import dev.kelvin.recipe.Study;
import dev.kelvin.run.StudyRunner;
import dev.kelvin.tensor.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kelvin reproduce STUDY...}. */
@Command(
        name = "reproduce",
        description = "Tests what the papers claim, and says which claims hold, with the numbers, in one report.",
        footer = {"", "Finished runs in the folder are kept; Ctrl-C stops, the same command resumes."})
final class Reproduce extends JsonVerb {
    @Parameters(
            arity = "0..*",
            paramLabel = "STUDY",
            description = "a study's name, or a file of your own that ends in .yaml; without one, they are listed",
            completionCandidates = StudyNames.class)
    private List<String> names = new ArrayList<>();

    @Option(names = "--out", paramLabel = "FOLDER", description = "for runs and report (default: ${DEFAULT-VALUE})")
    private Path out = Path.of("runs", "reproduce");

    @Option(names = "--jobs", paramLabel = "N", description = "the number of runs in parallel (default: one per core)")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--write-claims",
            paramLabel = "FILE",
            description =
                    "also writes the verdicts into a page in Markdown, each study's section anew (docs/claims.md is made so)")
    private Optional<Path> claims = Optional.empty();

    @Mixin
    private DeviceOption deviceOption;

    static final class StudyNames extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        StudyNames() {
            super(Study.names());
        }
    }

    @Override
    public Integer call() throws Exception {
        if (names.isEmpty()) {
            list();
            return ExitCode.OK;
        }
        List<Study> studies = names.stream().map(Study::load).toList();
        Set<String> known = new HashSet<>();
        studies.stream()
                .map(Study::name)
                .filter(name -> !known.add(name))
                .findFirst()
                .ifPresent(name -> {
                    throw usage("the study '" + name + "' is named twice");
                });
        int parallel = jobs.orElse(Runtime.getRuntime().availableProcessors());
        if (parallel < 1) {
            throw usage("--jobs must be at least 1, found " + parallel);
        }
        Device device = deviceOption.device();
        oneThreadEach();
        try (Progress progress = Progress.of(spec)) {
            return measure(studies, parallel, device, progress);
        }
    }

    private void list() {
        Map<String, Object> all = new LinkedHashMap<>();
        Study.names().forEach(name -> all.put(name, Study.named(name).paper()));
        if (json) {
            print(all);
        } else {
            all.forEach((name, paper) -> out().println(name + "  " + paper));
            out().flush();
        }
    }

    private int measure(List<Study> studies, int parallel, Device device, Progress progress) throws IOException {
        StopSignal stop = StopSignal.install(err(), "saving and stopping");
        List<StudyReport.Measured> measured = new ArrayList<>();
        for (Study study : studies) {
            int parts = study.seeds() * (study.runs().size() + study.chains().size());
            progress.tell(study.name() + ": " + study.seeds() + " seeds, "
                    + study.claims().size() + " claims");
            AtomicInteger done = new AtomicInteger();
            Runnable counted = () -> progress.doing(
                    study.name() + ", runs and chains: " + done.getAndIncrement() + " of " + parts + " measured now");
            counted.run();
            Consumer<String> told = line -> {
                progress.tell("  " + line);
                counted.run();
            };
            StudyRunner runner = new StudyRunner(study, out.resolve(study.name()), device, told, stop::requested);
            Optional<StudyRunner.Figures> figures = runner.measure(parallel);
            if (figures.isEmpty()) {
                progress.line("stopped; the same command resumes");
                printStopped();
                return stop.exitCode();
            }
            measured.add(new StudyReport.Measured(study, runner, figures.get()));
        }
        progress.doing("writing the report");
        Path page = out.resolve(studies.stream().map(Study::name).collect(Collectors.joining("+")) + ".html");
        StudyReport.of(measured).write(page);
        if (claims.isPresent()) {
            ClaimsPage.write(claims.get(), measured);
        }
        progress.close();
        print(measured, page);
        return ExitCode.OK;
    }

    private void print(List<StudyReport.Measured> measured, Path page) {
        Map<String, Object> results = new LinkedHashMap<>();
        for (StudyReport.Measured each : measured) {
            for (Study.Claim claim : each.study().claims()) {
                String verdict = each.figures().verdict(claim).toString();
                double[] statistic = each.figures().statistics(claim);
                results.put(
                        each.study().name() + "/" + claim.id(),
                        json
                                ? Map.of("verdict", verdict, "statistic", statistic, "rule", claim.rule())
                                : Words.say("%-14s %s  (%s)", verdict, StudyReport.spread(statistic), claim.rule()));
            }
        }
        results.put("report", page.toString());
        print(results);
    }
}
