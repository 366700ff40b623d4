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
 * A residual network of pre-activation blocks without norms, smooth and with a hidden layer over all features: choose it for
 * time-joint models of images, whose annealed chains cross every level of noise.
 *
 * <p>The input times {@code scale}; a 3×3 convolution to the first of the {@code widths}; for each width {@code
 * blocks} blocks, of which the first halves the image, except at the first width; φ; all features, or their means over the pixels;
 * a hidden layer, φ, and a linear layer. A block is
 *
 * <pre>x ← Sx + W₂φ(W₁φ(x) + b₁) + b₂</pre>
 *
 * with 3×3 convolutions, W₁ of stride 2 in blocks that halve, W₂ and b₂ zero at the start, and S a 1×1 convolution of the
 * same stride where size or channels change, else nothing. Any size fits that has a pixel for each halving.
 *
 * <p>Source: He et al. 2016, <em>Identity Mappings in Deep Residual Networks</em>; as there is no norm, every layer has a bias.
 */
@Doc(
        "a residual network of pre-activation blocks without norms, for images; smooth, which suits the annealed chains of time-joint models")
@Cites("he2016identity")
public record PreactResnet(
        @Given("1") int channels,

        @Given("1024") int size,

        @Doc("the channels of each stage; every stage but the first halves the image") @Default("[32, 64, 128]")
        List<Integer> widths,

        @Doc("the blocks of each stage") @Default("2") int blocks,

        @Doc("whether features are averaged over the pixels before the hidden layer") @Default("false")
        boolean pooled,

        @Doc("the units of the hidden layer before the outputs") @Default("256")
        int hidden,

        @Given("1") int outputs,

        @Doc("the activation after each hidden layer") @Default("silu")
        Activation activation,

        @Doc("the negative slope of leaky-relu") @Default("0.2")
        double slope,

        @Doc("the scale of the input; that of a time-joint model is z over the reference's standard deviation")
        @Default("1")
        double scale)
        implements ImageNetwork<PreactResnet> {
    public PreactResnet {
        List<Integer> copy = List.copyOf(widths);
        Check.all(
                () -> ResidualStack.check(channels, size, copy, blocks, slope, Stem.SMALL),
                () -> Check.atLeast("hidden", hidden, 1),
                () -> Check.atLeast("outputs", outputs, 1),
                () -> Check.positive("scale", scale));
        widths = copy;
    }

    @Override
    public PreactResnet shaped(int channels, int size, int outputs) {
        return new PreactResnet(channels, size, widths, blocks, pooled, hidden, outputs, activation, slope, scale);
    }

    @Override
    public String words() {
        return "a residual network of pre-activation blocks";
    }

    private ResidualStack stack() {
        return new ResidualStack(
                channels, widths.get(0), widths, blocks, activation, slope, Form.PREACTIVATED, Norm.NONE);
    }

    /** How many numbers the hidden layer sees: convolutions of stride 2 round up. */
    private long features() {
        long side = size;
        for (int stage = 1; stage < widths.size(); stage++) {
            side = (side + 1) / 2;
        }
        return stack().outputs() * (pooled ? 1 : side * side);
    }

    @Override
    public Layout layout() {
        return stack().addTo(new Layout.Builder())
                .linear("hidden", features(), hidden)
                .linear("out", hidden, outputs)
                .build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            Tensor image = images(input);
            Tensor h = stack().apply(parameters, scale == 1 ? image : image.times(scale), Statistics.RUNNING);
            Tensor top = activation.applyOver(h, slope);
            Tensor features = pooled ? top.mean(2L, 3L) : top.flattenSamples();
            Tensor last = activation.applyOver(parameters.linear("hidden", features), slope);
            return scope.keep(parameters.linear("out", last));
        }
    }
}
