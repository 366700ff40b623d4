package dev.kelvin.nn.conv;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.NormLayer.Statistics;
import dev.kelvin.nn.conv.ResidualStack.Form;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;

/**
 * A residual network without norms, after ResNet-18's form for small images; for time-joint energies, whose cumulative sum
 * is theirs and not the network's.
 *
 * <p>A {@link Stem} with as many channels as the first of the {@code widths}; for each width {@code blocks} blocks, of which the first halves
 * the image, except at the first width; the mean over all pixels, and a linear layer. A block is
 *
 * <pre>x ← φ(W₂φ(W₁x + b₁) + b₂ + Sx)</pre>
 *
 * with 3×3 convolutions, W₁ of stride 2 in blocks that halve, and S a 1×1 convolution of the same stride where size or
 * channels change, else nothing. Any size fits that has a pixel for each halving (28 → 14 → 7 → 4),
 * those of the stem among them.
 *
 * <p>Source: He et al. 2016; <em>Thinking Fourth Dimensionally</em>, with T − 1 outputs and leaky ReLUs, whose list of changes to
 * ResNet-18 leaves its stem, {@code imagenet}. As there is no norm, every layer has a bias.
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
        double slope,

        @Doc(
                "what it begins with: small, a 3x3 convolution; or imagenet, that of ResNet-18, a 7x7 convolution of stride 2"
                        + " and 3x3 max pooling of stride 2, with which images of 32 pixels cost about a fifteenth")
        @Default("small")
        Stem stem)
        implements ImageNetwork<Resnet> {
    public Resnet {
        List<Integer> copy = List.copyOf(widths);
        Check.all(
                () -> ResidualStack.check(channels, size, copy, blocks, slope, stem),
                () -> Check.atLeast("outputs", outputs, 1));
        widths = copy;
    }

    /** With a 3×3 convolution before the blocks. */
    public Resnet(
            int channels,
            int size,
            List<Integer> widths,
            int blocks,
            int outputs,
            Activation activation,
            double slope) {
        this(channels, size, widths, blocks, outputs, activation, slope, Stem.SMALL);
    }

    @Override
    public Resnet shaped(int channels, int size, int outputs) {
        return new Resnet(channels, size, widths, blocks, outputs, activation, slope, stem);
    }

    @Override
    public String words() {
        return "a residual network" + (stem == Stem.SMALL ? "" : " with a 7×7 stem");
    }

    private ResidualStack stack() {
        return new ResidualStack(
                channels, widths.get(0), widths, blocks, activation, slope, Form.PLAIN, Norm.NONE, stem);
    }

    @Override
    public Layout layout() {
        ResidualStack stack = stack();
        return stack.addTo(new Layout.Builder())
                .linear("out", stack.outputs(), outputs)
                .build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            Tensor features =
                    stack().apply(parameters, images(input), Statistics.RUNNING).mean(2L, 3L);
            return scope.keep(parameters.linear("out", features));
        }
    }
}
