package dev.kelvin.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.experiment.Experiment;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvenanceTest {
    @TempDir
    private Path folder;

    @Test
    void saysWhereARunComesFrom() throws IOException {
        Map<String, String> facts = facts("rings", "train.seed=7");
        assertThat(facts)
                .containsEntry("seed", "7")
                .containsEntry("device", "cpu")
                .containsEntry("data", "toy rings")
                .containsKeys("kelvin", "commit", "libtorch", "threads", "java", "system", "processors");
        assertThat(facts.values()).noneMatch(value -> value.isBlank() || value.contains("null"));
        assertThat(Instant.parse(facts.getOrDefault("began", ""))).isBeforeOrEqualTo(Instant.now());
    }

    @Test
    void theHashIsOfTheDataAlone() throws IOException {
        String rings = facts("rings").getOrDefault("dataHash", "");
        assertThat(rings).matches("[0-9a-f]{64}");
        assertThat(facts("rings", "train.seed=7")).containsEntry("dataHash", rings);
        assertThat(facts("moons").get("dataHash")).isNotEqualTo(rings);
    }

    @Test
    void survivesItsFile() throws IOException {
        Provenance provenance = of("rings");
        provenance.write(folder.resolve("provenance.json"));
        assertThat(Provenance.read(folder.resolve("provenance.json"))).isEqualTo(provenance);
    }

    private static Map<String, String> facts(String recipe, String... overrides) throws IOException {
        return of(recipe, overrides).facts();
    }

    private static Provenance of(String recipe, String... overrides) throws IOException {
        try (Experiment experiment = new Experiment(Recipes.load(recipe, List.of(overrides)), Device.CPU)) {
            return Provenance.of(experiment, Device.CPU);
        }
    }
}
