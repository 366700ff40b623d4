package dev.kelvin.panel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;

class ImagePanelsTest {
    /** Classes in turn, of which the last round is not whole. */
    @Test
    void rowsAreOfOneClass() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new float[] {0, 1, 2, 10, 11, 12, 20, 21}, 8, 1);
            assertThat(ImagePanels.inRows(x, 3).toFloats()).containsExactly(0, 10, 20, 1, 11, 21, 2, 12);
            assertThat(ImagePanels.inRows(x, 1)).isSameAs(x);
        }
    }
}
