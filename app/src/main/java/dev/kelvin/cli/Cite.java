package dev.kelvin.cli;

import dev.kelvin.cite.Bibliography;
import dev.kelvin.cite.Citations;
import dev.kelvin.cite.Citations.Citation;
import dev.kelvin.cite.Publication;
import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.cli.terminal.Output;
import dev.kelvin.dataset.Build;
import dev.kelvin.judge.Evaluation;
import dev.kelvin.metric.figure.Figure;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kelvin cite RUN}. */
@Command(
        name = "cite",
        description = {
            "Prints the works to cite for a run or a recipe.",
            "Those of its network, chains, objective, optimiser and data, of the figures that were measured, of libtorch and",
            "of Kelvin."
        })
final class Cite extends Verb {
    private static final String KELVIN = "kelvin";

    /** Parts named beside a work; figures by many scores would fill the screen. */
    private static final int NAMED = 5;

    @Parameters(paramLabel = "RUN", description = "a run's folder, a recipe's name or a recipe's file")
    private String subject;

    @ArgGroup
    private Form form = new Form();

    static final class Form {
        @Option(names = "--bibtex", description = "print BibTeX entries")
        private boolean bibtex;

        @Option(names = "--json", description = "print one JSON object")
        private boolean json;
    }

    /** What is cited, and the version of Kelvin that it was made with. */
    private record Subject(List<Citation> citations, String version) {}

    @Override
    public Integer call() throws IOException {
        Bibliography bibliography = Bibliography.onClassPath();
        Subject found = find();
        Map<String, Publication> works = new LinkedHashMap<>();
        Map<String, List<String>> parts = new TreeMap<>();
        for (Citation citation : found.citations) {
            Publication work = bibliography.of(citation);
            works.put(work.key(), work.key().equals(KELVIN) ? work.with("note", "version " + found.version) : work);
            parts.computeIfAbsent(work.key(), key -> new ArrayList<>()).add(citation.part());
        }
        PrintWriter out = out();
        if (form.json) {
            Output.print(out, true, json(works, parts));
        } else if (form.bibtex) {
            works.values().forEach(work -> out.println(work.bibtex()));
        } else {
            works.forEach((key, work) ->
                    out.printf("%s: %s%n    %s%n", work.label(), few(parts.getOrDefault(key, List.of())), work.text()));
        }
        out.flush();
        return ExitCode.OK;
    }

    private Subject find() throws IOException {
        Path path = Path.of(subject);
        if (Files.isDirectory(path)) {
            return ofRun(RunFolder.open(path));
        }
        if (!subject.matches(".*\\.ya?ml") && !Recipes.names().contains(subject)) {
            throw new UserException(
                    "there is neither a run nor a recipe '" + subject + "': name a run's folder, such as"
                            + " runs/rings, a recipe ('kelvin recipes' lists them) or a recipe's .yaml file");
        }
        return of(Recipes.load(subject, List.of()), List.of(), Build.facts());
    }

    /** The works of a run: of its recipe and, once it has been judged, of its figures. */
    private static Subject ofRun(RunFolder run) throws IOException {
        List<Figure> figures = Files.exists(run.evaluation())
                ? Figure.ordered(Evaluation.read(run.evaluation()).figures().keySet())
                : List.of();
        Map<String, String> facts = Provenance.read(run.provenance()).facts();
        return of(run.recipe(List.of()), figures, facts);
    }

    private static Subject of(Recipe recipe, List<Figure> figures, Map<String, String> facts) {
        List<Citation> all = new ArrayList<>(List.of(new Citation("the software", KELVIN)));
        all.addAll(Citations.of(recipe));
        figures.forEach(figure ->
                figure.cites().forEach(key -> all.add(new Citation("figure: " + figure.name(), key))));
        all.add(new Citation("libtorch", "paszke2019"));
        String version =
                facts.getOrDefault("kelvin", "unknown") + ", commit " + facts.getOrDefault("commit", "unknown");
        return new Subject(all, version);
    }

    private Map<String, Object> json(Map<String, Publication> works, Map<String, List<String>> parts) {
        List<Map<String, Object>> all = new ArrayList<>();
        works.forEach((key, work) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("key", key);
            entry.put("label", work.label());
            entry.put("reference", work.text());
            entry.put("bibtex", work.bibtex());
            entry.put("for", parts.getOrDefault(key, List.of()));
            all.add(entry);
        });
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("cited", subject);
        results.put("works", all);
        return results;
    }

    private static String few(List<String> parts) {
        return parts.size() <= NAMED
                ? String.join(", ", parts)
                : String.join(", ", parts.subList(0, NAMED - 1)) + " and " + (parts.size() - NAMED + 1) + " more";
    }
}
