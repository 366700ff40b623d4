package dev.kelvin.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.SettingException;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Igebm;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.ResidualMlp;
import dev.kelvin.nn.Resnet;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TimeEnergyTest {
    private static final int T = 5;
    private static final double STD = 0.7;

    static Stream<TimeEnergy> models() {
        Network mlp = new Mlp(2, List.of(8), T - 1, Activation.TANH, 0.05);
        Network deep = new ResidualMlp(2, 8, 2, T - 1, Activation.SILU, 0.05);
        return Stream.of(
                new TimeEnergy(mlp, T, List.of(), STD, true),
                new TimeEnergy(mlp, T, List.of(0.5, -1.0), STD, false),
                new TimeEnergy(deep, T, List.of(0.5, -1.0), STD, true));
    }

    private static Parameters parameters(TimeEnergy model) {
        return model.layout().init(Key.of(1), DType.DOUBLE);
    }

    private static Tensor points(int n) {
        return Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, n, 2);
    }

    /** By hand: the reference's density, and the network's outputs added up. */
    @ParameterizedTest
    @MethodSource("models")
    void isTheReferencePlusTheOutputs(TimeEnergy model) {
        try (Scope scope = Scope.open();
                Parameters parameters = parameters(model)) {
            Tensor z = points(3);
            Tensor centred = model.mean().isEmpty() ? z : z.minus(Tensors.of(new double[] {0.5, -1}));
            double[] outputs =
                    model.network().apply(parameters, centred.over(STD)).toDoubles();
            double[] joint = model.joint(parameters, z).toDoubles();
            double[] point = z.toDoubles();
            for (int i = 0; i < 3; i++) {
                double square = 0;
                for (int d = 0; d < 2; d++) {
                    double centre = model.mean().isEmpty() ? 0 : model.mean().get(d);
                    square += Math.pow(point[2 * i + d] - centre, 2);
                }
                double f = -square / (2 * STD * STD) - Math.log(2 * Math.PI * STD * STD) - Math.log(T);
                assertThat(joint[i * T]).isCloseTo(f, within(1e-12));
                double sum = 0;
                for (int t = 1; t < T; t++) {
                    double output = outputs[i * (T - 1) + t - 1];
                    sum = model.cumulative() ? sum + output / Math.sqrt(T) : output;
                    assertThat(joint[i * T + t]).isCloseTo(f + sum, within(1e-12));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void gradientsAgreeWithAutograd(TimeEnergy model) {
        try (Scope scope = Scope.open();
                Parameters parameters = parameters(model)) {
            Tensor z = points(4);
            for (LogDensity density : List.of(
                    model.marginal(parameters),
                    model.bind(parameters),
                    model.at(parameters, 0),
                    model.mixture(parameters, 0, 0, 0.5, 0.3, 0.2),
                    model.each(parameters, new int[] {0, 4, 2, 2}))) {
                assertAgreesWithAutograd(density, z);
            }
        }
    }

    private static void assertAgreesWithAutograd(LogDensity density, Tensor z) {
        Tensor leaf = z.asLeaf();
        Tensor value = density.at(leaf);
        double[] right = Gradients.of(value, leaf).toDoubles();
        ValueAndGradient found = density.valueAndGradient(z);
        assertThat(found.value().toDoubles()).containsExactly(value.detach().toDoubles(), within(1e-12));
        assertThat(found.gradient().toDoubles()).containsExactly(right, within(1e-12));
    }

    @ParameterizedTest
    @MethodSource("models")
    void theWayBackToTheParametersIsTheGradient(TimeEnergy model) {
        try (Scope scope = Scope.open();
                Parameters parameters = parameters(model)) {
            Tensor z = points(4);
            Tensor weights = Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, 4, T);
            double[] found =
                    model.jointPullback(parameters, z).gradient().apply(weights).toDoubles();
            double[] last = model.pullback(parameters, z)
                    .gradient()
                    .apply(weights.select(1, 0))
                    .toDoubles();
            double h = 1e-6;
            for (int i = 0; i < found.length; i += 7) {
                double[] up = moved(model, parameters, z, weights, i, h);
                double[] down = moved(model, parameters, z, weights, i, -h);
                assertThat(found[i]).isCloseTo((up[0] - down[0]) / (2 * h), within(1e-6));
                assertThat(last[i]).isCloseTo((up[1] - down[1]) / (2 * h), within(1e-6));
            }
        }
    }

    private static double[] moved(TimeEnergy model, Parameters parameters, Tensor z, Tensor weights, int i, double by) {
        try (Scope scope = Scope.open()) {
            Tensor number = parameters.flat().narrow(0, i, 1);
            number.addNumberInPlace(by);
            double all = model.joint(parameters, z).times(weights).sum().item();
            double last = model.bind(parameters)
                    .at(z)
                    .times(weights.select(1, 0))
                    .sum()
                    .item();
            number.addNumberInPlace(-by);
            return new double[] {all, last};
        }
    }

    /** Of images, with a network that has something to advance and to freeze: its norms must stay the same ones. */
    @Test
    void takesImages() {
        TimeEnergy plain = images(new Resnet(1, 4, List.of(2, 3), 1, T - 1, Activation.SILU, 0.2));
        TimeEnergy normed = images(new Igebm(1, 4, List.of(2, 3), T - 1, 0.2));
        for (TimeEnergy model : List.of(plain, normed)) {
            try (Scope scope = Scope.open();
                    Parameters parameters = parameters(model)) {
                Tensor z = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 3, 1, 4, 4);
                model.advance(parameters, z);
                assertThat(model.joint(parameters, z).shape()).containsExactly(3, T);
                for (LogDensity density : List.of(model.marginal(parameters), model.bind(parameters))) {
                    assertAgreesWithAutograd(density, z);
                }
                assertThat(model.bind(parameters).at(z).toDoubles())
                        .containsExactly(
                                model.joint(parameters, z)
                                        .select(1, T - 1)
                                        .plus(Math.log(T))
                                        .toDoubles(),
                                within(1e-12));
            }
        }
    }

    private static TimeEnergy images(Network network) {
        return new TimeEnergy(network, T, List.of(), STD, true);
    }

    @Test
    void passesOnWhatTheNetworkAdvances() {
        TimeEnergy model = images(new Igebm(1, 4, List.of(2), T - 1, 0.2));
        try (Scope scope = Scope.open();
                Parameters parameters = parameters(model)) {
            double[] before = parameters.flat().toDoubles();
            model.advance(parameters, Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 3, 1, 4, 4));
            assertThat(parameters.flat().toDoubles()).isNotEqualTo(before);
        }
    }

    /** The first time is the reference, and normalised; the marginal is the mean of the conditionals. */
    @Test
    void densitiesFitTogether() {
        TimeEnergy model = models().findFirst().orElseThrow();
        try (Scope scope = Scope.open();
                Parameters parameters = parameters(model)) {
            Tensor z = points(3);
            Gaussian reference = Gaussian.isotropic(new double[2], STD);
            double[] exact = reference.at(z).minus(reference.logNormaliser()).toDoubles();
            assertThat(model.at(parameters, 0).at(z).toDoubles()).containsExactly(exact, within(1e-12));
            double[] sum = new double[3];
            for (int t = 0; t < T; t++) {
                double[] log = model.at(parameters, t).at(z).toDoubles();
                for (int i = 0; i < 3; i++) {
                    sum[i] += Math.exp(log[i]) / T;
                }
            }
            double[] marginal = model.marginal(parameters).at(z).exp().toDoubles();
            assertThat(marginal).containsExactly(sum, within(1e-12));
            double[] mixture = model.mixture(parameters, 0.2, 0.2, 0.2, 0.2, 0.2)
                    .at(z)
                    .exp()
                    .toDoubles();
            assertThat(mixture).containsExactly(sum, within(1e-12));
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        Network network = new Mlp(2, List.of(4), 3, Activation.TANH, 0.05);
        assertThatThrownBy(() -> new TimeEnergy(network, 1, List.of(), 1, true))
                .isInstanceOf(SettingException.class)
                .hasMessage("times must be at least 2, found 1");
        assertThatThrownBy(() -> new TimeEnergy(network, 4, List.of(), 0, true))
                .isInstanceOf(SettingException.class)
                .hasMessage("std must be above 0, found 0");
        TimeEnergy wide = new TimeEnergy(network, 4, List.of(1.0, 2.0, 3.0), 1, true);
        TimeEnergy many = new TimeEnergy(network, 9, List.of(), 1, true);
        try (Scope scope = Scope.open();
                Parameters parameters = wide.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor z = Tensors.normal(Key.of(1), 2, 2);
            assertThatThrownBy(() -> wide.joint(parameters, z))
                    .hasMessage("reference.mean must have 2 numbers, as the data has, found 3");
            assertThatThrownBy(() -> many.joint(parameters, z)).hasMessageContaining("expected 8 numbers a sample");
        }
    }
}
