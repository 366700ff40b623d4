package dev.kelvin.nn.conv;

import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Modulated;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.part.Cites;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The residual network of IGEBM in its compact form; spectral norms keep its energy smooth.
 *
 * <p>A 3×3 convolution to the first of the {@code widths}; for each width two blocks, of which the first halves the image;
 * ReLU, the sum over all pixels, and a linear layer. A block is
 *
 * <pre>x ← φ(pool(W₂φ(W₁x + b₁) + b₂ + Sx))</pre>
 *
 * with 3×3 convolutions W₁ and W₂, the mean over 2×2 pixels as pool in blocks that halve, and S a 1×1 convolution without
 * bias where size or channels change, else nothing. The convolutions' weights are under a {@link SpectralNorm}, W₂ under a
 * bound, so that it can start near zero and the network as a shallow one; the linear layer's only with {@code
 * normedOutput}. Any size fits that has a pixel for each halving (28 → 14 → 7 → 4).
 *
 * <p>Source: Du and Mordatch 2019; Zhang 2021. φ is a leaky ReLU, there of slope 0.2.
 */
@Doc("IGEBM's residual network with spectral normalisation, for images")
@Cites({"du2019", "miyato2018"})
public record Igebm(
        @Given("1") int channels,

        @Given("1024") int size,

        @Doc("the channels of each stage; every stage halves the image") @Default("[128, 256, 256]")
        List<Integer> widths,

        @Given("1") int outputs,

        @Doc("the negative slope of leaky-relu") @Default("0.2")
        double slope,

        @Doc("spectral normalisation of the last, linear layer too, which IGEBM does not have") @Default("false")
        boolean normedOutput)
        implements Modulated, ImageNetwork<Igebm> {
    /** Far below the skip's numbers, and far above the smallest float even when squared. */
    private static final Initialisation NEAR_ZERO = new Initialisation.Normal(1e-6);

    private static final String OUT = "out.weight";

    public Igebm {
        List<Integer> copy = List.copyOf(widths);
        Check.all(
                () -> ImageNetwork.check(channels, size, copy.size()),
                () -> Check.notEmpty("widths", copy),
                () -> Check.eachAtLeast("widths", copy, 1),
                () -> Check.atLeast("outputs", outputs, 1),
                () -> Check.within("slope", slope, 0, 1));
        widths = copy;
    }

    @Override
    public Igebm shaped(int channels, int size, int outputs) {
        return new Igebm(channels, size, widths, outputs, slope, normedOutput);
    }

    @Override
    public String words() {
        return "a residual network with spectral normalisation";
    }

    /** A convolution under its norm. */
    private record Layer(Convolution convolution, SpectralNorm norm) {
        static Layer of(Convolution convolution, boolean bound) {
            return new Layer(convolution, new SpectralNorm(convolution.weight(), bound));
        }

        void addTo(Layout.Builder builder) {
            if (norm.bound()) {
                convolution.addTo(builder, NEAR_ZERO);
            } else {
                convolution.addTo(builder);
            }
            norm.addTo(builder, convolution.outputs());
        }

        Tensor apply(Parameters parameters, Tensor x) {
            return convolution.apply(parameters, norm.of(parameters), x);
        }
    }

    private record Block(Layer first, Layer second, Optional<Layer> skip, boolean halves) {
        static Block of(String name, int inputs, int outputs, boolean halves) {
            return new Block(
                    Layer.of(Convolution.small(name + ".first", inputs, outputs), false),
                    Layer.of(Convolution.small(name + ".second", outputs, outputs), true),
                    halves || inputs != outputs
                            ? Optional.of(
                                    Layer.of(Convolution.pixelwise(name + ".skip", inputs, outputs, 1, false), false))
                            : Optional.empty(),
                    halves);
        }

        Stream<Layer> branch() {
            return Stream.of(first, second);
        }

        Stream<Layer> layers() {
            return Stream.concat(branch(), skip.stream());
        }

        Tensor apply(Parameters parameters, Tensor x, double slope, Modulation modulation) {
            try (Scope scope = Scope.open()) {
                Tensor inner = modulated(modulation, first, parameters, x).leakyReluInPlace(slope);
                Tensor branch = modulated(modulation, second, parameters, inner);
                Tensor sum = branch.plus(
                        skip.map(layer -> layer.apply(parameters, x)).orElse(x));
                return scope.keep((halves ? sum.averagePool2() : sum).leakyReluInPlace(slope));
            }
        }

        private static Tensor modulated(Modulation modulation, Layer layer, Parameters parameters, Tensor x) {
            return modulation.of(layer.convolution().name(), layer.apply(parameters, x));
        }
    }

    private Layer in() {
        return Layer.of(Convolution.small("in", channels, widths.get(0)), false);
    }

    private List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        int from = widths.get(0);
        for (int width : widths) {
            blocks.add(Block.of("block" + blocks.size(), from, width, true));
            blocks.add(Block.of("block" + blocks.size(), width, width, false));
            from = width;
        }
        return blocks;
    }

    private int last() {
        return widths.get(widths.size() - 1);
    }

    private Optional<SpectralNorm> outNorm() {
        return normedOutput ? Optional.of(new SpectralNorm(OUT, false)) : Optional.empty();
    }

    private Tensor outWeights(Parameters parameters) {
        return outNorm().map(norm -> norm.of(parameters)).orElseGet(() -> parameters.get(OUT));
    }

    @Override
    public Layout layout() {
        Layout.Builder builder = new Layout.Builder();
        in().addTo(builder);
        blocks().forEach(block -> block.layers().forEach(layer -> layer.addTo(builder)));
        builder.linear("out", last(), outputs);
        outNorm().ifPresent(norm -> norm.addTo(builder, outputs));
        return builder.build();
    }

    @Override
    public Map<String, Integer> modulatedLayers() {
        Map<String, Integer> layers = new LinkedHashMap<>();
        blocks().forEach(block -> block.branch()
                .forEach(layer -> layers.put(
                        layer.convolution().name(), layer.convolution().outputs())));
        return layers;
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input, Modulation modulation) {
        try (Scope scope = Scope.open()) {
            images(input);
            Tensor h = in().apply(parameters, input).leakyReluInPlace(slope);
            for (Block block : blocks()) {
                h = block.apply(parameters, h, slope, modulation);
            }
            Tensor features = h.relu().sum(2L, 3L);
            return scope.keep(features.affine(outWeights(parameters).transpose(), parameters.get("out.bias")));
        }
    }

    @Override
    public Parameters frozen(Parameters parameters) {
        Map<String, Tensor> made = new HashMap<>();
        norms().forEach(norm -> norm.freeze(parameters, made));
        return parameters.with(made);
    }

    @Override
    public void advance(Parameters parameters, Tensor input) {
        norms().forEach(norm -> norm.advance(parameters));
    }

    private List<SpectralNorm> norms() {
        List<SpectralNorm> norms = new ArrayList<>(List.of(in().norm()));
        outNorm().ifPresent(norms::add);
        blocks().forEach(block -> block.layers().forEach(layer -> norms.add(layer.norm())));
        return norms;
    }
}
