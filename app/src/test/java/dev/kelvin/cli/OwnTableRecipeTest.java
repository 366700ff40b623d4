package dev.kelvin.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.recipe.Recipe;
import dev.kelvin.run.RunFolder;
import dev.kelvin.tensor.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recipe of a user's own asks for advice, and keeps what it says itself. */
class OwnTableRecipeTest {
    @TempDir
    private Path folder;

    @Test
    void itsOptimiserAndNetworkStay() throws IOException {
        StringBuilder rows = new StringBuilder("a,b\n");
        RandomGenerator random = Key.of(1).stream();
        for (int i = 0; i < 60; i++) {
            rows.append(String.format(Locale.ROOT, "%.4f,%.4f\n", random.nextGaussian(), random.nextGaussian()));
        }
        Files.writeString(folder.resolve("rows.csv"), rows);
        Files.writeString(folder.resolve("own.yaml"), """
                data: {table: {advise: true}}
                model: {residual-mlp: {width: 8, blocks: 1}}
                negatives: {start: gaussian, kernel: {langevin: {stepSize: 0.01}}, steps: 2}
                objective: contrastive
                optimiser: {adam: {learningRate: 1e-4}}
                train: {iterations: 2, batch: 4}
                """);
        Kelvin.Finished trained = InProcess.run(folder, "train", "@own.yaml", "--data", "@rows.csv", "--out", "@run");
        assertThat(trained.exit()).as(trained.err()).isZero();
        assertThat(trained.err()).contains("rows.csv: the recipe leaves nothing open to be chosen by the table's size");
        Recipe run = RunFolder.open(folder.resolve("run")).recipe(List.of());
        assertThat(run.model().words()).contains("residual");
        assertThat(run.optimiser().words()).isEqualTo("Adam");
        assertThat(run.optimiser().learningRate()).isEqualTo(1e-4);
        assertThat(run.negatives().steps().last()).isEqualTo(2);
        assertThat(run.train().iterations()).isEqualTo(2);
        assertThat(run.data().wantsAdvice()).isFalse();
    }
}
