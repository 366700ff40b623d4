package dev.kelvin.tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.MemoryFormat;
import org.jspecify.annotations.Nullable;

/**
 * An n-dimensional array of numbers: a thin handle on a libtorch tensor, with the operations that Kelvin needs.
 *
 * <p>Operations return new tensors, owned by the innermost {@link Scope}; those whose name ends in {@code InPlace}
 * change this tensor and return it. Numbers are passed as {@code double} and {@code long}: libtorch's own {@code Scalar}
 * silently acts as 1 after it was freed, so none leaves this package.
 */
public final class Tensor implements AutoCloseable {
    private final org.bytedeco.pytorch.Tensor raw;
    private @Nullable Scope owner;
    private boolean freed;

    private Tensor(org.bytedeco.pytorch.Tensor raw) {
        this.raw = raw;
        Scope.register(this);
    }

    /** Runs a native operation; its error keeps the first line of libtorch's message. */
    public static Tensor of(Supplier<org.bytedeco.pytorch.Tensor> operation) {
        Backend.load();
        return TensorException.translated(() -> new Tensor(operation.get()));
    }

    private Tensor with(
            double number, BiFunction<org.bytedeco.pytorch.Tensor, Scalar, org.bytedeco.pytorch.Tensor> operation) {
        return of(() -> operation.apply(raw(), Scalars.of(number)));
    }

    private Tensor inPlace(Runnable operation) {
        return TensorException.translated(() -> {
            operation.run();
            return this;
        });
    }

    // ---- arithmetic; shapes broadcast as in PyTorch

    /** this + other, element by element; sizes of 1 are repeated, as in all operations of two. */
    public Tensor plus(Tensor other) {
        return of(() -> raw().add(other.raw()));
    }

    /** this + factor · other. */
    public Tensor plus(Tensor other, double factor) {
        return of(() -> raw().add(other.raw(), Scalars.of(factor)));
    }

    /** this + number. */
    public Tensor plus(double number) {
        return with(number, org.bytedeco.pytorch.Tensor::add);
    }

    /** this − other. */
    public Tensor minus(Tensor other) {
        return of(() -> raw().sub(other.raw()));
    }

    /** this − number. */
    public Tensor minus(double number) {
        return with(number, org.bytedeco.pytorch.Tensor::sub);
    }

    /** this · other, element by element. */
    public Tensor times(Tensor other) {
        return of(() -> raw().mul(other.raw()));
    }

    /** this · number. */
    public Tensor times(double number) {
        return with(number, org.bytedeco.pytorch.Tensor::mul);
    }

    /** this / other, element by element. */
    public Tensor over(Tensor other) {
        return of(() -> raw().div(other.raw()));
    }

    /** this / number. */
    public Tensor over(double number) {
        return with(number, org.bytedeco.pytorch.Tensor::div);
    }

    /** −this. */
    public Tensor negate() {
        return of(() -> raw().neg());
    }

    /** e to the power of each element. */
    public Tensor exp() {
        return of(() -> raw().exp());
    }

    /** The natural logarithm of each element. */
    public Tensor log() {
        return of(() -> raw().log());
    }

    /** The square root of each element. */
    public Tensor sqrt() {
        return of(() -> raw().sqrt());
    }

    /** The square of each element. */
    public Tensor square() {
        return of(() -> raw().square());
    }

    /** The absolute value of each element. */
    public Tensor abs() {
        return of(() -> raw().abs());
    }

    /** The sine of each element. */
    public Tensor sin() {
        return of(() -> raw().sin());
    }

    /** The cosine of each element. */
    public Tensor cos() {
        return of(() -> raw().cos());
    }

    /** The hyperbolic tangent of each element. */
    public Tensor tanh() {
        return of(() -> raw().tanh());
    }

    /** 1/(1 + e⁻ˣ) of each element. */
    public Tensor sigmoid() {
        return of(() -> raw().sigmoid());
    }

    /** Each element to this power. */
    public Tensor pow(double exponent) {
        return with(exponent, org.bytedeco.pytorch.Tensor::pow);
    }

    /** Each element, or the nearer bound where it lies outside. */
    public Tensor clamp(double low, double high) {
        return of(() -> clamped(low, high, (min, max) -> raw().clamp(min, max)));
    }

    /** The largest whole number that is not above each. */
    public Tensor floor() {
        return of(() -> raw().floor());
    }

