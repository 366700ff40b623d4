package dev.kelvin.metric.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Safetensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a network of depth 8 and random weights, against loops over pixels in double. */
class ResnetFeaturesTest {
    private static final int WIDTH = 2;
    private static final int CLASSES = 5;
    private static final int SIZE = 32;
    private static final Key KEY = Key.of(7);

    @TempDir
    private Path folder;

    /** Random weights of one block a stage; variances and scales are positive. */
    private static Map<String, Tensor> weights() {
        Map<String, Tensor> weights = new LinkedHashMap<>();
        addNormed(weights, "conv1", 3, WIDTH);
        addNormed(weights, "layer1.0.conv1", WIDTH, WIDTH);
        addNormed(weights, "layer1.0.conv2", WIDTH, WIDTH);
        addNormed(weights, "layer2.0.conv1", WIDTH, 2 * WIDTH);
        addNormed(weights, "layer2.0.conv2", 2 * WIDTH, 2 * WIDTH);
        addNormed(weights, "layer3.0.conv1", 2 * WIDTH, 4 * WIDTH);
        addNormed(weights, "layer3.0.conv2", 4 * WIDTH, 4 * WIDTH);
        weights.put("linear.weight", uniform(weights, -1, 1, CLASSES, 4 * WIDTH));
        weights.put("linear.bias", uniform(weights, -1, 1, CLASSES));
        return weights;
    }

    private static void addNormed(Map<String, Tensor> weights, String name, int from, int to) {
        String norm = name.replace("conv", "bn");
        weights.put(name + ".weight", uniform(weights, -0.5, 0.5, to, from, 3, 3));
        weights.put(norm + ".weight", uniform(weights, 0.5, 1.5, to));
        weights.put(norm + ".bias", uniform(weights, -0.5, 0.5, to));
        weights.put(norm + ".running_mean", uniform(weights, -0.5, 0.5, to));
        weights.put(norm + ".running_var", uniform(weights, 0.5, 1.5, to));
    }

    /** Each tensor by a key of its own, which is the number of those before it. */
    private static Tensor uniform(Map<String, Tensor> before, double low, double high, long... shape) {
        return Tensors.uniform(KEY.child(before.size()), low, high, DType.FLOAT, Device.CPU, shape);
    }

    private Path file(Consumer<Map<String, Tensor>> change) throws IOException {
        Map<String, Tensor> weights = weights();
        change.accept(weights);
        Path file = folder.resolve("resnet8.safetensors");
        Safetensors.write(file, weights, Map.of());
        return file;
    }

    // ---- the same network as loops: [channel][row][column]

    private static double[][][] convolved(Map<String, Tensor> weights, String name, double[][][] x, int stride) {
        String norm = name.replace("conv", "bn");
        double[] w = weights.get(name + ".weight").toDoubles();
        double[] scale = weights.get(norm + ".weight").toDoubles();
        double[] shift = weights.get(norm + ".bias").toDoubles();
        double[] mean = weights.get(norm + ".running_mean").toDoubles();
        double[] variance = weights.get(norm + ".running_var").toDoubles();
        int size = x[0].length / stride;
        double[][][] y = new double[scale.length][size][size];
        for (int o = 0; o < y.length; o++) {
            for (int row = 0; row < size; row++) {
                for (int column = 0; column < size; column++) {
                    double sum = 0;
                    for (int i = 0; i < x.length; i++) {
                        for (int a = 0; a < 3; a++) {
                            for (int b = 0; b < 3; b++) {
                                int r = row * stride + a - 1;
                                int c = column * stride + b - 1;
                                boolean inside = r >= 0 && c >= 0 && r < x[0].length && c < x[0].length;
                                sum += inside ? w[((o * x.length + i) * 3 + a) * 3 + b] * x[i][r][c] : 0;
                            }
                        }
                    }
                    y[o][row][column] = (sum - mean[o]) / Math.sqrt(variance[o] + 1e-5) * scale[o] + shift[o];
                }
            }
        }
        return y;
    }

    private static double[][][] sumRelu(double[][][] branch, double[][][] x) {
        double[][][] sum = new double[branch.length][branch[0].length][branch[0].length];
        int stride = x[0].length / branch[0].length;
        int before = (branch.length - x.length) / 2;
        for (int o = 0; o < sum.length; o++) {
            boolean old = o >= before && o < before + x.length;
            for (int r = 0; r < sum[o].length; r++) {
                for (int c = 0; c < sum[o].length; c++) {
                    double through = old ? x[o - before][r * stride][c * stride] : 0;
                    sum[o][r][c] = Math.max(0, branch[o][r][c] + through);
                }
            }
        }
        return sum;
    }

    private static double[][][] relu(double[][][] x) {
        return sumRelu(x, new double[x.length][x[0].length][x[0].length]);
    }

    private static double[] features(Map<String, Tensor> weights, double[][][] image) {
        double[] mean = {0.485, 0.456, 0.406};
        double[] deviation = {0.229, 0.224, 0.225};
        double[][][] x = new double[3][SIZE][SIZE];
        for (int i = 0; i < 3; i++) {
            for (int r = 0; r < SIZE; r++) {
                for (int c = 0; c < SIZE; c++) {
                    x[i][r][c] = (image[i][r][c] - mean[i]) / deviation[i];
                }
            }
        }
        double[][][] h = relu(convolved(weights, "conv1", x, 1));
        for (int stage = 1; stage <= 3; stage++) {
            String block = "layer" + stage + ".0";
            double[][][] inner = relu(convolved(weights, block + ".conv1", h, stage > 1 ? 2 : 1));
            h = sumRelu(convolved(weights, block + ".conv2", inner, 1), h);
        }
        double[] features = new double[h.length];
        for (int o = 0; o < h.length; o++) {
            for (double[] row : h[o]) {
                for (double value : row) {
                    features[o] += value / (row.length * row.length);
                }
            }
        }
        return features;
    }

