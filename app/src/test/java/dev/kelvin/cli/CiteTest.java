package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.cli.terminal.ExitCode;
import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.yaml.RecipeWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CiteTest {
    @TempDir
    private Path folder;

    private record Answer(int code, String out, String err) {}

    private static Answer kelvin(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
        return new Answer(code, out.toString(), err.toString());
    }

    /** A run as its folder has it: recipe, provenance and, where it was judged, figures. */
    private Path run(String recipe, String evaluation) throws IOException {
        Recipe loaded = Recipes.load(recipe, List.of());
        Files.writeString(folder.resolve("recipe.yaml"), RecipeWriter.yaml(loaded));
        Files.writeString(folder.resolve("provenance.json"), "{\"kelvin\": \"0.0.7\", \"commit\": \"abc\"}");
        if (!evaluation.isEmpty()) {
            Files.writeString(folder.resolve("evaluation.json"), evaluation);
        }
        return folder;
    }

    @Test
    void aRunStandsOnItsPartsItsFiguresLibtorchAndKelvin() throws IOException {
        Path run = run("digits-classes", "{\"fid\": 3, \"auroc_noise\": 0.9, \"ece\": 0.1, \"from_the_future\": 1}");
        Answer answer = kelvin("cite", run.toString());
        assertThat(answer.code).isZero();
        assertThat(answer.out)
                .contains(
                        "Kelvin: Energy-Based Models on the JVM. Software, Apache License 2.0, version 0.0.7, commit abc.")
                .contains("Heusel et al. 2017: figure: fid\n    Martin Heusel, Hubert Ramsauer")
                .contains("Hendrycks and Gimpel 2017: figure: auroc_noise")
                .contains("Guo et al. 2017: figure: ece")
                .contains("Alpaydin and Kaynak 1998: data: images")
                .contains("Paszke et al. 2019: libtorch");
    }

    @Test
    void aRunThatWasNotJudgedAndARecipeCiteNoFigures() throws IOException {
        assertThat(kelvin("cite", run("rings", "").toString()).out).doesNotContain("figure:");
        assertThat(kelvin("cite", "rings").out).contains("Roberts and Tweedie 1996: negatives.kernel: mala");
        Path file = Files.copy(folder.resolve("recipe.yaml"), folder.resolve("mine.yaml"));
        assertThat(kelvin("cite", file.toString()).out).contains("Roberts and Tweedie 1996: negatives.kernel: mala");
    }

    @Test
    void aRunOfTheLastVersionIsCited() throws URISyntaxException {
        Path old = Path.of(Objects.requireNonNull(CiteTest.class.getResource("/dev/kelvin/formats/1/time"))
                .toURI());
        assertThat(kelvin("cite", old.toString()).out)
                .contains("Thinking Fourth Dimensionally: data.toy.set: spiral, time")
                .contains("commit 13daefb");
    }

    @Test
    void bibtexAndJsonHaveTheSameWorks() throws IOException {
        Path run = run("rings", "{\"stein\": 1}");
        String bibtex = kelvin("cite", run.toString(), "--bibtex").out;
        JsonNode works = new JsonMapper()
                .readTree(kelvin("cite", run.toString(), "--json").out)
                .get("works");
        assertThat(works.size()).isGreaterThan(5);
        works.forEach(work -> {
            assertThat(bibtex).contains("{" + work.get("key").asString() + ",");
            assertThat(work.get("for").size()).isPositive();
        });
        assertThat(bibtex.lines().filter(line -> line.startsWith("@"))).hasSize(works.size());
        assertThat(bibtex).doesNotContain("kelvin = {", "study = {");
    }

    @ParameterizedTest
    @CsvSource({
        "nosuch, there is neither a run nor a recipe 'nosuch'",
        "runs/nosuch, there is neither a run nor a recipe 'runs/nosuch'",
        "nosuch.yaml, nosuch.yaml:1:1: there is no such file",
        "src, src is not a run: it has no recipe.yaml"
    })
    void whatIsNeitherARunNorARecipeIsRefused(String subject, String message) {
        Answer answer = kelvin("cite", subject);
        assertThat(answer.code).isEqualTo(ExitCode.RECIPE);
        assertThat(answer.err).contains(message);
    }

    @Test
    void itIsEitherBibtexOrJson() {
        assertThat(kelvin("cite", "rings", "--bibtex", "--json").code).isEqualTo(ExitCode.USAGE);
    }
}
