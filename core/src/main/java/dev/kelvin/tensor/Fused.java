package dev.kelvin.tensor;

import java.util.Optional;
import org.bytedeco.pytorch.global.torch.MemoryFormat;
import org.jspecify.annotations.Nullable;

/**
 * Leaky ReLUs of images together with the sums before them, and their derivatives, each in one pass over memory: on a GPU with
 * images in bfloat16, channels last, by kernels of our own; elsewhere by libtorch's operations, one after the other. No gradient
 * passes.
 */
public final class Fused {
    private static final int EIGHT = 8; // numbers that a thread takes at once, 16 bytes
    private static final int SUMMING_BLOCKS = 132; // one for each of an H200's multiprocessors

    private Fused() {}

    /** A sum and its leaky ReLU. */
    public record Sum(Tensor sum, Tensor activation) {}

    /** φ(x + bias), written over x where that is possible; the bias has a number for each channel. */
    public static Tensor biasActivation(Tensor x, Tensor bias, double slope) {
        Optional<GpuKernels> kernels = kernels(x, bias);
        if (kernels.isEmpty()) {
            return x.addInPlace(perChannel(bias)).leakyReluInPlace(slope);
        }
        kernels.get().launch("biasActivation", eights(x), x, bias, groups(x), eights(x), slope);
        return x;
    }

    /** x + bias + skip + skipBias, the last two where there are such, and its leaky ReLU; the sum may be written over x. */
    public static Sum sumActivation(
            Tensor x, Tensor bias, Optional<Tensor> skip, Optional<Tensor> skipBias, double slope) {
        Optional<GpuKernels> kernels = kernels(x, bias);
        if (kernels.isEmpty() || !skip.map(Fused::fits).orElse(true)) {
            Tensor sum = x.plus(perChannel(bias));
            skip.ifPresent(sum::addInPlace);
            skipBias.ifPresent(more -> sum.addInPlace(perChannel(more)));
            return new Sum(sum, sum.leakyRelu(slope));
        }
        Sum both = new Sum(x, emptyLike(x));
        @Nullable Tensor first = skip.orElse(null);
        @Nullable Tensor last = skipBias.orElse(null);
        kernels.get()
                .launch(
                        "sumActivation",
                        eights(x),
                        x,
                        bias,
                        first,
                        last,
                        both.sum,
                        both.activation,
                        groups(x),
                        eights(x),
                        slope);
        return both;
    }

    /**
     * gradient·φ' + rest, where there is such, written over the gradient where that is possible; φ' by the sign of the activation.
     */
    public static Tensor activationGradient(Tensor gradient, Tensor activation, Optional<Tensor> rest, double slope) {
        Optional<GpuKernels> kernels = kernels(gradient, activation);
        if (kernels.isEmpty() || !rest.map(Fused::fits).orElse(true)) {
            Tensor back = gradient.leakyReluBackward(activation, slope);
            return rest.map(back::addInPlace).orElse(back);
        }
        @Nullable Tensor more = rest.orElse(null);
        kernels.get()
                .launch("activationGradient", eights(gradient), gradient, activation, more, eights(gradient), slope);
        return gradient;
    }

    /** The sum of each channel over all images and pixels, in x's type. */
    public static Tensor channelSums(Tensor x) {
        Optional<GpuKernels> kernels = groups(x) <= GpuKernels.THREADS ? kernels(x) : Optional.empty();
        if (kernels.isEmpty()) {
            return x.sum(0L, 2L, 3L);
        }
        long channels = x.size(1);
        try (Scope scope = Scope.open()) {
            Tensor partial = Tensors.empty(DType.FLOAT, x.device(), SUMMING_BLOCKS, channels);
            int shared = GpuKernels.THREADS * EIGHT * Float.BYTES;
            kernels.get()
                    .launchBlocks("channelSums", SUMMING_BLOCKS, shared, x, partial, groups(x), x.count() / channels);
            return scope.keep(partial.sum(0L).to(x.dtype()));
        }
    }

    /**
     * The images with channels of zeros added, up to a multiple of eight, channels last: GPUs convolve those several times as
     * fast. Weights [outputs, channels, height, width] are such images too.
     */
    public static Tensor padded(Tensor images) {
        long channels = (images.size(1) + EIGHT - 1) / EIGHT * EIGHT;
        if (channels == images.size(1)) {
            return images;
        }
        try (Scope scope = Scope.open()) {
            Tensor wide = Tensors.zeros(
                            images.dtype(), images.device(), images.size(0), images.size(2), images.size(3), channels)
                    .permute(0, 3, 1, 2);
            wide.narrow(1, 0, images.size(1)).copyInPlace(images);
            return scope.keep(wide);
        }
    }

    /**
     * Adam's update of a vector of parameters in one pass, if there are kernels for it: see {@code fused.cu} for the formula.
     *
     * @return whether it was done
     */
    public static boolean adam(Tensor parameters, Tensor gradient, Tensor mean, Tensor square, AdamStep step) {
        if (parameters.dtype() != DType.FLOAT || !gradient.raw().is_contiguous()) {
            return false;
        }
        Optional<GpuKernels> kernels = GpuKernels.of(parameters.device());
        kernels.ifPresent(own -> own.launch(
                "adam",
                parameters.count(),
                parameters,
                gradient,
                mean,
                square,
                parameters.count(),
                step.beta1,
                step.beta2,
                step.coupled,
                step.kept,
                step.rate,
                step.root,
                step.epsilon));
        return kernels.isPresent();
    }

    /**
     * The numbers of a step of Adam.
     *
     * @param coupled the weight decay that is added to the gradient
     * @param kept what is left of the parameters after the decoupled weight decay
     * @param rate the learning rate, over the first moment's correction
     * @param root the root of the second moment's correction
     */
    public record AdamStep(
            double beta1, double beta2, double coupled, double kept, double rate, double root, double epsilon) {}

    /** The kernels, where all of these images and numbers a channel are as they take them. */
    private static Optional<GpuKernels> kernels(Tensor... all) {
        for (Tensor each : all) {
            if (!fits(each)) {
                return Optional.empty();
            }
        }
        return GpuKernels.of(all[0].device());
    }

    private static boolean fits(Tensor x) {
        return x.dtype() == DType.BFLOAT16
                && x.device().cuda()
                && (x.dim() == 1
                        ? x.size(0) % EIGHT == 0
                        : x.size(1) % EIGHT == 0 && x.raw().is_contiguous(MemoryFormat.ChannelsLast));
    }

    private static long groups(Tensor x) {
        return x.size(1) / EIGHT;
    }

    private static long eights(Tensor x) {
        return x.count() / EIGHT;
    }

    private static Tensor emptyLike(Tensor x) {
        return Tensor.of(() -> org.bytedeco.pytorch.global.torch.empty_like(x.raw()));
    }

    private static Tensor perChannel(Tensor numbers) {
        return numbers.reshape(1, -1, 1, 1);
    }
}
