package dev.kelvin.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.model.Annealing;
import dev.kelvin.recipe.Recipes;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Chains that are led through times, several rounds at each. */
class AnnealingTest {
    private static final String RECIPE = """
            data: {toy: moons}
            model: {mlp: {hidden: [4]}}
            time: {count: 4}
            negatives: {start: batch, kernel: {langevin: {stepSize: 0.02}}, steps: 1}
            objective: cd-ce
            optimiser: {adam: {learningRate: 1e-3}}
            train: {iterations: 1, batch: 8}
            """;

    /** On a density that is flat, where steps do nothing but add their noise, from the second time of four on. */
    @Test
    void everyRoundTakesTheStepsOfItsTime() {
        LogDensity flat = x -> x.sumPerSample().times(0);
        try (Scope scope = Scope.open();
                Experiment experiment = new Experiment(Recipes.parse("a.yaml", RECIPE, List.of()), Device.CPU)) {
            List<Double> variances = new ArrayList<>();
            Tensor start = Tensors.zeros(DType.FLOAT, Device.CPU, 20_000, 2);
            new Annealing(experiment.model(), experiment.kernel(), OptionalDouble.empty(), 2, 3)
                    .walk(
                            Key.of(1),
                            Collections.nCopies(5, flat),
                            start,
                            (i, x) -> variances.add(x.square().mean().item()));
            double[] noise = experiment.model().timeline().orElseThrow().firstSteps();
            double before = 0;
            for (int i = 0; i < 4; i++) {
                double expected = 3 * 2 * 0.02 * noise[2 + i / 2]; // three steps, each of the variance 2h
                double after = variances.get(i);
                // 40 000 numbers: the mean square has a relative standard error of √(2/40000) = .007
                assertThat(after).as("round " + i).isCloseTo(before + expected, within(0.03 * (before + expected)));
                before += expected;
            }
            assertThat(variances).hasSize(4);
        }
    }
}