    /** True where this is less than the other; never for NaN. Of type bool. */
    public Tensor lessThan(Tensor other) {
        return of(() -> raw().lt(other.raw()));
    }

    /** This where the condition, of type bool, is true, the other elsewhere; unlike a weighted sum it keeps NaN out. */
    public Tensor where(Tensor condition, Tensor other) {
        return of(() -> torch.where(condition.raw(), raw(), other.raw()));
    }

    /**
     * A copy of this in which the rows whose flag is false are the other's. No gradient passes. On the CPU it moves memory, in a
     * third of the time of {@link #where}.
     */
    public Tensor rowsWhere(boolean[] flags, Tensor other) {
        if (!Arrays.equals(shape(), other.shape()) || size(0) != flags.length) {
            throw new IllegalArgumentException(
                    "expected two tensors of " + flags.length + " rows and one shape, found " + this + " and " + other);
        }
        try (Scope scope = Scope.open();
                NoGrad noGrad = NoGrad.open()) {
            if (device().cuda() || !other.raw().is_contiguous() || dtype() != other.dtype()) {
                return scope.keep(where(Tensors.of(flags).reshape(rowShape()).to(device()), other));
            }
            Tensor result = contiguous().copy();
            if (count() > 0) {
                long row = count() / flags.length * dtype().bytes();
                Pointer to = new BytePointer(result.raw().data_ptr());
                Pointer from = new BytePointer(other.raw().data_ptr());
                for (int i = 0; i < flags.length; i++) {
                    if (!flags[i]) {
                        Pointer.memcpy(to.position(i * row), from.position(i * row), row);
                    }
                }
            }
            return scope.keep(result);
        }
    }

    // ---- reductions

    /** The sum of all elements, a scalar. */
    public Tensor sum() {
        return of(() -> raw().sum());
    }

    /** The sum over these dimensions, which disappear. */
    public Tensor sum(long... dims) {
        return of(() -> raw().sum(dims, false, Scalars.SAME_TYPE));
    }

    /** The mean of all elements, a scalar. */
    public Tensor mean() {
        return of(() -> raw().mean());
    }

    /** The mean over these dimensions, which disappear. */
    public Tensor mean(long... dims) {
        return of(() -> raw().mean(dims, false, Scalars.SAME_TYPE));
    }

    /** The largest element, a scalar. */
    public Tensor max() {
        return of(() -> raw().max());
    }

    /** The smallest element, a scalar. */
    public Tensor min() {
        return of(() -> raw().min());
    }

    /** log Σ exp over a dimension, without overflow. */
    public Tensor logSumExp(long dim) {
        return of(() -> torch.logsumexp(raw(), dim));
    }

    /** Sums of all numbers up to each, along a dimension. */
    public Tensor cumulativeSum(long dim) {
        return of(() -> raw().cumsum(dim));
    }

    /** exp(x)/Σ exp(x) along a dimension. */
    public Tensor softmax(long dim) {
        return of(() -> torch.softmax(raw(), dim));
    }

    /** x − log Σ exp(x) along a dimension. */
    public Tensor logSoftmax(long dim) {
        return of(() -> torch.log_softmax(raw(), dim));
    }

    /** The median, by selection: libtorch's quantile sorts, and takes 16 million numbers at most. */
    public Tensor median() {
        try (Scope scope = Scope.open()) {
            Tensor low = lowerMedian();
            Tensor high = negate().lowerMedian().negate();
            return scope.keep(high.minus(high.minus(low).times(0.5))); // as quantile rounds it
        }
    }

    private Tensor lowerMedian() {
        return of(() -> torch.median(raw()));
    }

    /** The Euclidean length of all numbers together. */
    public Tensor norm() {
        return of(() -> torch.linalg_vector_norm(raw()));
    }

    /** Sums everything but the first dimension: [n, ...] → [n]. */
    public Tensor sumPerSample() {
        return (dim() == 2 ? this : flattenSamples()).sum(1L);
    }

    /** True if there is neither NaN nor infinity. */
    public boolean allFinite() {
        try (org.bytedeco.pytorch.Tensor flags = torch.isfinite(raw());
                org.bytedeco.pytorch.Tensor all = flags.all();
                Scalar scalar = all.item()) {
            return scalar.toBool();
        }
    }

    // ---- matrices

