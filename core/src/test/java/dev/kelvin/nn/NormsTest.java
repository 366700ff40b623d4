package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.NormLayer;
import dev.kelvin.nn.conv.SpectralNorm;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What networks keep with their parameters and do not train: spectral norms' vectors and running statistics. */
final class NormsTest {
    private static final Igebm IGEBM = new Igebm(2, 8, List.of(6, 8), 1, 0.2, true);

    /** The largest singular value, by many power iterations from another start. */
    private static double largest(Tensor weights) {
        Tensor w = weights.reshape(weights.size(0), -1);
        Tensor v = Tensors.normal(Key.of(9), w.dtype(), Device.CPU, w.size(1));
        double norm = 0;
        for (int i = 0; i < 300; i++) {
            Tensor image = w.matmul(v.over(v.norm()));
            norm = image.norm().item();
            v = image.matmul(w);
        }
        return norm;
    }

    @Test
    void spectralNormConvergesToTheLargestSingularValue() {
        SpectralNorm norm = new SpectralNorm("block0.first.weight", false);
        try (Scope scope = Scope.open();
                Parameters parameters = IGEBM.layout().init(Key.of(1), DType.DOUBLE)) {
            double right = largest(parameters.get("block0.first.weight"));
            double before = largest(norm.of(parameters));
            assertThat(before).isGreaterThan(1.01); // a fresh vector finds too small a value
            for (int i = 0; i < 150; i++) {
                IGEBM.advance(parameters, Tensors.zeros(DType.DOUBLE, Device.CPU, 1, 2, 8, 8));
            }
            assertThat(largest(norm.of(parameters))).isCloseTo(1, within(1e-6));
            parameters.get("block0.first.weight").timesInPlace(3);
            assertThat(largest(norm.of(parameters))).isCloseTo(1, within(1e-6));
            assertThat(largest(parameters.get("block0.first.weight"))).isCloseTo(3 * right, within(1e-9));
        }
    }

    /** Weight decay and averages scale the vector; only its direction counts. */
    @Test
    void theVectorsLengthDoesNotMatter() {
        try (Scope scope = Scope.open();
                Parameters parameters = IGEBM.layout().init(Key.of(1), DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 2, 2, 8, 8);
            double[] before = IGEBM.apply(parameters, x).toDoubles();
            IGEBM.layout().entries().stream()
                    .filter(entry -> !entry.trained())
                    .forEach(entry -> parameters.get(entry.name()).timesInPlace(0.3));
            assertThat(IGEBM.apply(parameters, x).toDoubles()).containsExactly(before, within(1e-12));
        }
    }

