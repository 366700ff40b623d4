package dev.kelvin.tensor;

import java.util.Map;
import java.util.function.Function;
import org.bytedeco.javacpp.BoolPointer;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/** The gradients of a convolution with a bias, without a graph: with respect to its input, its weights and its bias. */
public final class ConvolutionGradients {
    private final @Nullable Tensor input;
    private final @Nullable Tensor weight;
    private final @Nullable Tensor bias;

    /** Which of them are computed. */
    public enum Wanted {
        INPUT,
        PARAMETERS,
        ALL
    }

    private ConvolutionGradients(@Nullable Tensor input, @Nullable Tensor weight, @Nullable Tensor bias) {
        this.input = input;
        this.weight = weight;
        this.bias = bias;
    }

    /** Of input.conv2d(weight, bias, stride, padding), given the gradient at its output. */
    public static ConvolutionGradients of(
            Tensor gradient, Tensor input, Tensor weight, long stride, long padding, Wanted wanted) {
        boolean back = wanted != Wanted.PARAMETERS;
        boolean own = wanted != Wanted.INPUT;
        return TensorException.translated(() -> {
            try (BoolPointer mask = new BoolPointer(3).put(0, back).put(1, own).put(2, false);
                    T_TensorTensorTensor_T all = torch.convolution_backward(
                            gradient.raw(),
                            input.raw(),
                            weight.raw(),
                            new long[] {weight.size(0)},
                            new long[] {stride, stride},
                            new long[] {padding, padding},
                            new long[] {1, 1},
                            false,
                            new long[] {0, 0},
                            1,
                            mask)) {
                return new ConvolutionGradients(
                        back ? taken(all, tuple -> tuple.get0()) : null,
                        own ? taken(all, tuple -> tuple.get1()) : null,
                        own ? Fused.channelSums(gradient) : null);
            }
        });
    }

    private static Tensor taken(
            T_TensorTensorTensor_T all, Function<T_TensorTensorTensor_T, org.bytedeco.pytorch.Tensor> which) {
        return Tensor.of(() -> new org.bytedeco.pytorch.Tensor(which.apply(all)));
    }

    /** With respect to the input. */
    public Tensor input() {
        return present(input);
    }

    /** Adds those with respect to weight and bias under these names. */
    public void addTo(Map<String, Tensor> gradients, String weightName, String biasName) {
        gradients.put(weightName, present(weight));
        gradients.put(biasName, present(bias));
    }

    private static Tensor present(@Nullable Tensor gradient) {
        if (gradient == null) {
            throw new IllegalStateException("this gradient was not asked for");
        }
        return gradient;
    }
}