    /** The matrix product, [n, k] · [k, m] → [n, m]. */
    public Tensor matmul(Tensor other) {
        return of(() -> raw().matmul(other.raw()));
    }

    /** this · weights + bias: [n, in] → [n, out] with weights [in, out]. */
    public Tensor affine(Tensor weights, Tensor bias) {
        return of(() -> torch.addmm(bias.raw(), raw(), weights.raw()));
    }

    /** The matrix turned: rows become columns; shares memory. */
    public Tensor transpose() {
        return of(() -> raw().t());
    }

    /** Two dimensions in each other's place; shares memory. */
    public Tensor transpose(long one, long other) {
        return of(() -> raw().transpose(one, other));
    }

    /** Euclidean distances between the rows of two matrices. */
    public Tensor distances(Tensor other) {
        return of(() -> torch.cdist(raw(), other.raw()));
    }

    /** The numbers (i, i) of a matrix; shares memory. */
    public Tensor diagonal() {
        return of(() -> raw().diagonal());
    }

    // ---- images [n, channels, height, width]

    /** Convolution with weights [outputs, channels, height, width]. */
    public Tensor conv2d(Tensor weight, long stride, long padding) {
        return convolution(weight, new TensorOptional(), stride, padding);
    }

    /** Convolution with weights [outputs, channels, height, width], plus a number for each output channel. */
    public Tensor conv2d(Tensor weight, Tensor bias, long stride, long padding) {
        return convolution(weight, new TensorOptional(bias.raw()), stride, padding);
    }

    private Tensor convolution(Tensor weight, TensorOptional optionalBias, long stride, long padding) {
        try (TensorOptional bias = optionalBias) {
            return of(() -> torch.conv2d(raw(), weight.raw(), bias, both(stride), both(padding), both(1), 1));
        }
    }

    /** What a convolution's gradient does, as a layer that makes images larger; weights [channels, outputs, height, width]. */
    public Tensor convTranspose2d(Tensor weight, Tensor bias, long stride, long padding) {
        try (TensorOptional option = new TensorOptional(bias.raw())) {
            return of(() -> torch.conv_transpose2d(
                    raw(), weight.raw(), option, both(stride), both(padding), both(0), 1, both(1)));
        }
    }

    /** Means of 2×2 pixels; at the edge of an odd size, of those that are there. */
    public Tensor averagePool2() {
        try (LongOptional divisor = new LongOptional()) {
            return of(() -> torch.avg_pool2d(raw(), both(2), both(2), both(0), true, false, divisor));
        }
    }

    /** The largest of 3×3 pixels around every second pixel, of those that are there. */
    public Tensor maxPool3() {
        return of(() -> torch.max_pool2d(raw(), both(3), both(2), both(1), both(1), false));
    }

    /** Each sample's groups of channels at mean 0 and variance 1, then times weight plus bias, a number for each channel. */
    public Tensor groupNorm(long groups, Tensor weight, Tensor bias, double epsilon) {
        try (TensorOptional gain = new TensorOptional(weight.raw());
                TensorOptional shift = new TensorOptional(bias.raw())) {
            return of(() -> torch.group_norm(raw(), groups, gain, shift, epsilon, true));
        }
    }

    /**
     * (x − mean)/√(variance + epsilon)·weight + bias, each a number for each channel; with a share above 0 by the mean and
     * variance of this batch, towards which the given ones are moved, in place, by the share.
     */
    public Tensor batchNorm(Tensor weight, Tensor bias, Tensor mean, Tensor variance, double share, double epsilon) {
        try (TensorOptional m = new TensorOptional(mean.raw());
                TensorOptional v = new TensorOptional(variance.raw())) {
            return batchNorm(weight, bias, m, v, share > 0, share, epsilon);
        }
    }

    /** Batch norm with the mean and variance of this batch. */
    public Tensor batchNorm(Tensor weight, Tensor bias, double epsilon) {
        try (TensorOptional none = new TensorOptional()) {
            return batchNorm(weight, bias, none, none, true, 0, epsilon);
        }
    }

    private Tensor batchNorm(
            Tensor weight,
            Tensor bias,
            TensorOptional mean,
            TensorOptional variance,
            boolean ofBatch,
            double share,
            double epsilon) {
        try (TensorOptional gain = new TensorOptional(weight.raw());
                TensorOptional shift = new TensorOptional(bias.raw())) {
            return of(() -> torch.batch_norm(raw(), gain, shift, mean, variance, ofBatch, share, epsilon, true));
        }
    }

