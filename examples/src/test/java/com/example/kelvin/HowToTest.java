package com.example.kelvin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the how-to shows of these parts is what is in their files. */
class HowToTest {
    private static final Path SOURCES = Path.of("src", "main", "java", "com", "example", "kelvin");

    /** The code of a language in the how-to's section on parts of one's own. */
    private static List<String> fenced(String language) throws IOException {
        String page = Files.readString(Path.of("..", "docs", "how-to.md"));
        String section = page.split("(?m)^## A part of your own$", 2)[1].split("(?m)^## ", 2)[0];
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(section)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }

    @Test
    void theCodeIsThatOfTheFiles() throws IOException {
        List<String> shown = fenced("java");
        assertThat(shown).hasSize(2);
        assertThat(Files.readString(SOURCES.resolve("RadialBasis.java"))).endsWith(shown.get(0));
        assertThat(Files.readString(SOURCES.resolve("OwnParts.java"))).endsWith(shown.get(1));
    }

    @Test
    void theAlarmsOfTheTutorialAreThoseOfTheProgram() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "anomalies.md"));
        String shown =
                page.substring(page.indexOf("        try (Model model"), page.indexOf("            return alarms;"));
        assertThat(Files.readString(SOURCES.resolve("ScorePayments.java"))).contains(shown);
    }

    @Test
    void theDensityIsThatOfTheProgram() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "how-to.md"));
        String section =
                page.split("(?m)^## Sample a density of your own$", 2)[1].split("(?m)^## ", 2)[0];
        String shown = section.substring(
                section.indexOf("        LogDensity density"), section.indexOf("        return sampler"));
        assertThat(Files.readString(SOURCES.resolve("E2SampleDensity.java"))).contains(shown);
    }

    @Test
    void theRecipeIsThatOfTheFile() throws IOException {
        assertThat(fenced("yaml")).containsExactly(Files.readString(Path.of("own.yaml")));
    }

    @Test
    void theFilesThatItNamesAreThere() throws IOException {
        assertThat(Path.of("src/main/resources/META-INF/services/dev.kelvin.part.PartProvider"))
                .hasContent(OwnParts.class.getName());
        String page = Files.readString(Path.of("..", "docs", "how-to.md"));
        assertThat(new OwnParts().parts().stream().map(part -> ((Class<?>) part).getSimpleName()))
                .allSatisfy(name -> assertThat(page).contains("| `" + name + "` |"));
        try (Stream<Path> files = Files.list(SOURCES)) {
            assertThat(files.filter(file -> !file.getFileName().toString().matches("E\\d.*"))) // numbered programs
                    .hasSize(new OwnParts().parts().size() + 3); // the provider, package-info and a program
        }
    }
}
