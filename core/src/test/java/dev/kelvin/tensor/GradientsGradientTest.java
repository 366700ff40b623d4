package dev.kelvin.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class GradientsGradientTest {
    private static final double STEP = 1e-5; // the error of a central difference is then of the order 1e-10
    private static final double TOLERANCE = 1e-6;

    private Scope scope;

    @BeforeEach
    void open() {
        scope = Scope.open();
    }

    @AfterEach
    void close() {
        scope.close();
    }

    /** Functions of x in [0.1, 3] of shape [3, 4], whose numbers are summed. */
    static Stream<UnaryOperator<Tensor>> functions() {
        Tensor w = Scope.detach(Tensors.normal(Key.of(9), DType.DOUBLE, Device.CPU, 5, 4));
        Tensor b = Scope.detach(Tensors.normal(Key.of(8), DType.DOUBLE, Device.CPU, 5));
        return Stream.of(
                x -> x.times(x).plus(x.over(2)),
                x -> x.exp().minus(x.log()),
                x -> x.sqrt().times(x.pow(2.5)),
                x -> x.sin().over(x.cos().plus(3)),
                x -> x.tanh().plus(x.sigmoid()),
                x -> x.silu().times(x.softplus()),
                x -> x.minus(1.05).leakyRelu(0.1).square(),
                x -> x.affine(w.transpose(), b).tanh(),
                x -> x.matmul(w.transpose()).square(),
                x -> x.logSumExp(1).plus(x.logSoftmax(1).sum(1L)),
                x -> x.softmax(1).square(),
                x -> x.distances(w),
                x -> x.norm(),
                x -> Tensors.concat(0, x.square(), x.sin()).narrow(0, 2, 3),
                x -> Tensors.stack(0, List.of(x, x.square())).select(0, 1).rows(0, 2, 2),
                x -> x.sumPerSample().square().unsqueeze(1).expand(3, 2),
                x -> x.reshape(4, 3).transpose().mean(0L).square());
    }

    @ParameterizedTest
    @MethodSource("functions")
    void firstOrderAgreesWithCentralDifferences(UnaryOperator<Tensor> function) {
        Tensor x = Tensors.uniform(Key.of(1), 0.1, 3, DType.DOUBLE, Device.CPU, 3, 4);
        Tensor leaf = x.asLeaf();
        double[] gradient = Gradients.of(function.apply(leaf), leaf).toDoubles();
        for (int i = 0; i < gradient.length; i++) {
            double expected = (at(function, x, i, STEP) - at(function, x, i, -STEP)) / (2 * STEP);
            assertThat(gradient[i]).isCloseTo(expected, within(TOLERANCE * Math.max(1, Math.abs(expected))));
        }
    }

    private static double at(UnaryOperator<Tensor> function, Tensor x, int number, double step) {
        Tensor moved = x.copy();
        moved.reshape(-1).narrow(0, number, 1).addNumberInPlace(step);
        return function.apply(moved).sum().item();
    }

    @Test
    void secondOrderAgreesWithTheClosedForm() {
        // f = Σ x³ sin x: f'' = 6x sin x + 6x² cos x − x³ sin x
        Tensor leaf = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 20).asLeaf();
        Tensor first = Gradients.withGraph(leaf.pow(3).times(leaf.sin()), leaf);
        assertThat(first.requiresGrad()).isTrue();
        double[] second = Gradients.of(first, leaf).toDoubles();
        double[] x = leaf.toDoubles();
        for (int i = 0; i < x.length; i++) {
            double expected =
                    6 * x[i] * Math.sin(x[i]) + 6 * x[i] * x[i] * Math.cos(x[i]) - Math.pow(x[i], 3) * Math.sin(x[i]);
            assertThat(second[i]).isCloseTo(expected, within(1e-12));
        }
    }

    @Test
    void gradientOfAGradientsNormIsTheHessianTimesTheGradient() {
        // f = xᵀAx/2 with symmetric A: ∇(|∇f|²/2) = A A x
        Tensor half = Tensors.normal(Key.of(3), DType.DOUBLE, Device.CPU, 4, 4);
        Tensor a = half.plus(half.transpose());
        Tensor leaf = Tensors.normal(Key.of(4), DType.DOUBLE, Device.CPU, 1, 4).asLeaf();
        Tensor gradient = Gradients.withGraph(leaf.matmul(a).times(leaf).times(0.5), leaf);
        double[] found = Gradients.of(gradient.square().times(0.5), leaf).toDoubles();
        double[] expected = leaf.detach().matmul(a).matmul(a).toDoubles();
        for (int i = 0; i < 4; i++) {
            assertThat(found[i]).isCloseTo(expected[i], within(1e-12));
        }
    }

    @Test
    void aGradientFlowsThroughLangevinSteps() {
        // x ← x − h x on f = −x²/2: after two steps dx/dx₀ = (1 − h)²
        Tensor start = Tensors.of(new double[] {1.5}).asLeaf();
        Tensor x = start;
        for (int step = 0; step < 2; step++) {
            x = x.plus(Gradients.withGraph(x.square().times(-0.5), x).times(0.1));
        }
        assertThat(Gradients.of(x, start).item()).isCloseTo(0.81, within(1e-15));
    }

    @Test
    void weightsAreCotangents() {
        Tensor leaf = Tensors.of(new double[] {1, 2, 3}).asLeaf();
        Tensor other = Tensors.of(new double[] {5, 5, 5}).asLeaf();
        Tensor weights = Tensors.of(new double[] {1, 0, -2});
        List<Tensor> found = Gradients.of(leaf.square(), weights, List.of(leaf, other));
        assertThat(found.get(0).toDoubles()).containsExactly(2, 0, -12);
        assertThat(found.get(1).toDoubles()).containsExactly(0, 0, 0); // what the output does not depend on
    }

    @Test
    void firstOrderGradientsCarryNoGraph() {
        Tensor leaf = Tensors.of(new double[] {1, 2, 3}).asLeaf();
        assertThat(Gradients.of(leaf.pow(3), leaf).requiresGrad()).isFalse();
    }

    @Test
    void theGraphIsUsedUp() {
        Tensor leaf = Tensors.of(new double[] {1, 2, 3}).asLeaf();
        Tensor output = leaf.exp().square();
        Gradients.of(output, leaf);
        assertThatThrownBy(() -> Gradients.of(output, leaf))
                .isInstanceOf(TensorException.class)
                .hasMessageContaining("second time");
    }

    @Test
    void anOutputWithoutAGraphIsSaidInOneLine() {
        Tensor x = Tensors.of(new double[] {1});
        assertThatThrownBy(() -> Gradients.of(x.square(), x))
                .isInstanceOf(TensorException.class)
                .hasMessageContaining("does not require grad");
    }

    @Test
    void leavesShareMemoryWithWhatTheyCameFrom() {
        Tensor x = Tensors.of(new double[] {1, 2});
        Tensor leaf = x.asLeaf();
        assertThat(x.requiresGrad()).isFalse();
        x.timesInPlace(2);
        assertThat(leaf.toDoubles()).containsExactly(2, 4);
        assertThat(leaf.times(2).detach().requiresGrad()).isFalse();
    }
}
