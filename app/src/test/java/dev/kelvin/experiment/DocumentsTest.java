package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.yaml.RecipeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the README says of recipes is true. */
class DocumentsTest {
    private static String fenced(String language, String containing) throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));
        for (String part : readme.split("```" + language + "\n", -1)) {
            String block = part.split("```", 2)[0];
            if (block.contains(containing) && !part.equals(readme)) {
                return block;
            }
        }
        throw new AssertionError("the README has no " + language + " block with " + containing);
    }

    @Test
    void theRecipeOfTheReadmeIsThatOfRings() throws IOException {
        Recipe readme = Recipes.parse("my-rings.yaml", fenced("yaml", "my-rings"), List.of());
        Recipe rings = Recipes.named("rings");
        assertThat(readme.negatives()).isEqualTo(rings.negatives());
        assertThat(readme.model()).isEqualTo(rings.model());
        assertThat(readme.objective()).isEqualTo(rings.objective());
        assertThat(readme.optimiser()).isEqualTo(rings.optimiser());
        assertThat(readme.train()).isEqualTo(rings.train());
    }

    @Test
    void theMistakeOfTheReadmeIsToldAsItSays() throws IOException {
        String broken = fenced("yaml", "my-rings").replace("stepSize", "stepsize");
        String message = fenced("text", "stepsize").strip();
        assertThatThrownBy(() -> Recipes.parse("my-rings.yaml", broken, List.of()))
                .isInstanceOf(RecipeException.class)
                .hasMessageContaining(message);
    }

    /** Files, and headings as GitHub makes anchors of them. */
    @Test
    void linksLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                boolean whole = Files.exists(target)
                        && (link.group(2) == null || anchors(target).contains(link.group(2)));
                if (!whole) {
                    broken.add(page.getFileName() + ": " + link.group());
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)]*))?\\)");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("..", "../docs")) {
            try (Stream<Path> files = Files.list(Path.of(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        return pages;
    }

    private static List<String> anchors(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    @Test
    void everyShippedRecipeSaysWhatItShowsAndWhatItTakes() {
        assertThat(Recipes.all()).allSatisfy(recipe -> {
            assertThat(recipe.about()).isNotBlank();
            assertThat(recipe.takes()).matches("[0-9]+ (s|min)");
        });
    }
}