    @Test
    void isTheNetworkOfLoopsOverPixels() throws IOException {
        try (Scope scope = Scope.open();
                ResnetFeatures network = ResnetFeatures.load(file(weights -> {}), Device.CPU)) {
            assertThat(network.name())
                    .matches("5-class ResNet-8 with 8 features, resnet8\\.safetensors sha256:[0-9a-f]{16}");
            Tensor images = Tensors.uniform(KEY.child(1000), 0, 1, DType.FLOAT, Device.CPU, 2, 3, SIZE, SIZE);
            double[] pixels = images.toDoubles();
            Features.Outputs found = network.outputs(images);
            Map<String, Tensor> weights = weights();
            double[] linear = weights.get("linear.weight").toDoubles();
            double[] bias = weights.get("linear.bias").toDoubles();
            for (int n = 0; n < 2; n++) {
                double[][][] image = new double[3][SIZE][SIZE];
                for (int i = 0; i < 3 * SIZE * SIZE; i++) {
                    image[i / SIZE / SIZE][i / SIZE % SIZE][i % SIZE] = pixels[n * 3 * SIZE * SIZE + i];
                }
                double[] right = features(weights, image);
                double[] logits = bias.clone();
                for (int k = 0; k < logits.length; k++) {
                    for (int j = 0; j < right.length; j++) {
                        logits[k] += linear[k * right.length + j] * right[j];
                    }
                }
                assertThat(found.features().narrow(0, n, 1).toDoubles()).containsExactly(right, within(1e-4));
                assertThat(found.logits().orElseThrow().narrow(0, n, 1).toDoubles())
                        .containsExactly(logits, within(1e-4));
            }
            assertThat(network.features(images).toDoubles())
                    .isEqualTo(found.features().toDoubles());
        }
    }

    @Test
    void namesOfDataParallelAndCountersOfBatchesAreRead() throws IOException {
        try (Scope scope = Scope.open()) {
            Tensor images = Tensors.uniform(KEY, 0, 1, DType.FLOAT, Device.CPU, 1, 3, SIZE, SIZE);
            double[] plain;
            try (ResnetFeatures network = ResnetFeatures.load(file(weights -> {}), Device.CPU)) {
                plain = network.features(images).toDoubles();
            }
            Path file = file(weights -> {
                Map<String, Tensor> renamed = new LinkedHashMap<>();
                weights.forEach((name, tensor) -> renamed.put("module." + name, tensor));
                weights.clear();
                weights.putAll(renamed);
                weights.put("module.bn1.num_batches_tracked", Tensors.of(new float[] {3}, 1));
            });
            try (ResnetFeatures network = ResnetFeatures.load(file, Device.CPU)) {
                assertThat(network.features(images).toDoubles()).isEqualTo(plain);
            }
        }
    }

    private void assertRefused(Consumer<Map<String, Tensor>> change, String message) throws IOException {
        try (Scope scope = Scope.open()) {
            Path file = file(change);
            assertThatThrownBy(() -> ResnetFeatures.load(file, Device.CPU))
                    .isInstanceOf(UnreadableFileException.class)
                    .hasMessageContaining("resnet8.safetensors")
                    .hasMessageContaining(message);
        }
    }

    @Test
    void anotherNetworkIsRefusedWithWhatIsMissing() throws IOException {
        assertRefused(weights -> weights.remove("layer2.0.bn2.running_var"), "missing layer2.0.bn2.running_var");
        assertRefused(
                weights -> weights.keySet().removeIf(name -> name.startsWith("layer3")),
                "missing layer3.0.conv1.weight, layer3.0.bn1.weight, layer3.0.bn1.bias and 7 more");
        assertRefused(
                weights -> weights.put("layer2.0.downsample.0.weight", Tensors.of(new float[] {1}, 1)),
                "not known layer2.0.downsample.0.weight");
        assertRefused(
                weights -> weights.put("layer1.0.conv2.weight", Tensors.of(new float[4], 2, 2, 1, 1)),
                "layer1.0.conv2.weight has the shape [2, 2, 1, 1]; a ResNet for CIFAR-10 has [2, 2, 3, 3] there");
        assertRefused(
                weights -> {
                    weights.clear();
                    weights.put("parameters", Tensors.of(new float[4], 4));
                },
                "missing conv1.weight");
    }

    @Test
    void otherImagesAreRefused() throws IOException {
        try (Scope scope = Scope.open();
                ResnetFeatures network = ResnetFeatures.load(file(weights -> {}), Device.CPU)) {
            for (long[] shape : new long[][] {{1, 1, 32, 32}, {1, 3, 28, 28}, {3, 32, 32}}) {
                Tensor images = Tensors.uniform(KEY, 0, 1, DType.FLOAT, Device.CPU, shape);
                assertThatThrownBy(() -> network.outputs(images))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("takes images [n, 3, 32, 32]");
            }
        }
    }
}
