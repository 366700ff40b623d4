package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** With tiny-script.pt, which tiny_script.py beside it makes. */
@ExtendWith(OneThread.class)
class ScriptModuleTest {
    private Scope scope;

    @BeforeEach
    void open() {
        scope = Scope.open();
    }

    @AfterEach
    void close() {
        scope.close();
    }

    private static Path file() throws URISyntaxException {
        URL found = Objects.requireNonNull(ScriptModuleTest.class.getResource("tiny-script.pt"));
        return Path.of(found.toURI());
    }

    /** Three images of two channels, whose means are 0 and 1, 2 and 3, 4 and 5. */
    private static Tensor images() {
        return Tensors.of(new float[] {0, 1, 2, 3, 4, 5}, 3, 2, 1, 1).expand(3, 2, 4, 4);
    }

    private static final double[] FEATURES = {0, 1, 0, 1, 2, 3, 4, 9, 4, 5, 16, 25};

    @Test
    void methodsGiveTheirValues() throws IOException, URISyntaxException {
        try (ScriptModule module = ScriptModule.load(file(), Device.CPU)) {
            // with dropout on, half of these would be 0
            assertThat(module.call("forward", images()).toDoubles()).containsExactly(FEATURES, within(1e-6));
            assertThat(module.call("logits", images()).toDoubles())
                    .containsExactly(new double[] {2.5, -1.5, 8.5, 2.5, 14.5, 22.5}, within(1e-5));
            assertThat(module.has("logits")).isTrue();
            assertThat(module.has("logit")).isFalse();
        }
    }

    @Test
    void gradientsFlowThrough() throws IOException, URISyntaxException {
        try (ScriptModule module = ScriptModule.load(file(), Device.CPU)) {
            Tensor x = images().copy().asLeaf();
            double[] gradient = Gradients.of(module.call("forward", x).sum(), x).toDoubles();
            // ∂(m + m²)/∂x = (1 + 2m)/16, here m = 5
            assertThat(gradient[gradient.length - 1]).isCloseTo(11 / 16.0, within(1e-6));
        }
    }

    @Test
    void wrongFilesAreNamed(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> ScriptModule.load(folder.resolve("no.pt"), Device.CPU))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no.pt")
                .hasMessageContaining("there is no such file");
        assertThatThrownBy(() -> ScriptModule.load(folder, Device.CPU)).hasMessageContaining("it is not a file");
        for (String text : new String[] {"", "hello"}) {
            Path wrong = Files.writeString(folder.resolve("wrong.pt"), text);
            assertThatThrownBy(() -> ScriptModule.load(wrong, Device.CPU))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("wrong.pt is not a TorchScript file")
                    .message()
                    .hasLineCount(1);
        }
    }

    @Test
    void wrongCallsAreNamed() throws IOException, URISyntaxException {
        try (ScriptModule module = ScriptModule.load(file(), Device.CPU)) {
            assertThatThrownBy(() -> module.call("nothing", images()))
                    .hasMessageContaining("tiny-script.pt has no method 'nothing'");
            assertThatThrownBy(() -> module.call("both", images()))
                    .hasMessageContaining("both returned a Tuple; expected one tensor");
            assertThatThrownBy(() -> module.call("logits", Tensors.normal(Key.of(1), 2, 3, 4, 4)))
                    .isInstanceOf(TensorException.class)
                    .hasMessageContaining("logits failed for FLOAT[2, 3, 4, 4] on cpu: mat1 and mat2 shapes")
                    .message()
                    .hasLineCount(1);
        }
    }
}