    private static long[] both(long number) {
        return new long[] {number, number};
    }

    // ---- activations and their derivatives

    /** max(0, x) of each element. */
    public Tensor relu() {
        return of(() -> raw().relu());
    }

    /** x, or slope·x where x is negative. */
    public Tensor leakyRelu(double slope) {
        return with(slope, torch::leaky_relu);
    }

    /** x/(1 + e⁻ˣ) of each element. */
    public Tensor silu() {
        return of(() -> torch.silu(raw()));
    }

    /** log(1 + eˣ) of each element. */
    public Tensor softplus() {
        return of(() -> torch.softplus(raw()));
    }

    /** This, as a gradient at a leaky ReLU's output, pulled back to its input; only the output's sign is needed. */
    public Tensor leakyReluBackward(Tensor output, double slope) {
        return of(() -> torch.leaky_relu_backward(raw(), output.raw(), Scalars.of(slope), true));
    }

    /** This, as a gradient at a silu's output, pulled back to its input. */
    public Tensor siluBackward(Tensor input) {
        return of(() -> torch.silu_backward(raw(), input.raw()));
    }

    /** This, as a gradient at a hyperbolic tangent's output, pulled back to its input. */
    public Tensor tanhBackward(Tensor output) {
        return of(() -> torch.tanh_backward(raw(), output.raw()));
    }

    // ---- shapes

    /** These numbers in another shape; one size may be −1, and follows from the others. */
    public Tensor reshape(long... shape) {
        return of(() -> raw().reshape(shape));
    }

    /** [n, ...] → [n, product of the rest]. */
    public Tensor flattenSamples() {
        return dim() == 2 ? this : reshape(size(0), -1);
    }

    /** A view in which dimensions of size 1 are repeated. */
    public Tensor expand(long... shape) {
        return of(() -> raw().expand(shape));
    }

    /** A view with one dimension of size 1 more, in this place. */
    public Tensor unsqueeze(long dim) {
        return of(() -> raw().unsqueeze(dim));
    }

    /** A view without this dimension, which must be of size 1. */
    public Tensor squeeze(long dim) {
        return of(() -> raw().squeeze(dim));
    }

    /** Elements start .. start + length − 1 of a dimension; shares memory. */
    public Tensor narrow(long dim, long start, long length) {
        return of(() -> raw().narrow(dim, start, length));
    }

    /** One slice of a dimension, which disappears; shares memory. */
    public Tensor select(long dim, long index) {
        return of(() -> raw().select(dim, index));
    }

    /** The rows with these numbers, copied. */
    public Tensor rows(long... indices) {
        try (Scope scope = Scope.open()) {
            Tensor index = Tensors.of(indices).to(device());
            return scope.keep(of(() -> torch.index_select(raw(), 0, index.raw())));
        }
    }

    /** The dimensions in another order; shares memory. */
    public Tensor permute(long... dims) {
        return of(() -> raw().permute(dims));
    }

    /** Of whole numbers [n]: 1 at each one's column, else 0, [n, columns]. */
    public Tensor oneHot(long columns, DType type) {
        return of(() -> torch.one_hot(raw(), columns)).to(type);
    }

    /** Along a dimension, the elements with the numbers that the index, of type long, holds; the result has its shape. */
    public Tensor gather(long dim, Tensor index) {
        return of(() -> raw().gather(dim, index.raw()));
    }

    /**
     * An image batch [n, c, h, w] looked at through windows: n matrices [2, 3] that take the result's places (x, y, 1), x
     * and y from −1 at the left and upper edge to 1, to places in the image. Between pixels bilinear, outside the edge's.
     */
    public Tensor throughWindows(Tensor windows) {
        return of(() -> {
            try (org.bytedeco.pytorch.Tensor grid = torch.affine_grid_generator(windows.raw(), shape(), false)) {
                return torch.grid_sampler(raw(), grid, 0, 1, false); // 0: bilinear; 1: the border's values outside
            }
        });
    }

    // ---- memory, type and place

    /** A copy with memory of its own. */
    public Tensor copy() {
        return of(() -> raw().clone());
    }

    /** These numbers, cut off from the graph; shares memory. */
    public Tensor detach() {
        return of(() -> raw().detach());
    }

