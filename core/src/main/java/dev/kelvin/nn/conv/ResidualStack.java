package dev.kelvin.nn.conv;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.conv.NormLayer.Statistics;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The convolutions of a residual network: its stem, to {@code first} channels, then {@code blocks} blocks for each of the
 * {@code widths}, of which the first halves the image, except at the first width. A block is two 3×3 convolutions and, where
 * size or channels change, a skip; see {@link Form}.
 */
record ResidualStack(
        int channels,
        int first,
        List<Integer> widths,
        int blocks,
        Activation activation,
        double slope,
        Form form,
        Norm norm,
        Stem stem) {
    /** With a 3×3 convolution that keeps the images' size before the blocks. */
    ResidualStack(
            int channels,
            int first,
            List<Integer> widths,
            int blocks,
            Activation activation,
            double slope,
            Form form,
            Norm norm) {
        this(channels, first, widths, blocks, activation, slope, form, norm, Stem.SMALL);
    }

    /** What a block is, and which of its convolutions halves the image. */
    enum Form {
        /** x ← φ(W₂φ(W₁x + b₁) + b₂ + Sx), W₁ of stride 2. */
        PLAIN,

        /** x ← Sx + W₂φ(W₁φ(x) + b₁) + b₂, W₁ of stride 2; W₂ and b₂ are zero at the start. */
        PREACTIVATED,

        /** x ← Sx + W₂φ(N₂(W₁φ(N₁(x)) + b₁)) + b₂, W₂ of stride 2. */
        WIDE
    }

    /** Refuses, by their names, settings that no stack can have. */
    static void check(int channels, int size, List<Integer> widths, int blocks, double slope, Stem stem) {
        Check.all(
                () -> ImageNetwork.check(channels, size, stem.halvings() + Math.max(0, widths.size() - 1)),
                () -> Check.notEmpty("widths", widths),
                () -> Check.eachAtLeast("widths", widths, 1),
                () -> Check.atLeast("blocks", blocks, 1),
                () -> Check.within("slope", slope, 0, 1));
    }

    /** Two convolutions, their norms and, where size or channels change, a skip. */
    record Block(
            NormLayer firstNorm,
            Convolution first,
            NormLayer secondNorm,
            Convolution second,
            Optional<Convolution> skip) {}

    private Block block(String name, int inputs, int outputs, int stride) {
        boolean wide = form == Form.WIDE;
        return new Block(
                new NormLayer(name + ".first.norm", inputs, norm),
                Convolution.small(name + ".first", inputs, outputs, wide ? 1 : stride),
                new NormLayer(name + ".second.norm", outputs, norm),
                Convolution.small(name + ".second", outputs, outputs, wide ? stride : 1),
                stride == 1 && inputs == outputs
                        ? Optional.empty()
                        : Optional.of(Convolution.pixelwise(name + ".skip", inputs, outputs, stride, true)));
    }

    List<Block> all() {
        List<Block> all = new ArrayList<>();
        int from = first;
        for (int width : widths) {
            for (int block = 0; block < blocks; block++) {
                boolean halves = block == 0 && !all.isEmpty();
                all.add(block("block" + all.size(), from, width, halves ? 2 : 1));
                from = width;
            }
        }
        return all;
    }

    Convolution in() {
        return stem.convolution("in", channels, first);
    }

    int outputs() {
        return widths.get(widths.size() - 1);
    }

    Layout.Builder addTo(Layout.Builder builder) {
        in().addTo(builder);
        for (Block block : all()) {
            block.firstNorm.addTo(builder);
            block.first.addTo(builder);
            block.secondNorm.addTo(builder);
            if (form == Form.PREACTIVATED) {
                block.second.addTo(builder, Initialisation.zeros());
            } else {
                block.second.addTo(builder);
            }
            block.skip.ifPresent(skip -> skip.addTo(builder));
        }
        return builder;
    }

    /** The last block's output for images that were required to fit. */
    Tensor apply(Parameters parameters, Tensor input, Statistics statistics) {
        Tensor first = in().apply(parameters, input);
        Tensor h = stem.pooled(form == Form.PLAIN ? activation.applyOver(first, slope) : first);
        for (Block block : all()) {
            h = through(block, parameters, h, statistics);
        }
        return h;
    }

    private Tensor through(Block block, Parameters parameters, Tensor x, Statistics statistics) {
        try (Scope scope = Scope.open()) {
            Tensor normed = block.firstNorm.apply(parameters, x, statistics);
            Tensor outer = form == Form.PLAIN ? normed : activation.apply(normed, slope);
            Tensor a = block.secondNorm.apply(parameters, block.first.apply(parameters, outer), statistics);
            Tensor branch = block.second.apply(parameters, activation.applyOver(a, slope));
            Tensor sum = branch.plus(
                    block.skip.map(skip -> skip.apply(parameters, x)).orElse(x));
            return scope.keep(form == Form.PLAIN ? activation.applyOver(sum, slope) : sum);
        }
    }
}
