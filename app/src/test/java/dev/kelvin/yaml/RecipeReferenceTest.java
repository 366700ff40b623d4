package dev.kelvin.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RecipeReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "recipes.md");
    private static final Path RENEWED = Path.of("target", "recipes.md");

    @Test
    void thePageSaysWhatTheRecordsSay() throws IOException {
        String page = RecipeReference.markdown(Recipe.class);
        Files.createDirectories(RENEWED.toAbsolutePath().getParent());
        Files.writeString(RENEWED, page);
        assertThat(PAGE)
                .as("renew it: cp app/target/recipes.md docs/recipes.md")
                .exists()
                .hasContent(page);
    }
}
