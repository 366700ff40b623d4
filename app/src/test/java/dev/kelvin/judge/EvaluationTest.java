package dev.kelvin.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.metric.Reliability;
import dev.kelvin.recipe.Rule;
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

    @Test
    void whatHasATableOfItsOwnIsNotSaidTwice() {
        Map<String, Double> figures = Map.of(
                "auroc",
                1.0,
                "auroc_noise",
                1.0,
                "auroc_maxp_noise",
                1.0,
                "auroc_gradient_noise",
                1.0,
                "aupr_noise",
                1.0,
                "fpr95_gradient_noise",
                0.0,
                "auroc_test_train",
                0.5);
        assertThat(Evaluation.main(figures).keySet())
                .containsExactlyInAnyOrder("auroc", "auroc_noise", "auroc_test_train");
    }

    @Test
    void aRuleMayNameAnAccuracyUnderAttack() {
        Rule rule = Rule.parse("jem.accuracy_linf_0.03 >= plain.accuracy_linf_0.03 + 0.1");
        assertThat(rule.names()).containsExactly("jem.accuracy_linf_0.03", "plain.accuracy_linf_0.03");
    }

    @Test
    void figuresOfTheFeaturesClassifierAreNotTheModels() {
        Map<String, Double> figures = Map.of("fid", 3.0, "accuracy", 0.9, "ece", 0.01);
        Map<String, String> features = Map.of(Evaluation.ACCURACY_OF, Evaluation.FEATURES_CLASSIFIER);
        assertThat(new Evaluation(figures, features, List.of()).ofFeatures()).containsOnlyKeys("accuracy", "ece");
        assertThat(new Evaluation(figures, Map.of(Evaluation.ACCURACY_OF, "the model's own"), List.of()).ofFeatures())
                .isEmpty();
    }
}
