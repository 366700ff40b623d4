package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.OutputAndGradient;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The densities that a table holds, against the table. */
class JointDensityTest {
    private static final int N = 5;
    private static final long[] K = {1, 0, 2, 2, 1};

    private final Scope scope = Scope.open();
    private final Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, N, 2);

    @AfterEach
    void close() {
        scope.close();
    }

    /** log Σ_k exp(scale·f_k + weight_k) of each row, in plain Java. */
    private static double[] sums(double[] table, int components, double scale, IntToDoubleFunction weight) {
        double[] sums = new double[table.length / components];
        for (int i = 0; i < sums.length; i++) {
            double sum = 0;
            for (int k = 0; k < components; k++) {
                sum += Math.exp(scale * table[i * components + k] + weight.applyAsDouble(k));
            }
            sums[i] = Math.log(sum);
        }
        return sums;
    }

    private void assertIs(LogDensity density, double[] expected) {
        assertThat(density.at(x).toDoubles()).containsExactly(expected, within(1e-12));
        assertThat(density.valueAndGradient(x).value().toDoubles()).containsExactly(expected, within(1e-12));
    }

    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.JointDensities#all")
    void densitiesFitTheTable(EnergyModel model) {
        int components = model.components();
        try (Parameters parameters = JointDensities.parameters(model)) {
            JointDensity table = model.bind(parameters);
            assertThat(table.components()).isEqualTo(components);
            assertThat(table.at(x).shape()).containsExactly(N, components);
            double[] f = table.at(x).toDoubles();
            assertIs(table.marginal(), sums(f, components, 1, k -> 0));
            assertIs(table.marginalOfPairs(1), sums(f, components, 1, k -> 0));
            assertIs(table.marginalOfPairs(0.4), sums(f, components, 0.4, k -> 0));
            double[] weights = new double[components];
            weights[0] = Double.NEGATIVE_INFINITY;
            weights[2] = 0.7;
            assertIs(table.mixture(weights), sums(f, components, 1, k -> weights[k]));
            double[] own = new double[N];
            for (int i = 0; i < N; i++) {
                own[i] = f[i * components + (int) K[i]];
            }
            assertIs(table.given(K), own);
            assertThat(table.given(K).at(x).toDoubles()).isEqualTo(own);
            assertIs(table.data(), sums(f, components, 1, k -> model.head().data()[k]));
            assertIs(
                    model.density(parameters),
                    sums(f, components, 1, k -> model.head().data()[k]));
        }
    }

    /** What the data's density is: of classes the marginal, of times the last one, normalised. */
    @Test
    void theDataAreAllClassesAndTheLastTime() {
        EnergyModel times = JointDensities.times(JointDensities.MEAN, true, true);
        try (Parameters classes = JointDensities.parameters(JointDensities.CLASSES);
                Parameters timed = JointDensities.parameters(times)) {
            JointDensity table = JointDensities.CLASSES.bind(classes);
            assertThat(table.data().at(x).toDoubles())
                    .isEqualTo(table.marginal().at(x).toDoubles());
            double[] last = times.bind(timed)
                    .at(x)
                    .select(1, JointDensities.TIMES - 1)
                    .plus(Math.log(JointDensities.TIMES))
                    .toDoubles();
            assertIs(times.density(timed), last);
        }
    }

    /** A table of one component is the network: to the bit, and by its closed form. */
    @Test
    void oneComponentIsTheNetworksOutput() {
        Mlp mlp = new Mlp(2, List.of(16, 16), 1, Activation.LEAKY_RELU, 0.05);
        EnergyModel model = EnergyModel.plain(mlp);
        assertThat(model.components()).isEqualTo(1);
        try (Parameters parameters = model.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor points = Tensors.normal(Key.of(2), 40, 2);
            float[] output = mlp.apply(parameters, points).toFloats();
            OutputAndGradient both = mlp.outputAndInputGradient(parameters, points);
            float[] gradient = mlp.inputGradient(parameters, points).toFloats();
            JointDensity table = model.bind(parameters);
            assertThat(table.at(points).shape()).containsExactly(40, 1);
            assertThat(table.at(points).toFloats()).isEqualTo(output);
            for (LogDensity density : List.of(
                    table.marginal(),
                    table.data(),
                    table.given(new long[40]),
                    table.mixture(0),
                    table.marginalOfPairs(1),
                    model.density(parameters))) {
                assertThat(density.at(points).shape()).containsExactly(40);
                assertThat(density.at(points).toFloats()).isEqualTo(output);
                ValueAndGradient found = density.valueAndGradient(points);
                assertThat(found.value().toFloats()).isEqualTo(both.output().toFloats());
                assertThat(found.gradient().toFloats())
                        .isEqualTo(both.gradient().toFloats());
                assertThat(density.gradient(points).toFloats()).isEqualTo(gradient);
            }
            float[] half = table.marginalOfPairs(0.5).at(points).toFloats();
            assertThat(half)
                    .isEqualTo(
                            mlp.apply(parameters, points).times(0.5).squeeze(1).toFloats());
            assertThat(model.pullback(parameters, points, new long[40]).output().toFloats())
                    .isEqualTo(mlp.pullback(parameters, points).output().toFloats());
        }
    }

    /** A weight shifts the only component. */
    @Test
    void oneComponentMayBeWeighed() {
        EnergyModel model = EnergyModel.plain(new Mlp(2, List.of(4), 1, Activation.SILU, 0));
        try (Parameters parameters = JointDensities.parameters(model)) {
            JointDensity table = model.bind(parameters);
            assertIs(table.mixture(2), table.marginal().at(x).plus(2).toDoubles());
        }
    }

    /** What is held a row goes with its row, through every combinator, in any order. */
    @ParameterizedTest
    @MethodSource("dev.kelvin.energy.JointDensities#all")
    void rowsTakeTheirComponentsScalesAndTemperatures(EnergyModel model) {
        Tensor scale = Tensors.of(new double[] {1, 2, 3, 4, 5}, N, 1);
        Tensor everywhere = Tensors.of(new double[] {2, 0.5}, 1, 2);
        Tensor temperature = Tensors.of(new double[] {5, 4, 3, 2, 1});
        long[] rows = {4, 1, 1, 0};
        Tensor some = x.rows(rows);
        Gaussian other = Gaussian.isotropic(new double[2], 1);
        try (Parameters parameters = JointDensities.parameters(model)) {
            JointDensity table = model.bind(parameters);
            LogDensity given = table.given(K);
            for (LogDensity held : List.of(
                    given,
                    given.scaled(0.5),
                    given.plus(other),
                    other.plus(given),
                    given.rescaled(scale),
                    given.rescaled(everywhere),
                    given.tempered(temperature),
                    given.rescaled(scale).tempered(temperature).scaled(3),
                    table.marginal().rescaled(scale))) {
                double[] whole = held.at(x).toDoubles();
                double[] part = held.rows(rows).at(some).toDoubles();
                double[] gradient = held.gradient(x).rows(rows).toDoubles();
                assertThat(held.rows(rows).gradient(some).toDoubles()).containsExactly(gradient, within(1e-12));
                for (int i = 0; i < rows.length; i++) {
                    assertThat(part[i]).isCloseTo(whole[(int) rows[i]], within(1e-12));
                }
            }
            LogDensity all = table.marginal();
            assertThat(all.rows(rows)).isSameAs(all);
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        Network three = JointDensities.CLASSES.network();
        EnergyModel four = new EnergyModel(three, new LogitHead(4));
        try (Parameters parameters = JointDensities.parameters(four)) {
            JointDensity table = four.bind(parameters);
            assertThatThrownBy(() -> table.at(x)).hasMessageContaining("expected [5, 4]");
            assertThatThrownBy(() -> table.marginal().valueAndGradient(x)).hasMessageContaining("expected [5, 4]");
            assertThatThrownBy(() -> four.pullback(parameters, x)).hasMessageContaining("expected [5, 4]");
            assertThatThrownBy(
                            () -> EnergyModel.plain(three).density(parameters).at(x))
                    .hasMessageContaining("the network Mlp returned")
                    .hasMessageContaining("expected [5, 1]");
            assertThatThrownBy(() -> table.mixture(0, 0, 0)).hasMessage("there are 4 components, and 3 weights");
        }
        assertThatThrownBy(() -> new LogitHead(0)).hasMessage("components must be at least 1, found 0");
        EnergyModel times = JointDensities.times(List.of(), true, true);
        try (Parameters parameters = JointDensities.parameters(times)) {
            assertThatThrownBy(() -> times.bind(parameters).given(0, 1).at(x))
                    .hasMessageContaining("2 components do not fit the samples");
        }
    }

    @Test
    void imagesHaveComponentsToo() {
        EnergyModel model = new EnergyModel(new ShortRun(1, 8, 8, 3, Activation.LEAKY_RELU, 0.2), new LogitHead(3));
        try (Parameters parameters = model.layout().init(Key.of(1), DType.DOUBLE)) {
            Tensor images = Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, 2, 1, 8, 8);
            double[] f = model.bind(parameters).at(images).toDoubles();
            ValueAndGradient both = model.density(parameters).valueAndGradient(images);
            assertThat(both.value().toDoubles()).containsExactly(sums(f, 3, 1, k -> 0), within(1e-12));
            assertThat(both.gradient().shape()).containsExactly(2, 1, 8, 8);
        }
    }

    @Test
    void aPlainHeadHasNoStepsOfItsOwn() {
        assertThat(new LogitHead(3).firstSteps()).containsExactly(1, 1, 1);
        assertThat(new LogitHead(3).data()).containsExactly(0, 0, 0);
    }
}