    /** The original's last layer has no norm, so that f's scale is learnt. */
    @Test
    void theLastLayerIsNormedOnlyWhereThatIsAskedFor() {
        for (boolean normed : List.of(false, true)) {
            Igebm network = new Igebm(2, 8, List.of(6, 8), 1, 0.2, normed);
            try (Scope scope = Scope.open();
                    Parameters parameters = network.layout().init(Key.of(1), DType.DOUBLE)) {
                Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 2, 2, 8, 8);
                parameters.get("out.bias").timesInPlace(0);
                Tensor before = network.apply(parameters, x);
                parameters.get("out.weight").timesInPlace(3);
                double[] expected = before.times(normed ? 1 : 3).toDoubles();
                assertThat(network.apply(parameters, x).toDoubles()).containsExactly(expected, within(1e-12));
                assertThat(network.apply(network.frozen(parameters), x).toDoubles())
                        .containsExactly(expected, within(1e-12));
            }
        }
    }

    @Test
    void advanceMovesOnlyWhatIsNotTrained() {
        for (Network network : List.of(IGEBM, new WideResnet(2, 8, 10, 1, Norm.BATCH, 1, 0.2))) {
            try (Scope scope = Scope.open();
                    Parameters parameters = network.layout().init(Key.of(1), DType.FLOAT);
                    Parameters before = parameters.copy()) {
                network.advance(parameters, Tensors.normal(Key.of(2), 4, 2, 8, 8));
                for (Layout.Entry entry : network.layout().entries()) {
                    float[] now = parameters.get(entry.name()).toFloats();
                    float[] old = before.get(entry.name()).toFloats();
                    if (entry.trained()) {
                        assertThat(now).as(entry.name()).isEqualTo(old);
                    } else if (entry.count() > 1) { // of a single number only the length could move
                        assertThat(now).as(entry.name()).isNotEqualTo(old);
                    }
                }
            }
        }
    }

    /** A block's second convolution starts near zero, and its norm does not undo that. */
    @Test
    void igebmStartsAsAShallowNetwork() {
        try (Scope scope = Scope.open();
                Parameters parameters = IGEBM.layout().init(Key.of(1), DType.FLOAT)) {
            for (int i = 0; i < 5; i++) {
                IGEBM.advance(parameters, Tensors.zeros(DType.FLOAT, Device.CPU, 1, 2, 8, 8));
            }
            Tensor x = Tensors.normal(Key.of(2), 3, 2, 8, 8);
            Tensor fresh = IGEBM.apply(parameters, x);
            for (int block = 0; block < 4; block++) {
                parameters.get("block" + block + ".second.weight").timesInPlace(0);
                parameters.get("block" + block + ".second.bias").timesInPlace(0);
            }
            Tensor shallow = IGEBM.apply(parameters, x);
            assertThat(fresh.minus(shallow).norm().item())
                    .isPositive()
                    .isLessThan(1e-3 * shallow.norm().item());
        }
    }

    /** Running statistics after many equal batches are the batch's: evaluation then agrees with training. */
    @Test
    void batchNormEvaluatesWithRunningStatistics() {
        Network network = new WideResnet(2, 8, 10, 1, Norm.BATCH, 3, 0.2);
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(1), DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 16, 2, 8, 8)
                    .times(3)
                    .plus(1);
            Tensor training = network.pullback(parameters, x).output().detach();
            assertThat(distance(network.apply(parameters, x), training)).isGreaterThan(0.1);
            for (int i = 0; i < 60; i++) {
                network.advance(parameters, x);
            }
            // the running variance is the unbiased one: at 2×2 pixels of 16 images it is 1/63 larger
            assertThat(distance(network.apply(parameters, x), training)).isLessThan(0.05);
        }
    }

    private static double distance(Tensor one, Tensor other) {
        return one.minus(other).norm().item() / other.norm().item();
    }

    @Test
    void groupNormForgetsTheScaleOfAnImage() {
        NormLayer norm =
                new NormLayer("norm", 48, Norm.GROUP); // 16 groups: the largest divisor that it has in common with 32
        Layout.Builder builder = new Layout.Builder();
        norm.addTo(builder);
        try (Scope scope = Scope.open();
                Parameters parameters = builder.build().init(Key.of(1), DType.DOUBLE)) {
            Tensor x = Tensors.normal(Key.of(2), DType.DOUBLE, Device.CPU, 2, 48, 4, 4)
                    .times(100);
            Tensor y = norm.apply(parameters, x, NormLayer.Statistics.RUNNING);
            Tensor group = y.narrow(0, 0, 1).narrow(1, 3, 3);
            assertThat(group.mean().item()).isCloseTo(0, within(1e-12));
            assertThat(group.square().mean().item()).isCloseTo(1, within(1e-8));
            assertThat(y.narrow(1, 3, 1).narrow(0, 0, 1).mean().item()).isNotCloseTo(0, within(1e-6));
        }
    }

    /** Whatever a network is computed in, batch norm is trained with the batch's statistics. */
    @Test
    void wrappersTrainAsTheInnerNetwork() {
        Network network = new WideResnet(2, 8, 10, 1, Norm.BATCH, 1, 0.2);
        try (Scope scope = Scope.open();
                Parameters parameters = network.layout().init(Key.of(1), DType.FLOAT)) {
            Tensor x = Tensors.normal(Key.of(2), 4, 2, 8, 8).times(3).plus(1);
            Tensor expected = network.pullback(parameters, x).output();
            double apart = network.apply(parameters, x).minus(expected).norm().item();
            assertThat(error(new Bfloat16(network), parameters, x, expected)).isLessThan(0.1 * apart);
        }
    }

    private static double error(Network network, Parameters parameters, Tensor x, Tensor expected) {
        return network.pullback(parameters, x).output().minus(expected).norm().item();
    }
}
