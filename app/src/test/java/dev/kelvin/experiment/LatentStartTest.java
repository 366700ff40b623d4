package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.negative.Start;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chains on the prior begin at the Gaussian that it tilts, whatever its standard deviation; so do those of a loaded model. */
class LatentStartTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "0.5, 1", "2, 1", "0.5, 3"})
    void aGaussianStartIsInUnitsOfThePrior(double std, double factor) {
        List<String> settings = List.of("latent.std=" + std, "negatives.start={gaussian: {std: " + factor + "}}");
        try (Scope scope = Scope.open();
                Experiment experiment = new Experiment(Recipes.load("digits-latent-small", settings), Device.CPU)) {
            Tensor z = experiment.model().starts().draw(Key.of(1), 2000); // 16 000 numbers: 0.6 % of standard error
            double found = Math.sqrt(z.square().mean().item());
            assertThat(found).isCloseTo(std * factor, within(0.03 * std * factor));
            Start kept = experiment.card().chains().orElseThrow().start();
            assertThat(((Start.GaussianStart) kept).std()).isCloseTo(std * factor, within(1e-12));
        }
    }
}
