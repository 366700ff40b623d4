package dev.kelvin.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class BuildTest {
    @Test
    void theBuildFillsInVersionAndCommit() throws IOException {
        assertThat(Build.facts()).containsOnlyKeys("kelvin", "commit");
        assertThat(Build.facts().values()).noneMatch(value -> value.contains("${") || value.equals("unknown"));
    }
}
