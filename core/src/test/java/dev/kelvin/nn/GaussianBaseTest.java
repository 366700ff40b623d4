package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.energy.Gaussian;
import dev.kelvin.energy.GradientCheck;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A network on a Gaussian base: its outputs, both ways back, and what is fitted. */
final class GaussianBaseTest {
    private static final Gaussian TRUTH =
            new Gaussian(new double[] {1, -2, 0.5}, new double[][] {{4, 1.5, 0.2}, {1.5, 1, 0}, {0.2, 0, 0.25}});
    private static final double FLOOR = 1e-6;

    private static Parameters fitted(GaussianBase network, Tensor samples, DType type) {
        Parameters parameters = network.layout().init(Key.of(1), type);
        network.fit(parameters, samples, FLOOR);
        return parameters;
    }

    /** The Gaussian that the parameters hold, by another class's algebra. */
    private static Tensor logBase(GaussianBase network, Parameters parameters, Tensor x) {
        Gaussian base = new Gaussian(network.mean(parameters), network.covariance(parameters));
        return base.at(x).minus(base.logNormaliser());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void addsALogDensityToEveryOutput(boolean full) {
        Network mlp = new Mlp(3, List.of(5), 2, Activation.SILU, 0);
        GaussianBase network = new GaussianBase(mlp, 3, full);
        try (Scope scope = Scope.open();
                Parameters parameters = fitted(network, TRUTH.draw(Key.of(2), 1000), DType.DOUBLE)) {
            Tensor x = TRUTH.draw(Key.of(3), 7, DType.DOUBLE);
            Tensor base = logBase(network, parameters, x);
            double[] added =
                    network.apply(parameters, x).minus(mlp.apply(parameters, x)).toDoubles();
            for (int i = 0; i < added.length; i++) {
                assertThat(added[i]).isCloseTo(base.toDoubles()[i / 2], within(1e-10));
            }
        }
    }

    @Test
    void isFittedToTheMomentsOfSamples() {
        GaussianBase network = new GaussianBase(new Mlp(3, List.of(5), 1, Activation.SILU, 0), 3, true);
        int n = 40_000;
        try (Scope scope = Scope.open();
                Parameters parameters = fitted(network, TRUTH.draw(Key.of(4), n), DType.DOUBLE)) {
            double[][] found = network.covariance(parameters);
            double[][] right = TRUTH.covariance();
            for (int i = 0; i < 3; i++) {
                // five standard errors: sqrt(s_ii/n) of the mean, sqrt((s_ii s_jj + s_ij^2)/n) of the covariance
                assertThat(network.mean(parameters)[i])
                        .isCloseTo(TRUTH.mean()[i], within(5 * Math.sqrt(right[i][i] / n)));
                for (int j = 0; j < 3; j++) {
                    double error = Math.sqrt((right[i][i] * right[j][j] + right[i][j] * right[i][j]) / n);
                    assertThat(found[i][j]).isCloseTo(right[i][j], within(5 * error));
                }
            }
        }
    }

    /** A column that never changes, and one that is another's double, have a little variance all the same. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hasNoWallWhereSamplesHaveNoVariance(boolean full) {
        GaussianBase network = new GaussianBase(new Mlp(3, List.of(5), 1, Activation.SILU, 0), 3, full);
        try (Scope scope = Scope.open()) {
            Tensor one = Tensors.normal(Key.of(5), DType.DOUBLE, Device.CPU, 500, 1);
            Tensor flat = Tensors.full(7, DType.DOUBLE, Device.CPU, 500, 1);
            try (Parameters parameters = network.layout().init(Key.of(1), DType.FLOAT)) {
                network.fit(parameters, Tensors.concat(1, one, one.times(2), flat), 0.01);
                double[][] found = network.covariance(parameters);
                double mean = (found[0][0] + found[1][1]) / 3;
                assertThat(found[2][2]).isCloseTo(0.01 * mean, within(0.002 * mean));
                assertThat(network.apply(parameters, one.expand(500, 3).to(DType.FLOAT))
                                .allFinite())
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void knowsItsGradientsInClosedForm(boolean full) {
        GaussianBase network = new GaussianBase(new Mlp(3, List.of(6, 5), 2, Activation.SILU, 0), 3, full);
        try (Scope scope = Scope.open();
                Parameters parameters = fitted(network, TRUTH.draw(Key.of(6), 500), DType.DOUBLE)) {
            Tensor x = TRUTH.draw(Key.of(7), 9, DType.DOUBLE);
            Tensor weights = Tensors.normal(Key.of(8), DType.DOUBLE, x.device(), 9, 2);
            Tensor leaf = x.asLeaf();
            Tensor right = Gradients.of(network.apply(parameters, leaf), weights, List.of(leaf))
                    .get(0);
            assertClose(network.inputPullback(parameters, x).gradient().apply(weights), right);
            Parameters live = parameters.live();
            Tensor trained = live.gradient(network.apply(live, x), weights);
            assertClose(network.pullback(parameters, x).gradient().apply(weights), trained);
            Tensor sum = Gradients.of(network.apply(parameters, leaf).sum(1L), leaf);
            assertClose(network.outputAndInputGradient(parameters, x).gradient(), sum);
            assertClose(network.inputGradient(parameters, x), sum);
        }
    }

    @Test
    void isADensityForKernels() {
        GaussianBase network = new GaussianBase(new Mlp(3, List.of(6), 1, Activation.TANH, 0), 3, true);
        try (Scope scope = Scope.open();
                Parameters parameters = fitted(network, TRUTH.draw(Key.of(6), 500), DType.DOUBLE)) {
            LogDensity density = EnergyModel.plain(network).density(parameters);
            GradientCheck.require(density, TRUTH.draw(Key.of(9), 5, DType.DOUBLE));
        }
    }

    /** Images keep their shape, and the base its precision where the network has none. */
    @Test
    void isUnderImagesInBfloat16Too() {
        Network images = new Bfloat16(new ShortRun(1, 8, 2, 1, Activation.SILU, 0));
        GaussianBase network = new GaussianBase(images, 64, false);
        try (Scope scope = Scope.open()) {
            Tensor x = Tensors.normal(Key.of(3), 50, 1, 8, 8);
            try (Parameters parameters = fitted(network, x, DType.FLOAT)) {
                Parameters frozen = network.frozen(parameters);
                double[] base = logBase(network, parameters, x.flattenSamples()).toDoubles();
                double[] added = network.apply(frozen, x)
                        .minus(images.apply(images.frozen(parameters), x))
                        .toDoubles();
                for (int i = 0; i < base.length; i++) {
                    assertThat(added[i])
                            .isCloseTo(base[i], within(1e-3)); // 64 floats' squares; bfloat16 would be off by 1
                }
                assertThat(network.outputAndInputGradient(frozen, x).gradient().shape())
                        .containsExactly(50, 1, 8, 8);
            }
        }
    }

    @Test
    void refusesSamplesOfAnotherSize() {
        GaussianBase network = new GaussianBase(new Mlp(2, List.of(6), 1, Activation.TANH, 0), 3, true);
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(0), DType.FLOAT)) {
            assertThatThrownBy(() -> network.apply(parameters, Tensors.normal(Key.of(1), 4, 2)))
                    .hasMessageContaining("the base is one of 3 numbers a sample");
            assertThatThrownBy(() -> network.fit(parameters, Tensors.normal(Key.of(1), 1, 3), 0.1))
                    .hasMessageContaining("samples must be at least 2");
        }
    }

    private static void assertClose(Tensor found, Tensor right) {
        assertThat(found.shape()).isEqualTo(right.shape());
        assertThat(found.minus(right).norm().item())
                .isLessThan(1e-12 * (1 + right.norm().item()));
    }
}
