package dev.kelvin.nn;

import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Safetensors;
import java.io.IOException;
import java.nio.file.Path;

/**
 * He et al.'s ResNet for CIFAR-10 with weights from a safetensors file (names as in akamaster/pytorch_resnet_cifar10); made
 * of our operations, to hold them against another implementation's numbers, and a feature network for tests of metrics.
 *
 * <p>3×3 convolution to 16 channels, batch norm, ReLU; three stages of equally many blocks with 16, 32 and 64 channels, x ←
 * ReLU(N(W₂ReLU(N(W₁x))) + Sx), where S, in the first blocks of the second and third stage, takes every second pixel and
 * pads the channels with zeros, half before and half after; the mean over all pixels; a linear layer.
 */
final class CifarResNet implements AutoCloseable {
    private static final double EPSILON = 1e-5;
    private static final int STAGES = 3;
    private static final double[] MEAN = {0.485, 0.456, 0.406};
    private static final double[] DEVIATION = {0.229, 0.224, 0.225};

    private final Safetensors.Contents weights;

    private CifarResNet(Safetensors.Contents weights) {
        this.weights = weights;
    }

    static CifarResNet read(Path file) throws IOException {
        Safetensors.Contents weights = Safetensors.read(file);
        weights.tensors().values().forEach(Scope::detach);
        return new CifarResNet(weights);
    }

    /** Features [n, 64] and logits [n, 10]. */
    record Outputs(Tensor features, Tensor logits) {}

    /** Of images [n, 3, 32, 32] in [0, 1]. */
    Outputs of(Tensor images) {
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            Tensor mean = Tensors.like(images, MEAN, 1, 3, 1, 1);
            Tensor deviation = Tensors.like(images, DEVIATION, 1, 3, 1, 1);
            Tensor h = normed("conv1", "bn1", images.minus(mean).over(deviation), 1)
                    .relu();
            for (int stage = 1; stage <= STAGES; stage++) {
                for (int block = 0; has("layer" + stage + "." + block + ".conv1.weight"); block++) {
                    h = block("layer" + stage + "." + block, h, stage > 1 && block == 0);
                }
            }
            Tensor features = h.mean(2L, 3L);
            Tensor logits = features.affine(weights.tensor("linear.weight").transpose(), weights.tensor("linear.bias"));
            return new Outputs(scope.keep(features), scope.keep(logits));
        }
    }

    private Tensor block(String name, Tensor x, boolean halves) {
        Tensor inner = normed(name + ".conv1", name + ".bn1", x, halves ? 2 : 1).relu();
        Tensor branch = normed(name + ".conv2", name + ".bn2", inner, 1);
        return branch.plus(halves ? everySecondPixel(x) : x).relu();
    }

    private Tensor normed(String convolution, String norm, Tensor x, int stride) {
        return x.conv2d(weights.tensor(convolution + ".weight"), stride, 1)
                .batchNorm(
                        weights.tensor(norm + ".weight"),
                        weights.tensor(norm + ".bias"),
                        weights.tensor(norm + ".running_mean"),
                        weights.tensor(norm + ".running_var"),
                        0,
                        EPSILON);
    }

    /** Half the size, twice the channels: the new ones are 0, half of them before the old ones and half after. */
    private static Tensor everySecondPixel(Tensor x) {
        long n = x.size(0);
        long channels = x.size(1);
        long half = x.size(2) / 2;
        Tensor picked = x.reshape(n, channels, half, 2, half, 2).select(5, 0).select(3, 0); // even columns of even rows
        Tensor zeros = Tensors.zeros(x.dtype(), x.device(), n, channels / 2, half, half);
        return Tensors.concat(1, zeros, picked, zeros);
    }

    private boolean has(String name) {
        return weights.tensors().containsKey(name);
    }

    @Override
    public void close() {
        weights.tensors().values().forEach(Tensor::close);
    }
}
