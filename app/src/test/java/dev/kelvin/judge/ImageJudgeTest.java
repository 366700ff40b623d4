package dev.kelvin.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageJudgeTest {
    private static final Set<String> KINDS =
            Set.of(ImageJudge.TRAIN, ImageJudge.TEST, ImageJudge.SAMPLES, ImageJudge.NOISE);

    @ParameterizedTest
    @ValueSource(strings = {"training", "held-out", "held_out", "samples", "noise"})
    void anOutOfDistributionSetDoesNotTakeTheNameOfAKind(String name) {
        assertThat(OutOfDistributionEvaluation.free(KINDS, name)).isEqualTo("other " + name);
    }

    @Test
    void anOutOfDistributionSetKeepsANameThatIsFree() {
        assertThat(OutOfDistributionEvaluation.free(KINDS, "svhn")).isEqualTo("svhn");
        assertThat(OutOfDistributionEvaluation.free(Set.of("noise", "other noise"), "noise"))
                .isEqualTo("other other noise");
    }
}
