package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Gradients;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The closed forms of the fully connected networks' gradients against automatic differentiation of its output. */
final class MlpGradientTest {
    private static final int DRAWS = 10; // networks and inputs of each case

    static Stream<Arguments> cases() {
        List<Network> shapes = new ArrayList<>();
        Stream.of(Activation.values())
                .forEach(activation -> shapes.addAll(List.of(
                        new Mlp(2, List.of(32, 64, 64, 64), 1, activation, 0.05),
                        new Mlp(1, List.of(4), 1, activation, 0.05),
                        new Mlp(3, List.of(1), 2, activation, 0.05),
                        new Mlp(10, List.of(17, 5), 4, activation, 0.05),
                        new ResidualMlp(2, 16, 2, 1, activation, 0.05),
                        new ResidualMlp(3, 9, 3, 5, activation, 0.05))));
        return shapes.stream()
                .flatMap(mlp -> Stream.of(1, 2, 100)
                        .flatMap(batch ->
                                Stream.of(DType.FLOAT, DType.DOUBLE).map(type -> Arguments.of(mlp, batch, type))));
    }

    /** Differences relative to what is right, in the Euclidean norm. */
    private static final class Errors {
        private double differences;
        private double sizes;
        private double worst;

        void add(Tensor found, Tensor right) {
            assertThat(found.shape()).isEqualTo(right.shape());
            Tensor exact = right.to(DType.DOUBLE);
            double size = Math.pow(exact.norm().item(), 2);
            double difference =
                    Math.pow(found.to(DType.DOUBLE).minus(exact).norm().item(), 2);
            sizes += size;
            differences += difference;
            worst = Math.max(worst, difference == 0 ? 0 : Math.sqrt(difference / size));
        }

        /** Of all cases together. */
        double pooled() {
            return differences == 0 ? 0 : Math.sqrt(differences / sizes);
        }
    }

    /**
     * In double, and for leaky ReLUs, every draw agrees to the bar. In float with a smooth activation the two ways round
     * differently, and where a gradient's terms cancel a single draw may differ by some 3e-6, each way being as far from
     * the exact gradient; the draws together agree to the bar.
     */
    @ParameterizedTest
    @MethodSource("cases")
    void closedFormsAgreeWithAutograd(Network network, int batch, DType type) {
        boolean plain = network instanceof Mlp;
        Activation activation = plain ? ((Mlp) network).activation() : ((ResidualMlp) network).activation();
        int inputCount = plain ? ((Mlp) network).inputs() : ((ResidualMlp) network).inputs();
        int outputCount = plain ? ((Mlp) network).outputs() : ((ResidualMlp) network).outputs();
        double tolerance = type == DType.FLOAT ? 1e-6 : 1e-12; // the project's bar
        boolean every = type == DType.DOUBLE
                || Set.of(Activation.LEAKY_RELU, Activation.RELU).contains(activation);
        Errors outputs = new Errors();
        Errors inputGradients = new Errors();
        Errors parameterGradients = new Errors();
        for (int draw = 0; draw < DRAWS; draw++) {
            Key key = Key.of(1).child(draw);
            try (Scope scope = Scope.open();
                    Parameters parameters = network.layout().init(key.child(0), type)) {
                // a residual network's blocks start at zero, where half of the gradients vanish: move away
                parameters.flat().addInPlace(Tensors.normalLike(key.child(3), plain ? 0 : 0.2, parameters.flat()));
                Tensor x = Tensors.normal(key.child(1), type, Device.CPU, batch, inputCount);
                Tensor weights = Tensors.normal(key.child(2), type, Device.CPU, batch, outputCount);

                Tensor leaf = x.asLeaf();
                Tensor right = network.apply(parameters, leaf);
                OutputAndGradient found = network.outputAndInputGradient(parameters, x);
                outputs.add(found.output(), right.detach());
                inputGradients.add(found.gradient(), Gradients.of(right, leaf));
                assertThat(found.gradient().requiresGrad()).isFalse();

                Tensor other = x.asLeaf();
                inputGradients.add(
                        network.inputPullback(parameters, x).gradient().apply(weights),
                        Gradients.of(network.apply(parameters, other), weights, List.of(other))
                                .get(0));

                Parameters live = parameters.live();
                Pullback pullback = network.pullback(parameters, x);
                outputs.add(pullback.output(), right.detach());
                parameterGradients.add(
                        pullback.gradient().apply(weights), live.gradient(network.apply(live, x), weights));
            }
        }
        for (Errors errors : List.of(outputs, inputGradients, parameterGradients)) {
            assertThat(every ? errors.worst : errors.pooled()).isLessThan(tolerance);
        }
    }

