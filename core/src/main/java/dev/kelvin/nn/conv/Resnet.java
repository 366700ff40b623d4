package dev.kelvin.nn.conv;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * A residual network without norms, after ResNet-18's form for small images; for time-joint energies, whose cumulative sum
 * is theirs and not the network's.
 *
 * <p>A 3×3 convolution to the first of the {@code widths}; for each width so many {@code blocks}, of which the first halves
 * the image, except at the first width; the mean over all pixels, and a linear layer. A block is
 *
 * <pre>x ← φ(W₂φ(W₁x + b₁) + b₂ + Sx)</pre>
 *
 * with 3×3 convolutions, W₁ of stride 2 in blocks that halve, and S a 1×1 convolution of the same stride where size or
 * channels change, else nothing. ResNet-18 is widths 64, 128, 256, 512 with 2 blocks each: 11 164 032 parameters on 3
 * channels, and 513 for each output. Any size fits that has a pixel for each halving (28 → 14 → 7 → 4).
 *
 * <p>Source: He et al. 2016; <em>Thinking Fourth Dimensionally</em>, with T − 1 outputs and leaky ReLUs. As there is no
 * norm, every layer has a bias.
 */
@Doc("a residual network without norms, of ResNet-18's form, for images; for time-joint models that of Thinking Fourth"
        + " Dimensionally")
@Cites("he2016")
public record Resnet(
        @Given("1") int channels,

        @Given("1024") int size,

        @Doc("the channels of each stage; every stage but the first halves the image") @Default("[64, 128, 256, 512]")
        List<Integer> widths,

        @Doc("the blocks of each stage") @Default("2") int blocks,

        @Given("1") int outputs,

        @Doc("the activation after each hidden layer") @Default("leaky-relu")
        Activation activation,

        @Doc("the negative slope of leaky-relu") @Default("0.2")
        double slope)
        implements Network {
    public Resnet {
        List<Integer> copy = List.copyOf(widths);
        Check.all(
                () -> new ImageShape(channels, size).halved(Math.max(0, copy.size() - 1)),
                () -> Check.notEmpty("widths", copy),
                () -> Check.eachAtLeast("widths", copy, 1),
                () -> Check.atLeast("blocks", blocks, 1),
                () -> Check.atLeast("outputs", outputs, 1),
                () -> Check.within("slope", slope, 0, 1));
        widths = copy;
    }

    @Override
    public Resnet shaped(List<Long> shape, int outputs) {
        ImageShape image = ImageShape.of(shape);
        return new Resnet(image.channels(), image.size(), widths, blocks, outputs, activation, slope);
    }

    @Override
    public boolean takesImages() {
        return true;
    }

    @Override
    public String words() {
        return "a residual network";
    }

    private Tensor through(ResidualBlock block, Parameters parameters, Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor inner = activation.applyOver(block.first().apply(parameters, x), slope);
            Tensor branch = block.second().apply(parameters, inner);
            Tensor sum = branch.plus(block.hasSkip() ? block.skip().apply(parameters, x) : x);
            return scope.keep(activation.applyOver(sum, slope));
        }
    }

    private Convolution in() {
        return Convolution.small("in", channels, widths.get(0));
    }

    private List<ResidualBlock> allBlocks() {
        return ResidualBlock.stages(widths, blocks);
    }

    @Override
    public Layout layout() {
        Layout.Builder builder = new Layout.Builder();
        in().addTo(builder);
        allBlocks().forEach(block -> block.addTo(builder, Optional.empty()));
        return builder.linear("out", widths.get(widths.size() - 1), outputs).build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            new ImageShape(channels, size).require(input);
            Tensor h = activation.applyOver(in().apply(parameters, input), slope);
            for (ResidualBlock block : allBlocks()) {
                h = through(block, parameters, h);
            }
            Tensor features = h.mean(2L, 3L);
            return scope.keep(features.affine(parameters.transposed("out.weight"), parameters.get("out.bias")));
        }
    }
}
