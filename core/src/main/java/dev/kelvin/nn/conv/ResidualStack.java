package dev.kelvin.nn.conv;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The convolutions of a residual network without norms: one to the first of the {@code widths}, then {@code blocks} blocks
 * for each width, of which the first halves the image, except at the first width. A block is two 3×3 convolutions and, where
 * size or channels change, a skip:
 *
 * <pre>
 * x ← φ(W₂φ(W₁x + b₁) + b₂ + Sx)
 * x ← Sx + W₂φ(W₁φ(x) + b₁) + b₂       preactivated; W₂ and b₂ are zero at the start
 * </pre>
 */
record ResidualStack(
        int channels, List<Integer> widths, int blocks, Activation activation, double slope, boolean preactivated) {
    /** Refuses, by their names, settings that no stack can have. */
    static void check(int channels, int size, List<Integer> widths, int blocks, double slope) {
        Check.all(
                () -> new ImageShape(channels, size).halved(Math.max(0, widths.size() - 1)),
                () -> Check.notEmpty("widths", widths),
                () -> Check.eachAtLeast("widths", widths, 1),
                () -> Check.atLeast("blocks", blocks, 1),
                () -> Check.within("slope", slope, 0, 1));
    }

    private record Block(String name, int inputs, int outputs, int stride) {
        Convolution first() {
            return Convolution.small(name + ".first", inputs, outputs, stride);
        }

        Convolution second() {
            return Convolution.small(name + ".second", outputs, outputs);
        }

        Convolution skip() {
            return Convolution.pixelwise(name + ".skip", inputs, outputs, stride, true);
        }

        boolean hasSkip() {
            return stride != 1 || inputs != outputs;
        }
    }

    private List<Block> all() {
        List<Block> all = new ArrayList<>();
        int from = widths.get(0);
        for (int width : widths) {
            for (int block = 0; block < blocks; block++) {
                boolean halves = block == 0 && !all.isEmpty();
                all.add(new Block("block" + all.size(), from, width, halves ? 2 : 1));
                from = width;
            }
        }
        return all;
    }

    private Convolution in() {
        return Convolution.small("in", channels, widths.get(0));
    }

    int outputs() {
        return widths.get(widths.size() - 1);
    }

    Layout.Builder addTo(Layout.Builder builder) {
        in().addTo(builder);
        for (Block block : all()) {
            block.first().addTo(builder);
            if (preactivated) {
                block.second().addTo(builder, Initialisation.zeros());
            } else {
                block.second().addTo(builder);
            }
            if (block.hasSkip()) {
                block.skip().addTo(builder);
            }
        }
        return builder;
    }

    /** The last block's output for images that were required to fit. */
    Tensor apply(Parameters parameters, Tensor input) {
        Tensor first = in().apply(parameters, input);
        Tensor h = preactivated ? first : activation.applyOver(first, slope);
        for (Block block : all()) {
            h = through(block, parameters, h);
        }
        return h;
    }

    private Tensor through(Block block, Parameters parameters, Tensor x) {
        try (Scope scope = Scope.open()) {
            Tensor outer = preactivated ? activation.apply(x, slope) : x;
            Tensor inner = activation.applyOver(block.first().apply(parameters, outer), slope);
            Tensor branch = block.second().apply(parameters, inner);
            Tensor sum = branch.plus(block.hasSkip() ? block.skip().apply(parameters, x) : x);
            return scope.keep(preactivated ? sum : activation.applyOver(sum, slope));
        }
    }
}
