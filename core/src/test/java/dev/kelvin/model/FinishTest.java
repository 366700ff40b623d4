package dev.kelvin.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.data.augment.Flip;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.negative.Finish;
import dev.kelvin.negative.Start;
import dev.kelvin.part.SettingException;
import dev.kelvin.sample.Langevin;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What samples have beside the steps of a chain. */
class FinishTest {
    private static Finish denoise(double sigma) {
        return new Finish(1, List.of(), OptionalDouble.of(sigma));
    }

    /** Data N(m, s²) with noise σ are N(m, s² + σ²), and E[x₀|x] = m + s²/(s² + σ²)·(x − m). */
    @Test
    void theLastMoveIsTheMeanOfTheDataGivenTheNoise() {
        double s = 0.8;
        double sigma = 0.5;
        double mean = 2;
        for (double temperature : new double[] {1, 0.01}) {
            try (Scope scope = Scope.open()) {
                // chains at T sample exp(f/T), so that f is T times the log-density
                LogDensity f = Gaussian.isotropic(new double[] {mean}, Math.sqrt(s * s + sigma * sigma))
                        .scaled(temperature);
                double[] noisy = {-1, 2, 3.5};
                Tensor moved = denoise(sigma).denoised(f, Tensors.of(noisy, 3, 1), temperature);
                double[] expected = new double[3];
                for (int i = 0; i < 3; i++) {
                    expected[i] = mean + s * s / (s * s + sigma * sigma) * (noisy[i] - mean);
                }
                assertThat(moved.toDoubles()).containsExactly(expected, within(1e-12));
            }
        }
    }

    @Test
    void withoutNoiseNothingMoves() {
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.of(new double[] {1, 2}, 2, 1);
            Finish rounds = new Finish(2, List.of(new Flip(0.5)), OptionalDouble.empty());
            assertThat(rounds.denoised(Gaussian.isotropic(new double[1], 1), x, 1))
                    .isSameAs(x);
        }
    }

    @Test
    void roundsNeedAnAugmentation() {
        assertThatThrownBy(() -> new Finish(2, List.of(), OptionalDouble.empty()))
                .isInstanceOf(SettingException.class)
                .hasMessage("rounds need an augmentation between them; without it say how many steps chains take");
        assertThatThrownBy(() -> denoise(0)).hasMessage("denoise must be above 0, found 0");
        assertThatThrownBy(() -> new Finish(0, List.of(), OptionalDouble.empty()))
                .hasMessage("rounds must be at least 1, found 0");
    }

    private static ModelCard card(ChainSettings chains) {
        return new ModelCard(
                ModelCard.FORMAT,
                "tiny",
                1,
                SampleKind.Points.of(2),
                new ComponentKind.None(),
                Optional.of(chains),
                1,
                Precision.FLOAT,
                false,
                Optional.empty());
    }

    /** A model's card has it; the card of one without is what it was. */
    @Test
    void isSavedWhereThereIsOne(@TempDir Path folder) throws IOException {
        ChainSettings plain = ChainSettings.fresh(new Start.GaussianStart(Optional.empty(), 1), Langevin.of(0.1), 3);
        card(plain).write(folder);
        Path file = folder.resolve(ModelCard.FILE);
        assertThat(file).content().doesNotContain("finish");
        assertThat(ModelCard.read(folder)).isEqualTo(card(plain));
        ChainSettings finished = plain.with(new Finish(10, List.of(new Flip(0.5)), OptionalDouble.of(0.03)));
        card(finished).write(folder);
        assertThat(file)
                .content()
                .contains(
                        "\"finish\":{\"rounds\":10,\"augment\":[{\"type\":\"flip\",\"share\":0.5}],\"denoise\":0.03}");
        assertThat(ModelCard.read(folder)).isEqualTo(card(finished));
        assertThat(finished.withBuffer(7).finish()).isEqualTo(finished.finish());
        assertThat(finished.in(8, 1, OptionalInt.of(2)).rounds()).isEqualTo(10);
    }
}
