package dev.kelvin.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensors;
import org.junit.jupiter.api.Test;

class SampleClassesTest {
    @Test
    void countsSamplesThatAreSeenAsTheClassTheyWereDrawnFor() {
        ClassSamples.Recognised figures = new ClassSamples.Recognised();
        try (Scope scope = Scope.open()) {
            figures.add(Tensors.of(new float[] {1, 2, 0, 5, 4, 3}, 2, 3), 1, 1);
            figures.add(Tensors.of(new float[] {-3, -2, -1}, 1, 3), 2);
            figures.add(Tensors.of(new float[] {0, 0, 1}, 1, 3), 0);
        }
        assertThat(figures.accuracy()).hasValue(0.5);
    }
}
