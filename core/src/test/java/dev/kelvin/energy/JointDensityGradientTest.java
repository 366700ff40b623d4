package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Gradients of a table's densities with respect to x and to the parameters, against central differences. */
class JointDensityGradientTest {
    private static final int N = 4;
    private static final long[] K = {0, 2, 1, 2};

    private final Scope scope = Scope.open();
    private final Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, N, 2);

    @AfterEach
    void close() {
        scope.close();
    }

    private static List<LogDensity> densities(EnergyModel model, Parameters parameters) {
        JointDensity table = model.bind(parameters);
        double[] weights = new double[model.components()];
        weights[0] = Double.NEGATIVE_INFINITY;
        weights[1] = -1;
        return List.of(
                table.marginal(),
                table.given(K),
                table.data(),
                table.mixture(weights),
                table.marginalOfPairs(0.4),
                table.marginalOfPairs(0.4).scaled(0.5));
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.JointDensities#all")
    void withRespectToTheSamples(EnergyModel model) {
        try (Parameters parameters = JointDensities.parameters(model)) {
            for (LogDensity density : densities(model, parameters)) {
                Tensor gradient = density.valueAndGradient(x).gradient();
                assertThat(density.gradient(x).toDoubles()).isEqualTo(gradient.toDoubles());
                assertThat(Differences.worstError(density, x, gradient)).isLessThan(1e-6);
            }
            JointDensity table = model.bind(parameters);
            assertThat(Differences.worstError(
                            table.given(K), x, table.marginal().gradient(x)))
                    .isGreaterThan(1e-3); // the twins: the marginal's gradient is another
            assertThat(Differences.worstError(
                            table.marginalOfPairs(0.4),
                            x,
                            table.marginal().scaled(0.4).gradient(x)))
                    .isGreaterThan(1e-3);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.JointDensities#all")
    void withRespectToTheSamplesByAutograd(EnergyModel model) {
        try (Parameters parameters = JointDensities.parameters(model)) {
            for (LogDensity density : densities(model, parameters)) {
                Tensor leaf = x.asLeaf();
                Tensor value = density.at(leaf);
                double[] right = Gradients.of(value, leaf).toDoubles();
                ValueAndGradient found = density.valueAndGradient(x);
                assertThat(found.value().toDoubles())
                        .containsExactly(value.detach().toDoubles(), within(1e-12));
                assertThat(found.gradient().toDoubles()).containsExactly(right, within(1e-12));
            }
        }
    }

    /** Both ways back to the parameters: of the whole table, and of the samples' own components. */
    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.JointDensities#all")
    void withRespectToTheParameters(EnergyModel model) {
        Tensor weights = Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, N, model.components());
        Tensor one = weights.select(1, 0);
        try (Parameters parameters = JointDensities.parameters(model)) {
            JointDensity table = model.bind(parameters);
            Pullback all = model.pullback(parameters, x);
            Pullback own = model.pullback(parameters, x, K);
            assertThat(all.output().detach().toDoubles())
                    .containsExactly(table.at(x).toDoubles(), within(1e-12));
            assertThat(own.output().detach().toDoubles())
                    .containsExactly(table.given(K).at(x).toDoubles(), within(1e-12));
            double[] whole = all.gradient().apply(weights).toDoubles();
            double[] alone = own.gradient().apply(one).toDoubles();
            Tensor flat = parameters.flat();
            assertThat(Differences.errorOver(
                            flat,
                            () -> model.bind(parameters)
                                    .at(x)
                                    .times(weights)
                                    .sum()
                                    .item(),
                            whole))
                    .isLessThan(1e-6);
            assertThat(Differences.errorOver(flat, () -> weighted(model, parameters, one), alone))
                    .isLessThan(1e-6);
            assertThat(Differences.errorOver(flat, () -> weighted(model, parameters, one), whole))
                    .isGreaterThan(1e-3); // the twin
        }
    }

    private double weighted(EnergyModel model, Parameters parameters, Tensor weights) {
        return model.bind(parameters).given(K).at(x).times(weights).sum().item();
    }
}
