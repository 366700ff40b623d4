package dev.kelvin.nn.conv;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.NormLayer.Statistics;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.NoGrad;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * SNGAN's generator: from latent vectors [n, latent] to images [n, channels, size, size] in (−1, 1), by residual blocks.
 *
 * <p>A linear layer to a small image of the first of the {@code widths}; for each further width a block that doubles it; a norm,
 * φ, a 3×3 convolution to the images' channels and tanh. A block is
 *
 * <pre>x ← S up(x) + W₂φ(N₂(W₁ up(φ(N₁(x))) + b₁)) + b₂</pre>
 *
 * with 3×3 convolutions W₁ and W₂, up the bilinear doubling, S a 1×1 convolution and N batch norm or nothing. Weights begin as in
 * Keras, uniform on ±√(6/(inputs + outputs)), biases at 0.
 *
 * <p>Source: Miyato et al. 2018 as in Hill et al. 2022: with its defaults, 128 latent numbers and 3×32×32 pixels, theirs for
 * CIFAR-10; 4 276 739 parameters. Differs from theirs: running statistics are PyTorch's, and images outside of training are
 * made with those rather than with a batch's.
 */
public record ResidualGenerator(
        @Given("1") int latent,

        @Doc("the channels of the smallest image and after each doubling") @Default("[256, 256, 256, 256]")
        List<Integer> widths,

        @Given("1") int channels,

        @Given("1073741824") int size,

        @Doc("what keeps the channels at one scale") @Default("batch")
        Norm norm,

        @Doc("the activation after each hidden layer") @Default("relu")
        Activation activation,

        @Doc("the negative slope of leaky-relu") @Default("0.2")
        double slope)
        implements Network {
    public ResidualGenerator {
        List<Integer> copy = List.copyOf(widths);
        Check.all(
                () -> Check.atLeast("latent", latent, 1),
                () -> Check.notEmpty("widths", copy),
                () -> Check.eachAtLeast("widths", copy, 1),
                () -> Check.atLeast("channels", channels, 1),
                () -> Check.within("slope", slope, 0, 1));
        widths = copy;
        int times = 1 << (widths.size() - 1);
        if (size < times || size % times != 0) {
            throw new SettingException(
                    "widths",
                    "double the image " + (widths.size() - 1) + " times, to a multiple of " + times
                            + " pixels, and the data's have " + size
                            + ": give one width more than that has factors of 2, or fewer");
        }
    }

    /** This generator of images of another shape. */
    public ResidualGenerator of(int latents, List<Long> shape) {
        Check.require(
                shape.size() == 3 && shape.get(1).equals(shape.get(2)),
                "widths",
                "make square images, and the data's samples are " + shape
                        + ": give data.images a size, where they are a folder of pictures");
        return new ResidualGenerator(
                latents, widths, Math.toIntExact(shape.get(0)), Math.toIntExact(shape.get(1)), norm, activation, slope);
    }

    /** Whether so many images have two values or more for every norm, those of the smallest images too. */
    public boolean canNorm(int images) {
        long base = size >> (widths.size() - 1);
        return norm != Norm.BATCH || images * base * base > 1;
    }

    /** Takes latent vectors of another length; its images, which are its outputs, stay. */
    @Override
    public ResidualGenerator shaped(List<Long> shape, int outputs) {
        Check.require(
                outputs == channels * size * size,
                "outputs",
                "must be the " + channels * size * size + " numbers of its images, found " + outputs);
        return new ResidualGenerator(Mlp.inputs(shape), widths, channels, size, norm, activation, slope);
    }

    @Override
    public boolean rowsAlone() {
        return norm != Norm.BATCH;
    }

    @Override
    public String words() {
        return "a residual generator of images";
    }

    private record Block(
            NormLayer firstNorm, Convolution first, NormLayer secondNorm, Convolution second, Convolution skip) {}

    private List<Block> blocks() {
        List<Block> all = new ArrayList<>();
        for (int i = 1; i < widths.size(); i++) {
            int from = widths.get(i - 1);
            int to = widths.get(i);
            String name = "doubling" + (i - 1);
            all.add(new Block(
                    new NormLayer(name + ".first.norm", from, norm),
                    Convolution.small(name + ".first", from, to),
                    new NormLayer(name + ".second.norm", to, norm),
                    Convolution.small(name + ".second", to, to),
                    Convolution.pixelwise(name + ".skip", from, to, 1, true)));
        }
        return all;
    }

    private int last() {
        return widths.get(widths.size() - 1);
    }

    private NormLayer lastNorm() {
        return new NormLayer("out.norm", last(), norm);
    }

    private Convolution out() {
        return Convolution.small("out", last(), channels);
    }

    private int base() {
        return size >> (widths.size() - 1);
    }

    @Override
    public Layout layout() {
        long small = (long) widths.get(0) * base() * base();
        Layout.Builder builder = new Layout.Builder()
                .add("in.weight", Initialisation.glorot(latent, small), small, (long) latent)
                .add("in.bias", Initialisation.zeros(), small);
        for (Block block : blocks()) {
            block.firstNorm.addTo(builder);
            block.first.addAsKeras(builder);
            block.secondNorm.addTo(builder);
            block.second.addAsKeras(builder);
            block.skip.addAsKeras(builder);
        }
        lastNorm().addTo(builder);
        out().addAsKeras(builder);
        return builder.build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        return forward(parameters, input, Statistics.RUNNING);
    }

    @Override
    public Tensor inTraining(Parameters parameters, Tensor input) {
        return forward(parameters, input, Statistics.BATCH);
    }

    @Override
    public void advance(Parameters parameters, Tensor input) {
        if (norm == Norm.BATCH) {
            try (Scope scope = Scope.open();
                    NoGrad noGrad = NoGrad.open()) {
                forward(parameters, input, Statistics.MOVING);
            }
        }
    }

    private Tensor forward(Parameters parameters, Tensor input, Statistics statistics) {
        if (input.dim() != 2 || input.size(1) != latent) {
            throw new IllegalArgumentException("the generator takes [n, " + latent + "], found " + input);
        }
        try (Scope scope = Scope.open()) {
            Tensor h = parameters.linear("in", input).reshape(input.size(0), widths.get(0), base(), base());
            for (Block block : blocks()) {
                h = through(block, parameters, h, statistics);
            }
            Tensor top = activation.apply(lastNorm().apply(parameters, h, statistics), slope);
            return scope.keep(out().apply(parameters, top).tanh());
        }
    }

    private Tensor through(Block block, Parameters parameters, Tensor x, Statistics statistics) {
        try (Scope scope = Scope.open()) {
            Tensor outer = activation.apply(block.firstNorm.apply(parameters, x, statistics), slope);
            Tensor inner = block.first.apply(parameters, doubled(outer));
            Tensor seen = activation.applyOver(block.secondNorm.apply(parameters, inner, statistics), slope);
            // bilinear weights add up to 1, so that the doubling and a 1x1 convolution can change places
            Tensor skipped = doubled(block.skip.apply(parameters, x));
            return scope.keep(block.second.apply(parameters, seen).plus(skipped));
        }
    }

    /** Twice as large by bilinear interpolation, whose values at the edge go on beyond it: a product with a matrix on either side. */
    static Tensor doubled(Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor rows = between(x, (int) x.size(2));
            Tensor columns = between(x, (int) x.size(3)).transpose();
            return scope.keep(rows.matmul(x.matmul(columns)));
        }
    }

    /** [2n, n]: new place i lies at (i + ½)/2 − ½ of the old ones. */
    private static Tensor between(Tensor like, int n) {
        double[] weights = new double[2 * n * n];
        IntStream.range(0, 2 * n).forEach(i -> {
            int near = i / 2;
            int far = Math.max(0, Math.min(n - 1, i % 2 == 0 ? near - 1 : near + 1));
            weights[i * n + near] += 0.75;
            weights[i * n + far] += 0.25;
        });
        return Tensors.like(like, weights, 2L * n, n);
    }
}
