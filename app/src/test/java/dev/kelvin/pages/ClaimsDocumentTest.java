package dev.kelvin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.recipe.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code docs/claims.md} agrees with the studies; renew a section by {@code kelvin reproduce STUDY --write-claims docs/claims.md}. */
class ClaimsDocumentTest {
    private static final Pattern WAITING = Pattern.compile("Not measured since their claims were rewritten: (.*)\\.\n");

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "claims.md"));
    }

    private static List<String> waiting() throws IOException {
        Matcher matcher = WAITING.matcher(page());
        return matcher.find()
                ? Stream.of(matcher.group(1).replace("`", "").split(", ")).toList()
                : List.of();
    }

    static List<String> measured() throws IOException {
        List<String> waiting = waiting();
        return Study.names().stream().filter(name -> !waiting.contains(name)).toList();
    }

    @Test
    void everyStudyIsThereOrWaits() throws IOException {
        List<String> sections = Pattern.compile("<!-- end of (.*) -->")
                .matcher(page())
                .results()
                .map(each -> each.group(1))
                .toList();
        assertThat(sections).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(measured());
        assertThat(Study.names()).containsAll(waiting());
    }

    @ParameterizedTest
    @MethodSource("measured")
    void theSectionIsOfTheStudyAsItIs(String name) throws IOException {
        Study study = Study.named(name);
        Matcher section = ClaimsPage.section(name).matcher(page());
        assertThat(section.find()).isTrue();
        assertThat(section.group())
                .startsWith(ClaimsPage.marker(study))
                .contains(study.about().strip())
                .contains(study.scale().strip());
        List<String> rows = section.group()
                .lines()
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .toList();
        assertThat(rows).hasSameSizeAs(study.claims());
        for (int i = 0; i < rows.size(); i++) {
            Study.Claim claim = study.claims().get(i);
            assertThat(rows.get(i))
                    .contains("(" + claim.id() + ")")
                    .contains(claim.says().strip().replaceAll("\\s+", " ").replace("|", "\\|"))
                    .endsWith(ClaimsPage.said(claim) + "|");
        }
    }
}
