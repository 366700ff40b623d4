package dev.kelvin.cite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/papers.md is made from the bibliography, and what sources and documents cite is in it. */
class PapersTest {
    private static final Path PAGE = Path.of("..", "docs", "papers.md");
    private static final Path RENEWED = Path.of("target", "papers.md");

    private static final String HEAD = """
            # Papers

            <!-- Made by PapersTest from core/src/main/resources/META-INF/kelvin/references.bib; it says how to renew it. -->

            Every work that Kelvin's code stands on, what of it is in Kelvin, and where. Packages are those of `dev.kelvin`; equations
            are in the Javadoc of each class. `./kelvin cite RUN` prints the works that one run or recipe stands on, with `--bibtex`
            as BibTeX entries. [A part of your own](how-to.md#a-part-of-your-own) may carry its own.

            ## The five works whose systems Kelvin has

            Recipes, studies and files call them by number; everything else by author and year, or by short title.
            """;

    private static final Pattern CLASS = Pattern.compile("`([a-z.]+\\.[A-Z]\\w*)`");

    /** A name and a year: Roberts and Tweedie (1996), Du et al. 2021, Pasarica and Gelman, 2010. */
    private static final Pattern CITATION =
            Pattern.compile("([\\p{Lu}][\\p{L}’-]+)(?: et al\\.)?(?:'s)?,? \\(?((?:19|20)\\d\\d)\\b(?![-.:]\\d)");

    /** No works: the manual of a file format, and data of an example. */
    private static final Set<String> NO_WORKS = Set.of("Format 2016", "Rubin 1981");

    private static String page() throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        List<Publication> all = Bibliography.onClassPath().all().stream()
                .filter(work -> work.fields().containsKey("kelvin"))
                .toList();
        for (Publication work : all) {
            work.field("study")
                    .ifPresent(number -> page.append("\n### " + number + " " + work.label() + "\n\n" + entry(work)));
        }
        page.append("\n## The others\n");
        for (Publication work : all) {
            if (work.field("study").isEmpty()) {
                page.append("\n**" + work.label() + ".** " + entry(work));
            }
        }
        return page.toString();
    }

    private static String entry(Publication work) {
        return work.text() + "  \n*In Kelvin:* " + work.field("kelvin").orElseThrow() + ".\n";
    }

    @Test
    void thePageSaysWhatTheBibliographySays() throws IOException {
        Files.createDirectories(RENEWED.toAbsolutePath().getParent());
        Files.writeString(RENEWED, page());
        assertThat(PAGE)
                .as("renew it: cp app/target/papers.md docs/papers.md")
                .exists()
                .hasContent(page());
    }

    @Test
    void theClassesThatItNamesAreThere() throws IOException {
        Matcher named = CLASS.matcher(page());
        List<String> missing = new ArrayList<>();
        while (named.find()) {
            try {
                Class.forName("dev.kelvin." + named.group(1), false, PapersTest.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                missing.add(named.group(1));
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void whatIsCitedAnywhereIsInTheBibliography() throws IOException {
        Set<String> known = new HashSet<>(NO_WORKS);
        List<Publication> works = new ArrayList<>(Bibliography.onClassPath().all());
        Path examples = Path.of("..", "examples/src/main/resources", Bibliography.RESOURCE);
        works.addAll(Bibliography.parse(examples.toString(), Files.readString(examples))
                .all());
        for (Publication work : works) {
            String year = work.field("year").orElse("");
            for (String author : work.authors()) {
                known.add(author.substring(author.lastIndexOf(' ') + 1) + " " + year);
            }
        }
        List<String> unknown = new ArrayList<>();
        for (Path file : cited()) {
            String text = Files.readString(file).replaceAll("\\s+(\\* )?", " ");
            for (Matcher found = CITATION.matcher(text); found.find(); ) {
                if (!known.contains(found.group(1) + " " + found.group(2))) {
                    unknown.add(file.getFileName() + ": " + found.group());
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    private static List<Path> cited() throws IOException {
        List<Path> files = new ArrayList<>(List.of(Path.of("..", "README.md"), Path.of("..", "CHANGELOG.md")));
        for (String folder : List.of("core/src/main", "app/src/main", "examples/src/main", "docs")) {
            try (Stream<Path> all = Files.walk(Path.of("..", folder))) {
                all.filter(file -> file.toString().matches(".*\\.(java|md|yaml)") && !file.equals(PAGE))
                        .forEach(files::add);
            }
        }
        return files;
    }
}