    /** These numbers as the start of a new graph: gradients can be taken with respect to the result. */
    public Tensor asLeaf() {
        return of(() -> {
            org.bytedeco.pytorch.Tensor leaf = raw().detach();
            leaf.set_requires_grad(true);
            return leaf;
        });
    }

    /** Whether gradients are recorded for it. */
    public boolean requiresGrad() {
        return raw().requires_grad();
    }

    /** These numbers in another type; itself where it has that type. */
    public Tensor to(DType type) {
        return type == dtype() ? this : of(() -> raw().to(type.scalarType()));
    }

    /** An image batch [n, c, h, w] in another type, with the channels innermost in memory. */
    public Tensor toChannelsLast(DType type) {
        try (MemoryFormatOptional format = new MemoryFormatOptional(MemoryFormat.ChannelsLast)) {
            return of(() -> raw().to(type.scalarType(), false, false, format));
        }
    }

    /** A copy in memory that a GPU can read by itself while the processor goes on; the way there is then twice as fast. */
    public Tensor pinned() {
        return of(() -> raw().pin_memory());
    }

    /** These numbers on another device; itself where it is there. */
    public Tensor to(Device device) {
        if (device.equals(device())) {
            return this;
        }
        return of(() -> {
            try (org.bytedeco.pytorch.Device target = device.raw()) {
                return raw().to(target, raw().scalar_type());
            }
        });
    }

    /** Rows of memory in the order of the dimensions. */
    public Tensor contiguous() {
        return of(() -> raw().contiguous());
    }

    /** An image batch [n, c, h, w] with the channels innermost in memory, which convolutions like. */
    public Tensor channelsLast() {
        return of(() -> raw().contiguous(MemoryFormat.ChannelsLast));
    }

    // ---- in place

    /** this += factor · other. */
    public Tensor addInPlace(Tensor other, double factor) {
        return inPlace(() -> raw().add_(other.raw(), Scalars.of(factor)));
    }

    /** Adds the other to this. */
    public Tensor addInPlace(Tensor other) {
        return inPlace(() -> raw().add_(other.raw()));
    }

    /** Adds a number to each element. */
    public Tensor addNumberInPlace(double number) {
        return inPlace(() -> raw().add_(Scalars.of(number)));
    }

    /** Multiplies each element by a factor. */
    public Tensor timesInPlace(double factor) {
        return inPlace(() -> raw().mul_(Scalars.of(factor)));
    }

    /** Multiplies this by the other, element by element. */
    public Tensor timesInPlace(Tensor other) {
        return inPlace(() -> raw().mul_(other.raw()));
    }

    /** this += factor · a ⊙ b. */
    public Tensor addProductInPlace(Tensor a, Tensor b, double factor) {
        return inPlace(() -> raw().addcmul_(a.raw(), b.raw(), Scalars.of(factor)));
    }

    /** this += factor · (a · b), the matrices' product. */
    public Tensor addMatmulInPlace(Tensor a, Tensor b, double factor) {
        return inPlace(() -> raw().addmm_(a.raw(), b.raw(), Scalars.of(1), Scalars.of(factor)));
    }

    /** this += factor · a / b. */
    public Tensor addQuotientInPlace(Tensor a, Tensor b, double factor) {
        return inPlace(() -> raw().addcdiv_(a.raw(), b.raw(), Scalars.of(factor)));
    }

    /** Multiplies negative elements by the slope. */
    public Tensor leakyReluInPlace(double slope) {
        return inPlace(() -> torch.leaky_relu_(raw(), Scalars.of(slope)));
    }

    /** Moves each element that lies outside to the nearer bound. */
    public Tensor clampInPlace(double low, double high) {
        return inPlace(() -> clamped(low, high, (min, max) -> raw().clamp_(min, max)));
    }

    /** Copies the other's numbers into this, of the same shape. */
    public Tensor copyInPlace(Tensor other) {
        return inPlace(() -> raw().copy_(other.raw()));
    }

    /** Writes the rows of {@code source} to these row numbers. */
    public Tensor putRowsInPlace(long[] indices, Tensor source) {
        try (Scope scope = Scope.open()) {
            Tensor index = Tensors.of(indices).to(device());
            return inPlace(() -> raw().index_copy_(0, index.raw(), source.raw()));
        }
    }

