package dev.kelvin.cli;

import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.pages.ChainReport;
import dev.kelvin.part.Words;
import dev.kelvin.report.Report;
import dev.kelvin.run.Sampling;
import dev.kelvin.sample.chain.Trace;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.file.Npy;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** What {@code kelvin chains} leaves behind: a report, the draws, figures and a summary. */
final class SamplingFolder {
    private SamplingFolder() {}

    /** Writes everything to a folder that holds nothing yet, and returns the results. The command samples the same density. */
    static Map<String, Object> write(Path folder, Sampling sampling, List<String> command) throws IOException {
        Report report = ChainReport.of(sampling);
        Trace trace = sampling.diagnosis().chains().trace();
        requireEmpty(folder);
        Files.createDirectories(folder);
        Path draws = folder.resolve("trace.npy");
        Path summary = folder.resolve("summary.csv");
        Path page = folder.resolve("report.html");
        Map<String, Object> results = results(sampling, command);
        AtomicFile.write(folder.resolve("figures.json"), new JsonMapper().writeValueAsString(results));
        try (Scope scope = Scope.open()) {
            Npy.write(draws, trace.tensor()); // [draws, chains, coordinates]
        }
        report.write(page);
        AtomicFile.write(summary, trace.summary().csv());
        results.put("trace", draws.toString());
        results.put("summary", summary.toString());
        results.put("report", page.toString());
        return results;
    }

    /** Refuses a folder with files in it. */
    static void requireEmpty(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            try (Stream<Path> files = Files.list(path)) {
                if (files.findAny().isEmpty()) {
                    return;
                }
            }
        }
        if (Files.exists(path)) {
            throw new UserException(path + " is there already; name another folder with --out");
        }
    }

    private static Map<String, Object> results(Sampling sampling, List<String> command) {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("density", sampling.subject().name());
        results.put("chains", sampling.diagnosis().chains().trace().chains());
        results.put("draws", sampling.length().draws());
        sampling.stepSize().ifPresent(found -> results.put(ChainFigures.STEP_SIZE.name(), found));
        results.putAll(sampling.diagnosis().figures());
        results.put(ChainFigures.ESS_PER_SECOND.name(), sampling.sizePerSecond());
        results.put(ChainFigures.GRADIENTS_PER_EFFECTIVE_DRAW.name(), sampling.gradientsPerSample());
        results.put("good", sampling.diagnosis().good());
        results.put("complaints", sampling.diagnosis().complaints());
        results.put(
                "try",
                sampling.diagnosis().findings().stream()
                        .flatMap(each -> each.advice().stream())
                        .map(advice -> Words.command(advice.with(command)))
                        .distinct()
                        .toList());
        return results;
    }
}
