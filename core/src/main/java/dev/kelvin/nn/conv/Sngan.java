package dev.kelvin.nn.conv;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The residual network of SNGAN's discriminator without norms, as energies of images use it.
 *
 * <p>A block for each of the {@code widths}, of which the first {@code halvings} halve the image; φ, the mean over all pixels,
 * and a linear layer without bias. A block, and the first, which sees the pixels themselves, are
 *
 * <pre>
 * x ← pool(Sx) + pool(W₂φ(W₁φ(x) + b₁) + b₂)
 * x ← S pool(x) + pool(W₂φ(W₁x + b₁) + b₂)
 * </pre>
 *
 * with 3×3 convolutions W₁ and W₂, the mean over 2×2 pixels as pool in blocks that halve, and S a 1×1 convolution where size
 * or channels change, else nothing. Weights begin as in Keras, uniform on ±√(6/(inputs + outputs)), biases at 0.
 *
 * <p>Source: Miyato et al. 2018, without their spectral norms as in Hill et al. 2022, whose network for CIFAR-10 this is with
 * its defaults; 4 204 800 parameters.
 */
@Doc("SNGAN's residual network without norms, for images; with the settings of Hill et al. 2022")
@Cites({"miyato2018", "hill2022"})
public record Sngan(
        @Given("1") int channels,

        @Given("1024") int size,

        @Doc("the channels of each block") @Default("[256, 256, 256, 256]")
        List<Integer> widths,

        @Doc("how many blocks, from the first on, halve the image") @Default("2")
        int halvings,

        @Given("1") int outputs,

        @Doc("the activation after each hidden layer") @Default("relu")
        Activation activation,

        @Doc("the negative slope of leaky-relu") @Default("0.2")
        double slope)
        implements ImageNetwork<Sngan> {
    public Sngan {
        List<Integer> copy = List.copyOf(widths);
        Check.all(
                () -> Check.notEmpty("widths", copy),
                () -> Check.eachAtLeast("widths", copy, 1),
                () -> Check.require(
                        halvings >= 0 && halvings <= copy.size(),
                        "halvings",
                        "must be from 0 to the number of widths, " + copy.size() + ", found " + halvings),
                () -> ImageNetwork.check(channels, size, Math.max(0, halvings)),
                () -> Check.atLeast("outputs", outputs, 1),
                () -> Check.within("slope", slope, 0, 1));
        widths = copy;
    }

    @Override
    public Sngan shaped(int channels, int size, int outputs) {
        return new Sngan(channels, size, widths, halvings, outputs, activation, slope);
    }

    @Override
    public String words() {
        return "SNGAN's residual network without norms";
    }

    private record Block(boolean first, boolean halves, Convolution one, Convolution two, Optional<Convolution> skip) {}

    private List<Block> blocks() {
        List<Block> all = new ArrayList<>();
        int from = channels;
        for (int width : widths) {
            String name = "block" + all.size();
            boolean halves = all.size() < halvings;
            all.add(new Block(
                    all.isEmpty(),
                    halves,
                    Convolution.small(name + ".first", from, width),
                    Convolution.small(name + ".second", width, width),
                    halves || from != width
                            ? Optional.of(Convolution.pixelwise(name + ".skip", from, width, 1, true))
                            : Optional.empty()));
            from = width;
        }
        return all;
    }

    private long features() {
        return widths.get(widths.size() - 1);
    }

    @Override
    public Layout layout() {
        Layout.Builder builder = new Layout.Builder();
        for (Block block : blocks()) {
            block.one.addAsKeras(builder);
            block.two.addAsKeras(builder);
            block.skip.ifPresent(skip -> skip.addAsKeras(builder));
        }
        return builder.add("out.weight", Initialisation.glorot(features(), outputs), (long) outputs, features())
                .build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            Tensor h = images(input);
            for (Block block : blocks()) {
                h = through(block, parameters, h);
            }
            Tensor features = activation.apply(h, slope).mean(2L, 3L);
            return scope.keep(features.matmul(parameters.transposed("out.weight")));
        }
    }

    private Tensor through(Block block, Parameters parameters, Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor seen = block.first ? x : activation.apply(x, slope);
            Tensor inner = activation.applyOver(block.one.apply(parameters, seen), slope);
            Tensor branch = block.two.apply(parameters, inner);
            // the mean over pixels and a 1x1 convolution can change places
            Tensor small = block.halves ? x.averagePool2() : x;
            Tensor skipped =
                    block.skip.map(skip -> skip.apply(parameters, small)).orElse(small);
            return scope.keep((block.halves ? branch.averagePool2() : branch).plus(skipped));
        }
    }
}
