package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.recipe.Recipe;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.yaml.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
    private static final Recipe RECIPE = Recipes.named("rings");
    private static final Provenance PROVENANCE = new Provenance(Map.of("seed", "0"));

    @TempDir
    private Path folder;

    @Test
    void createWritesRecipeAndProvenance() throws IOException {
        RunFolder run = RunFolder.create(folder.resolve("a/b/run"), RECIPE, PROVENANCE);
        assertThat(names(run.path())).containsExactly("provenance.json", "recipe.yaml");
        assertThat(run.recipe(List.of())).isEqualTo(RECIPE);
        assertThat(Provenance.read(run.provenance())).isEqualTo(PROVENANCE);
        assertThat(RunFolder.open(run.path())).isEqualTo(run);
        assertThat(names(folder.resolve("a/b"))).containsExactly("run");
    }

    /** As any other new folder: a report is there to be shown. */
    @Test
    void createLeavesPermissionsToTheUser() throws IOException {
        Path usual = Files.createDirectory(folder.resolve("usual"));
        RunFolder run = RunFolder.create(folder.resolve("run"), RECIPE, PROVENANCE);
        assertThat(Files.getPosixFilePermissions(run.path())).isEqualTo(Files.getPosixFilePermissions(usual));
    }

    @Test
    void createTakesAnEmptyFolder() throws IOException {
        Path path = Files.createDirectory(folder.resolve("run"));
        RunFolder.create(path, RECIPE, PROVENANCE);
        assertThat(names(path)).containsExactly("provenance.json", "recipe.yaml");
    }

    @Test
    void createKeepsAFolderThatIsThere() throws IOException {
        Path path = Files.createDirectory(folder.resolve("run"));
        Files.writeString(path.resolve("mine"), "");
        assertThatThrownBy(() -> RunFolder.create(path, RECIPE, PROVENANCE))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("exists already");
        assertThat(names(path)).containsExactly("mine");
        assertThat(names(folder)).containsExactly("run");
    }

    @Test
    void createKeepsAFileThatIsThere() throws IOException {
        Path path = Files.writeString(folder.resolve("run"), "mine");
        assertThatThrownBy(() -> RunFolder.create(path, RECIPE, PROVENANCE))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("exists already");
        assertThat(path).hasContent("mine");
        assertThat(names(folder)).containsExactly("run");
    }

    @Test
    void aFailureLeavesNoHalfFolder() throws IOException {
        Provenance broken = new Provenance(new AbstractMap<>() {
            @Override
            public Set<Map.Entry<String, String>> entrySet() {
                throw new UnsupportedOperationException("broken");
            }
        });
        assertThatThrownBy(() -> RunFolder.create(folder.resolve("run"), RECIPE, broken))
                .hasMessageContaining("broken");
        assertThat(names(folder)).isEmpty();
    }

    @Test
    void openNeedsARun() throws IOException {
        assertThatThrownBy(() -> RunFolder.open(folder.resolve("none")))
                .isInstanceOf(UserException.class)
                .hasMessage("there is no run at " + folder.resolve("none"));
        assertThatThrownBy(() -> RunFolder.open(folder))
                .isInstanceOf(UserException.class)
                .hasMessage(folder + " is not a run: it has no recipe.yaml");
    }

    @Test
    void unusedCountsUp() throws IOException {
        assertThat(RunFolder.unused(folder, "rings")).isEqualTo(folder.resolve("rings"));
        Files.createDirectory(folder.resolve("rings"));
        assertThat(RunFolder.unused(folder, "rings")).isEqualTo(folder.resolve("rings-2"));
        Files.writeString(folder.resolve("rings-2"), "");
        Files.createDirectory(folder.resolve("rings-4"));
        assertThat(RunFolder.unused(folder, "rings")).isEqualTo(folder.resolve("rings-3"));
    }

    @Test
    void aChangedRecipeIsReadAgain() throws IOException {
        RunFolder run = RunFolder.create(folder.resolve("run"), RECIPE, PROVENANCE);
        Recipe changed = run.recipe(List.of("train.iterations=7"));
        run.write(changed);
        assertThat(changed.train().iterations()).isEqualTo(7);
        assertThat(run.recipe(List.of())).isEqualTo(changed);
    }

    @Test
    void oneLockAtATime() throws Exception {
        RunFolder run = RunFolder.create(folder.resolve("run"), RECIPE, PROVENANCE);
        try (AutoCloseable lock = run.lock()) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(run::lock)
                    .isInstanceOf(UserException.class)
                    .hasMessage(run.path() + " is being trained by another process");
        }
        run.lock().close();
    }

    private static List<String> names(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
