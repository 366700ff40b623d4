package dev.kelvin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Study;
import dev.kelvin.run.Provenance;
import dev.kelvin.run.RunFolder;
import dev.kelvin.run.StudyRunner;
import dev.kelvin.tensor.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimsPageTest {
    private static StudyReport.Measured measured(String name, double gap) {
        Study study = Study.parse("a.yaml", """
                name: %s
                paper: "001: A work"
                about: What it does.
                scale: Small.
                seeds: 2
                runs: [{name: a, recipe: rings}, {name: b, recipe: gmm}]
                claims: [{id: i, place: table 1, says: A | B., reported: 1 and 2, rule: a.gap@end < b.gap}]
                """.formatted(name));
        StudyRunner runner = new StudyRunner(study, Path.of("none"), Device.CPU, line -> {}, () -> false);
        List<Map<String, Double>> seeds =
                List.of(Map.of("a.gap@end", 1.0, "b.gap", gap), Map.of("a.gap@end", 2.0, "b.gap", gap));
        return new StudyReport.Measured(study, runner, new StudyRunner.Figures(study, seeds));
    }

    @Test
    void aStudyReplacesItsOwnSection(@TempDir Path folder) throws IOException {
        Path page = Files.writeString(folder.resolve("claims.md"), "# Which claims hold\n\nWords.\n");
        ClaimsPage.write(page, List.of(measured("one", 3), measured("two", 1.5)));
        String first = Files.readString(page);
        assertThat(first)
                .startsWith("# Which claims hold\n\nWords.\n\n<!-- one ")
                .contains("`./kelvin reproduce one`, no runs. What it does.")
                .contains("| A \\| B. *table 1* (i) | holds | a@end 1.5 (1 to 2); b 3 | 1 and 2 |")
                .contains("| A \\| B. *table 1* (i) | undecided |");
        ClaimsPage.write(page, List.of(measured("one", 0)));
        String second = Files.readString(page);
        assertThat(second).contains("| does not hold |");
        assertThat(second.lines().count()).isEqualTo(first.lines().count());
    }

    @Test
    void theRunsSayWhenAndByWhichCommitsTheyWereMade(@TempDir Path folder) throws IOException {
        StudyReport.Measured none = measured("one", 3);
        StudyRunner runner = new StudyRunner(none.study(), folder, Device.CPU, line -> {}, () -> false);
        Recipe recipe = none.study().runs().get(0).recipe(0);
        List<String> commits = List.of("later", "first");
        for (int i = 0; i < 2; i++) {
            String began = "2026-11-0" + (9 - i) + "T23:00:00Z";
            RunFolder.create(
                    runner.run(List.of("a", "b").get(i), 1),
                    recipe,
                    new Provenance(Map.of("commit", commits.get(i), "began", began)));
        }
        Path page = folder.resolve("claims.md");
        ClaimsPage.write(page, List.of(new StudyReport.Measured(none.study(), runner, none.figures())));
        assertThat(Files.readString(page))
                .contains("`./kelvin reproduce one`, 2026-11-09, commits first and later. What");
    }

    @Test
    void theMarkerFollowsTheRuns() {
        String marker = ClaimsPage.marker(measured("one", 0).study());
        Study other = Study.parse("a.yaml", """
                name: one
                paper: p
                about: b
                scale: c
                seeds: 2
                runs: [{name: a, recipe: rings, set: [train.batch=9]}, {name: b, recipe: gmm}]
                claims: []
                """);
        assertThat(marker).startsWith("<!-- one ").isNotEqualTo(ClaimsPage.marker(other));
    }
}