    /** The closed form is no further from the gradient in double than autograd is, up to chance. */
    @ParameterizedTest
    @EnumSource
    void inFloatTheClosedFormIsAsExactAsAutograd(Activation activation) {
        Mlp mlp = new Mlp(2, List.of(32, 64, 64, 64), 1, activation, 0.05);
        Errors closedForm = new Errors();
        Errors autograd = new Errors();
        for (int draw = 0; draw < DRAWS; draw++) {
            Key key = Key.of(2).child(draw);
            try (Scope scope = Scope.open();
                    Parameters parameters = mlp.layout().init(key.child(0), DType.FLOAT);
                    Parameters exact =
                            new Parameters(mlp.layout(), parameters.flat().to(DType.DOUBLE))) {
                Tensor x = Tensors.normal(key.child(1), 10, 2);
                Tensor right =
                        mlp.outputAndInputGradient(exact, x.to(DType.DOUBLE)).gradient();
                closedForm.add(mlp.outputAndInputGradient(parameters, x).gradient(), right);
                Tensor leaf = x.asLeaf();
                autograd.add(Gradients.of(mlp.apply(parameters, leaf), leaf), right);
            }
        }
        assertThat(closedForm.pooled()).isLessThan(1.5 * autograd.pooled() + 1e-12);
    }

    /** A wrong derivative in the closed form, slope 0.06 for 0.05, would be seen at either tolerance. */
    @Test
    void aSlightlyWrongSlopeWouldBeSeen() {
        Mlp mlp = new Mlp(2, List.of(32, 64), 1, Activation.LEAKY_RELU, 0.05);
        Mlp wrong = new Mlp(2, List.of(32, 64), 1, Activation.LEAKY_RELU, 0.06);
        try (Scope scope = Scope.open();
                Parameters parameters = mlp.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor x = Tensors.normal(Key.of(2), 10, 2);
            Tensor leaf = x.asLeaf();
            Tensor right = Gradients.of(mlp.apply(parameters, leaf), leaf);
            Errors errors = new Errors();
            errors.add(wrong.outputAndInputGradient(parameters, x).gradient(), right);
            assertThat(errors.pooled()).isGreaterThan(1e-4);
        }
    }

    /** f = w₂·tanh(w₁x + b₁) + b₂ by hand. */
    @Test
    void aNetworkOfOneNeuronByHand() {
        Mlp mlp = new Mlp(1, List.of(1), 1, Activation.TANH, 0.05);
        try (Scope scope = Scope.open();
                Parameters parameters = new Parameters(mlp.layout(), Tensors.of(new double[] {2, 0.5, -3, 1}))) {
            Tensor x = Tensors.of(new double[] {0.25}, 1, 1);
            double h = Math.tanh(1);
            OutputAndGradient found = mlp.outputAndInputGradient(parameters, x);
            assertThat(found.output().item()).isEqualTo(-3 * h + 1);
            assertThat(found.gradient().item()).isCloseTo(-6 * (1 - h * h), within(1e-15));
            double[] gradient = mlp.pullback(parameters, x)
                    .gradient()
                    .apply(Tensors.of(new double[] {1}, 1, 1))
                    .toDoubles();
            double[] right = {-3 * (1 - h * h) * 0.25, -3 * (1 - h * h), h, 1}; // w₁, b₁, w₂, b₂
            assertThat(gradient).containsExactly(right, within(1e-15));
        }
    }

    /** Central differences in double, which know nothing of autograd. */
    @ParameterizedTest
    @EnumSource
    void residualNetworkAgreesWithCentralDifferences(Activation activation) {
        ResidualMlp network = new ResidualMlp(3, 6, 2, 2, activation, 0.05);
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(1), DType.DOUBLE)) {
            // blocks start at zero, where half of the gradients vanish: move away
            parameters.flat().addInPlace(Tensors.normalLike(Key.of(4), 0.3, parameters.flat()));
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 4, 3);
            Tensor weights = Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, 4, 2);
            double[] parameterGradient =
                    network.pullback(parameters, x).gradient().apply(weights).toDoubles();
            double[] inputGradient =
                    network.outputAndInputGradient(parameters, x).gradient().toDoubles();
            assertDifferences(
                    parameterGradient,
                    parameters.flat(),
                    () -> network.apply(parameters, x).times(weights).sum().item());
            assertDifferences(
                    inputGradient, x, () -> network.apply(parameters, x).sum().item());
        }
    }

    private static void assertDifferences(double[] gradient, Tensor at, DoubleSupplier function) {
        double step = 1e-6; // a kink of a leaky ReLU lies within it with probability of about 1e-5 a number
        for (int i = 0; i < gradient.length; i++) {
            try (Scope scope = Scope.open()) {
                Tensor number = at.reshape(-1).narrow(0, i, 1);
                number.addNumberInPlace(step);
                double above = function.getAsDouble();
                number.addNumberInPlace(-2 * step);
                double below = function.getAsDouble();
                number.addNumberInPlace(step);
                double expected = (above - below) / (2 * step);
                assertThat(gradient[i]).isCloseTo(expected, within(1e-6 * Math.max(1, Math.abs(expected))));
            }
        }
    }

    @Test
    void aResidualNetworkStartsAsAShallowOne() {
        ResidualMlp deep = new ResidualMlp(3, 6, 4, 1, Activation.SILU, 0.05);
        try (Scope scope = Scope.open();
                Parameters parameters = deep.layout().init(Key.of(1), DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 4, 3);
            Tensor h = x.affine(parameters.transposed("in.weight"), parameters.get("in.bias"));
            Tensor shallow = h.silu().affine(parameters.transposed("out.weight"), parameters.get("out.bias"));
            assertThat(deep.apply(parameters, x).toDoubles()).isEqualTo(shallow.toDoubles());
        }
    }
}
