package dev.kelvin.run;

import dev.kelvin.experiment.ImageJudge;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageExhibitsTest {
    private static final Set<String> KINDS =
            Set.of(ImageJudge.TRAIN, ImageJudge.TEST, ImageJudge.SAMPLES, ImageJudge.NOISE);

    @ParameterizedTest
    @ValueSource(strings = {"training", "held-out", "held_out", "samples", "noise"})
    void aForeignSetDoesNotTakeTheNameOfAKind(String name) {
        assertThat(ImageJudge.free(KINDS, name)).isEqualTo("foreign " + name);
    }

    @Test
    void aForeignSetKeepsANameThatIsFree() {
        assertThat(ImageJudge.free(KINDS, "svhn")).isEqualTo("svhn");
        assertThat(ImageJudge.free(Set.of("noise", "foreign noise"), "noise"))
                .isEqualTo("foreign foreign noise");
    }
}
