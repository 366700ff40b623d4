package com.example.kelvin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example on a joint energy model that is trained and saved here. */
class ScoreImagesIT {
    @TempDir
    private Path folder;

    @Test
    void theModelKnowsMostDigits() throws Exception {
        Files.writeString(folder.resolve("jem.yaml"), """
                name: jem
                data: {images: {set: digits, noise: 0.03}}
                model: {short-run: {filters: 8}}
                classes: head
                negatives:
                  start: {uniform: {}}
                  kernel: {langevin: {stepSize: 1, noise: 0.01}}
                  steps: 5
                  buffer: {size: 200}
                objective: {cd-ce: {}}
                optimiser: {adam: {learningRate: 1e-3}}
                train: {iterations: 150, batch: 32}
                """);
        CommandLine.Finished trained =
                CommandLine.start(folder, "train", "jem.yaml", "--out=run").await();
        assertThat(trained.exit()).as("%s", trained).isZero();
        assertThat(ScoreImages.accuracy(folder.resolve("run"), 500)).isBetween(0.7, 1.0);
    }
}
