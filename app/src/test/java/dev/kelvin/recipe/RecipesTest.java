package dev.kelvin.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.data.toy.ToyData;
import dev.kelvin.energy.analytic.Banana;
import dev.kelvin.energy.analytic.CorrelatedGaussian;
import dev.kelvin.energy.analytic.Funnel;
import dev.kelvin.energy.analytic.ModesOnCircle;
import dev.kelvin.energy.analytic.Normal;
import dev.kelvin.energy.analytic.Rings;
import dev.kelvin.energy.analytic.TwoWells;
import dev.kelvin.part.Catalogue;
import dev.kelvin.yaml.RecipeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecipesTest {
    private static final int LIMIT = 1 << 20; // bytes of a recipe file

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("dev.kelvin.recipe.Recipes#names")
    void shippedRecipesAreSound(String name) {
        Recipe recipe = Recipes.named(name);
        assertThat(recipe.name()).isEqualTo(name);
        assertThat(recipe.about()).isNotEmpty();
    }

    @Test
    void shipsEveryToySet() {
        assertThat(Recipes.names()).containsAll(Catalogue.ready(ToyData.class).keySet());
    }

    @Test
    void readsATargetByNameOrWithItsSettings() {
        assertThat(Recipes.target("--target", "funnel")).isEqualTo(new Funnel(10, 3));
        assertThat(Recipes.target("--target", "{funnel: {dimension: 5}}")).isEqualTo(new Funnel(5, 3));
        assertThat(Recipes.target("--target", "{funnel: {std: 0.5}}").target()).isEqualTo(new Funnel(10, 0.5));
        assertThat(Recipes.target("--target", "rings")).isEqualTo(new Rings(List.of(1.0, 2.0, 3.0, 4.0), 0.15));
        assertThat(Recipes.target("--target", "banana")).isEqualTo(new Banana(1.5, 0.4));
        assertThat(Recipes.target("--target", "mixture")).isEqualTo(new ModesOnCircle(8, 4, 0.5));
        assertThat(Recipes.target("--target", "gaussian")).isEqualTo(new CorrelatedGaussian(20, 0.9));
        assertThat(Recipes.target("--target", "double-well")).isEqualTo(new TwoWells(3, 1.5, 1));
        assertThat(Recipes.target("--target", "normal")).isEqualTo(new Normal(10));
    }

    @Test
    void tellsEveryMistakeInATarget() {
        assertThatThrownBy(() -> Recipes.target("--target", "funel"))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("target has no 'funel'; did you mean 'funnel'? (one of normal, gaussian,");
        assertThatThrownBy(() -> Recipes.target("--target", "{funnel: {dimension: 1, std: 0}}"))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("dimension must be at least 2, found 1")
                .hasMessageContaining("std must be above 0, found 0");
        assertThatThrownBy(() -> Recipes.target("--target", "{funnel: {}, rings: {}}"))
                .isInstanceOf(RecipeException.class);
    }

    @Test
    void loadsAShippedRecipeByName() {
        assertThat(Recipes.load("rings", List.of())).isEqualTo(Recipes.named("rings"));
    }

    /** The lists of names are those of the files. */
    @ParameterizedTest
    @ValueSource(strings = {"", "studies"})
    void whatShipsIsListed(String below) throws IOException {
        Path files = Path.of("src/main/resources/dev/kelvin/recipe").resolve(below);
        try (Stream<Path> all = Files.list(files)) {
            assertThat(all.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".yaml"))
                            .map(name -> name.replace(".yaml", "")))
                    .containsExactlyInAnyOrderElementsOf(below.isEmpty() ? Recipes.names() : Study.names());
        }
    }

    @Test
    void suggestsTheNearestShippedRecipe() {
        assertThatThrownBy(() -> Recipes.load("ring", List.of()))
                .isInstanceOf(RecipeException.class)
                .hasMessage(
                        "ring: Kelvin has no recipe 'ring'; did you mean 'rings'? (it has rings, table, gmm, four-gaussians,"
                                + " spiral, moons, checkerboard, pinwheel, 001-toy, gmm-robust, rings-robust, spiral-jointcd, spiral-cdce,"
                                + " spiral-jointcd-paper, spiral-cdce-paper, digits-shortrun, digits-shortrun-small, digits-classes, digits-jem, digits-jem-robust, digits-jem-small,"
                                + " fashion-jem, cifar10-jem, digits-sada-jem, cifar10-sada-jem, digits-cooperative, cifar10-cooperative, digits-igebm, digits-igebm-small, digits-improved-cd, mnist-improved-cd, cifar10-improved-cd, digits-time-cdce, digits-time-jointcd, digits-time-small, mnist-time-cdce, cifar10-time-cdce, cifar10-time-jointcd, digits-latent, digits-latent-small, cifar10-latent, cifar10-latent-ti); a file's name ends in .yaml");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "~", "rings.yaml.gz", "RINGS\n"})
    void refusesWordsThatNameNoRecipe(String word) {
        assertThatThrownBy(() -> Recipes.load(word, List.of()))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining("Kelvin has no recipe");
    }

    @Test
    void namesARecipeAfterItsFile() throws IOException {
        Path file = write("my-rings.yaml", GoodRecipe.TEXT.replace("name: test\n", ""));
        assertThat(Recipes.load(file.toString(), List.of()).name()).isEqualTo("my-rings");
    }

    @Test
    void asksForANameWhereTheFilesCannotBeOne() throws IOException {
        Path file = write("my rings.yaml", GoodRecipe.TEXT.replace("name: test\n", ""));
        assertRefused(file, ":1:1: the recipe lacks 'name'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uFEFF", "---\n", "%YAML 1.2\n---\n", "# a comment\n", "\r\n"})
    void acceptsWhatMayStandBeforeARecipe(String head) throws IOException {
        Path file = write("a.yml", head + GoodRecipe.TEXT.replace("\n", "\r\n"));
        assertThat(Recipes.load(file.toString(), List.of()).name()).isEqualTo("test");
    }

    @Test
    void countsColumnsAfterAByteOrderMarkFromOne() throws IOException {
        assertRefused(write("a.yaml", "\uFEFFx: 1"), ":1:1: the recipe has no setting 'x'");
    }

    @Test
    void refusesWhatIsNoRecipeFile() throws IOException {
        assertRefused(folder.resolve("none.yaml"), ":1:1: there is no such file");
        assertRefused(Files.createDirectory(folder.resolve("f.yaml")), ":1:1: this is a folder, not a recipe");
        assertRefused(Path.of("/dev/null/a.yaml"), ":1:1: the file cannot be read");
        assertThatThrownBy(() -> Recipes.load("a\0.yaml", List.of())).hasMessageContaining("there is no such file");
    }

    @Test
    void refusesLargeFilesUnread() throws IOException {
        assertRefused(write("deep.yaml", "[".repeat(10_000_000)), ":1:1: the file is larger than 1 MiB");
        assertRefused(write("long.yaml", "#".repeat(LIMIT)), ":1:1: there is nothing in this recipe");
        assertRefused(write("large.yaml", "#".repeat(LIMIT + 1)), ":1:1: the file is larger than 1 MiB");
    }

    @Test
    void refusesBytesThatAreNoText() throws IOException {
        byte[] latin = "name: test\nabout: caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
        assertRefused(write("a.yaml", latin), ":2:11: the file is not UTF-8: byte 21 of the file is e9");
        byte[] cut = {'a', (byte) 0xc3};
        assertRefused(write("a.yaml", cut), ":1:2: the file is not UTF-8: byte 1 of the file is c3");
        byte[] zero = {'a', '\n', 'b', 0, 'c'};
        assertRefused(write("a.yaml", zero), ":2:2: this is a binary file: it has a zero byte");
        byte[] png = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, '\r'};
        assertRefused(write("a.yaml", png), ":1:1: the file is not UTF-8: byte 0 of the file is 89");
        assertRefused(write("a.yaml", "name: a".getBytes(StandardCharsets.UTF_16LE)), ":1:2: this is a binary file");
    }

    /** Whatever is cut out of, put into or swapped in a recipe, it is read or refused, and nothing else happens. */
    @Test
    void readsOrRefusesAnyText() {
        String marks = "{}[]:,-?&*!|>'\"%@`#~ \t\n\r\\<=.0e\u00e9\u2028";
        SplittableRandom random = new SplittableRandom(1);
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder(GoodRecipe.TEXT);
            for (int edits = random.nextInt(1, 6); edits > 0; edits--) {
                int at = random.nextInt(text.length());
                if (random.nextInt(3) == 0) {
                    text.delete(at, Math.min(text.length(), at + random.nextInt(1, 12)));
                } else {
                    text.insert(at, marks.charAt(random.nextInt(marks.length())));
                }
            }
            try {
                Recipes.parse("a.yaml", text.toString(), List.of());
            } catch (RecipeException e) {
                refused++;
                assertThat(e.problems()).isNotEmpty().allSatisfy(problem -> {
                    assertThat(problem.toString()).matches("a\\.yaml:[1-9]\\d*:[1-9]\\d*: .+");
                    assertThat(problem.message()).doesNotContain("\n", "java.", "Exception");
                });
            }
        }
        assertThat(refused).isBetween(1_000, 1_999);
    }

    private Path write(String name, String text) throws IOException {
        return write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    private static void assertRefused(Path file, String message) {
        assertThatThrownBy(() -> Recipes.load(file.toString(), List.of()))
                .isInstanceOf(RecipeException.class)
                .hasMessageStartingWith(file + message);
    }
}
