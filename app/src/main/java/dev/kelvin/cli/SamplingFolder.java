package dev.kelvin.cli;

import dev.kelvin.diagnostic.ChainFigures;
import dev.kelvin.io.AtomicFile;
import dev.kelvin.pages.ChainReport;
import dev.kelvin.part.Words;
import dev.kelvin.report.Report;
import dev.kelvin.run.RunFolder;
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
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** What {@code kelvin sample --kernel} leaves behind: {@code report.html}, {@code trace.npy}, {@code figures.json}. */
record SamplingFolder(Path path, Map<String, Object> results) {
    /** Writes everything; the folder must not hold anything yet. The command is one that samples the same density. */
    static SamplingFolder write(Optional<Path> chosen, Sampling sampling, List<String> command) throws IOException {
        Path path = chosen.orElseGet(() ->
                RunFolder.unused(Path.of("runs"), "sample-" + sampling.subject().name()));
        Report report = ChainReport.of(sampling);
        requireEmpty(path);
        Files.createDirectories(path);
        Path page = path.resolve("report.html");
        Path draws = path.resolve("trace.npy");
        Map<String, Object> results = results(sampling, command);
        AtomicFile.write(path.resolve("figures.json"), new JsonMapper().writeValueAsString(results));
        write(draws, sampling.diagnosis().chains().trace());
        report.write(page);
        Path summary = path.resolve("summary.csv");
        AtomicFile.write(
                summary, sampling.diagnosis().chains().trace().summary().csv());
        results.put("trace", draws.toString());
        results.put("summary", summary.toString());
        results.put("report", page.toString());
        return new SamplingFolder(path, results);
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

    /** The draws as [draws, chains, coordinates]. */
    private static void write(Path file, Trace trace) throws IOException {
        try (Scope scope = Scope.open()) {
            Npy.write(file, trace.tensor());
        }
    }
}
