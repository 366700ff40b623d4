package dev.kelvin.train.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whole runs of old formats are read in the tests of the command line; here are their trees. */
class OldFormatsTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static JsonNode tree(String json) {
        return JSON.readTree(json.replace('\'', '"'));
    }

    /** A header of format 0 around a model. */
    private static ObjectNode old(String model) {
        return (ObjectNode) tree("{'step': 8, 'retries': 1, 'seed': 5, 'regular': true, 'score': 0.5, 'model': " + model
                + ", 'numbers': {'optimiser.steps': 8}, 'sha256': 'abc'}");
    }

    private static JsonNode model(String old) {
        return OldFormats.upgraded(old(old)).get("model");
    }

    @Test
    void aHeaderOfFormat0() {
        String mlp = "'type': 'mlp', 'inputs': 2, 'hidden': [8, 4], 'outputs': 1";
        assertThat(OldFormats.upgraded(old("{'type': 'scalar', 'network': {" + mlp
                        + ", 'activation': {'type': 'leaky-relu', 'slope': 0.05}}}")))
                .isEqualTo(tree("{'format': 0, 'step': 8, 'retries': 1, 'seed': 5, 'regular': true, 'score': 0.5,"
                        + " 'settings': null, 'model': {'network': {" + mlp
                        + ", 'activation': 'leaky-relu', 'slope': 0.05}, 'head': {'type': 'direct', 'columns': 1}},"
                        + " 'numbers': {'optimiser.steps': 8}, 'tensors': 'abc'}"));
    }

    @Test
    void classesBecomeColumns() {
        assertThat(model("{'type': 'classes', 'network': {'type': 'short-run-net', 'filters': 4}, 'classes': 10}"))
                .isEqualTo(tree(
                        "{'network': {'type': 'short-run', 'filters': 4}, 'head': {'type': 'direct', 'columns': 10}}"));
    }

    @Test
    void timesBecomeATimeline() {
        assertThat(model("{'type': 'time-joint', 'network': {'type': 'time-resnet', 'blocks': 1}, 'times': 64,"
                        + " 'mean': [1, 2], 'std': 0.3, 'cumulative': true}"))
                .isEqualTo(tree("{'network': {'type': 'resnet', 'blocks': 1}, 'head': {'type': 'timeline', 'times': 64,"
                        + " 'mean': [1, 2], 'std': 0.3, 'cumulative': true, 'pinned': true}}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            mlp | {'type': 'leaky-relu', 'slope': 0.1} | {'type': 'mlp', 'activation': 'leaky-relu', 'slope': 0.1}
            mlp | {'type': 'silu'} | {'type': 'mlp', 'activation': 'silu', 'slope': 0.0}
            residual-mlp | {'type': 'tanh'} | {'type': 'residual-mlp', 'activation': 'tanh', 'slope': 0.0}
            short-run-net | {'type': 'softplus'} | {'type': 'short-run', 'activation': 'softplus', 'slope': 0.0}
            time-resnet | {'type': 'leaky-relu', 'slope': 0.2} | {'type': 'resnet', 'activation': 'leaky-relu', 'slope': 0.2}
            igebm-net | {'type': 'leaky-relu', 'slope': 0.2} | {'type': 'igebm', 'slope': 0.2}
            wide-resnet | {'type': 'leaky-relu', 'slope': 0.2} | {'type': 'wide-resnet', 'slope': 0.2}
            improved-cd-net | {'type': 'silu'} | {'type': 'improved-cd'}
            """)
    void networksAndTheirActivations(String name, String activation, String now) {
        String plain = "{'type': '" + name + "', 'activation': " + activation + "}";
        assertThat(model("{'type': 'scalar', 'network': " + plain + "}").get("network"))
                .isEqualTo(tree(now));
        String wrapped = "{'type': 'bfloat16', 'inner': {'type': 'class-gains', 'classes': 3, 'inner': ";
        assertThat(model("{'type': 'scalar', 'network': " + wrapped + plain + "}}}")
                        .get("network"))
                .isEqualTo(tree(wrapped + now + "}}"));
    }

    /** Its last layer was normed before that could be chosen, also in the first files of format 1. */
    @Test
    void anIgebmWithoutAWordOfItsLastLayerIsNormedThere() {
        String wrapped =
                "{'model': {'network': {'type': 'channels-last', 'inner': {'type': 'igebm', 'slope': 0.2%s}}}}";
        assertThat(OldFormats.completed((ObjectNode) tree(wrapped.formatted(""))))
                .isEqualTo(tree(wrapped.formatted(", 'normedOutput': true")));
        String chosen = wrapped.formatted(", 'normedOutput': false");
        assertThat(OldFormats.completed((ObjectNode) tree(chosen))).isEqualTo(tree(chosen));
        String other = "{'model': {'network': {'type': 'mlp'}}}";
        assertThat(OldFormats.completed((ObjectNode) tree(other))).isEqualTo(tree(other));
    }

    /** For the reader to refuse. */
    @Test
    void whatIsNotKnownStays() {
        assertThat(model("{'type': 'scalar', 'colour': 3, 'network': {'type': 'my-net', 'activation': 'mine'}}"))
                .isEqualTo(tree("{'colour': 3, 'network': {'type': 'my-net', 'activation': 'mine'},"
                        + " 'head': {'type': 'direct', 'columns': 1}}"));
        assertThat(model("{'type': 'latent'}")).isEqualTo(tree("{'type': 'latent'}"));
    }

    @Test
    void theTreeThatIsGivenIsLeftAsItIs() {
        ObjectNode old = old("{'type': 'scalar', 'network': {'type': 'igebm-net'}}");
        ObjectNode copy = old.deepCopy();
        OldFormats.upgraded(old);
        assertThat(old).isEqualTo(copy);
    }

    @Test
    void theTimesFactorsAreStepsOfTheNegatives() {
        try (Scope scope = Scope.open()) {
            Tensor factors = Tensors.of(new float[] {1, 2}, 2);
            assertThat(OldFormats.upgraded(Map.of("factors", factors, "parameters", factors)))
                    .containsOnlyKeys("negatives.steps", "parameters")
                    .containsValue(factors);
        }
    }

    /** Recipes give every activation a slope; in format 0 only the leaky ReLU had one. */
    @Test
    void onlyALeakyReluHasASlope() {
        String leaky = "{'network': {'inner': {'activation': 'leaky-relu', 'slope': 0.1}}}";
        assertThat(OldFormats.withoutIdleSlopes(tree(leaky))).isEqualTo(tree(leaky));
        assertThat(OldFormats.withoutIdleSlopes(tree("{'network': {'inner': {'activation': 'silu', 'slope': 0.1}}}")))
                .isEqualTo(tree("{'network': {'inner': {'activation': 'silu'}}}"));
    }
}