    private static org.bytedeco.pytorch.Tensor clamped(
            double low,
            double high,
            BiFunction<ScalarOptional, ScalarOptional, org.bytedeco.pytorch.Tensor> operation) {
        try (Scalar min = new Scalar(low);
                Scalar max = new Scalar(high);
                ScalarOptional minOption = new ScalarOptional(min);
                ScalarOptional maxOption = new ScalarOptional(max)) {
            return operation.apply(minOption, maxOption);
        }
    }

    // ---- looking

    /** The sizes of all dimensions. */
    public long[] shape() {
        return raw().shape();
    }

    /** [n, 1, ...]: the shape in which one number for each sample goes with these samples. */
    public long[] rowShape() {
        long[] shape = new long[(int) dim()];
        Arrays.fill(shape, 1);
        shape[0] = size(0);
        return shape;
    }

    /** How many dimensions there are. */
    public long dim() {
        return raw().dim();
    }

    /** The size of a dimension. */
    public long size(long dim) {
        return TensorException.translated(() -> raw().size(dim));
    }

    /** How many numbers there are. */
    public long count() {
        return raw().numel();
    }

    /** The type of its numbers. */
    public DType dtype() {
        return DType.of(raw().scalar_type());
    }

    /** Where its numbers are. */
    public Device device() {
        if (!raw().is_cuda()) {
            return Device.CPU;
        }
        try (org.bytedeco.pytorch.Device device = raw().device()) {
            return Device.cuda(device.index());
        }
    }

    /** The only number of a tensor of one element. */
    public double item() {
        return TensorException.translated(() -> raw().item_double());
    }

    /** All numbers in the order of the dimensions. */
    public double[] toDoubles() {
        if (dtype() == DType.FLOAT) {
            float[] floats = toFloats();
            double[] wide = new double[floats.length];
            Arrays.setAll(wide, i -> floats[i]);
            return wide;
        }
        double[] values = new double[Memory.array(Double.BYTES, count())];
        read(DType.DOUBLE, pointer -> new DoublePointer(pointer).get(values));
        return values;
    }

    /** All elements, row by row, as floats. */
    public float[] toFloats() {
        float[] values = new float[Memory.array(Float.BYTES, count())];
        read(DType.FLOAT, pointer -> new FloatPointer(pointer).get(values));
        return values;
    }

    /** All elements, row by row, as whole numbers. */
    public long[] toLongs() {
        long[] values = new long[Memory.array(Long.BYTES, count())];
        read(DType.LONG, pointer -> new LongPointer(pointer).get(values));
        return values;
    }

    /** Bytes of a contiguous CPU tensor's memory, to be read and written while the tensor is open. */
    public ByteBuffer memory(long at, int length) {
        if (device().cuda() || !raw().is_contiguous()) {
            throw new IllegalStateException("only a contiguous tensor on the CPU shows its memory, not " + this);
        }
        Objects.checkFromIndexSize(at, length, count() * dtype().bytes());
        return new BytePointer(raw().data_ptr())
                .position(at)
                .limit(at + length)
                .asByteBuffer()
                .order(ByteOrder.nativeOrder());
    }

    private void read(DType type, Consumer<Pointer> reader) {
        try (Scope scope = Scope.open()) {
            Tensor here =
                    dtype() == type && !device().cuda() ? this : to(Device.CPU).to(type);
            Tensor plain = here.raw().is_contiguous() ? here : here.contiguous();
            if (plain.count() > 0) {
                reader.accept(plain.raw().data_ptr());
            }
        }
    }

    @Override
    public String toString() {
        return freed ? "a freed tensor" : dtype() + Arrays.toString(shape()) + " on " + device();
    }

    // ---- lifetime

    /** Frees the memory now. A tensor inside a scope needs no closing. */
    @Override
    public void close() {
        if (owner != null) {
            owner.release(this);
            owner = null;
        }
        free();
    }

    void free() {
        if (!freed) {
            freed = true;
            owner = null;
            raw.close();
        }
    }

    /** The scope that frees it; null if none does. */
    @Nullable
    public Scope owner() {
        return owner;
    }

    void ownedBy(@Nullable Scope scope) {
        owner = scope;
    }

    /** libtorch's own tensor. */
    public org.bytedeco.pytorch.Tensor raw() {
        if (freed) {
            throw new IllegalStateException("this tensor was freed; keep it with Scope.keep before its scope closes");
        }
        return raw;
    }
}
