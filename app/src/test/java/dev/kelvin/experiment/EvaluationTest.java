package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.metric.Reliability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Reliability reliability = new Reliability(3);
        reliability.add(0.9, true);
        reliability.add(0.2, false);
        Evaluation evaluation = new Evaluation(
                Map.of("ece", 0.15, "kl", Double.NaN, "nll", Double.POSITIVE_INFINITY),
                Map.of("features", "some"),
                reliability.bins());
        Path file = folder.resolve("evaluation.json");
        evaluation.write(file);
        assertThat(Evaluation.read(file)).isEqualTo(evaluation); // the empty bin's NaN too
        assertThat(evaluation.all()).containsOnlyKeys("ece", "kl", "nll", "features");
    }

    @Test
    void anEvaluationWithoutAClassifierHasNoBins() throws IOException {
        Path file = folder.resolve("evaluation.json");
        new Evaluation(Map.of("kl", 0.1), Map.of(), List.of()).write(file);
        assertThat(Files.readString(file)).doesNotContain("reliability");
        assertThat(Evaluation.read(file).reliability()).isEmpty();
    }
}
