package dev.kelvin.nn;

import dev.kelvin.Check;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

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
 * <p>Source: He et al. 2016; paper 003, with T − 1 outputs and leaky ReLUs. As there is no norm, every layer has a bias.
 */
public record Resnet(int channels, int size, List<Integer> widths, int blocks, int outputs, Activation activation)
        implements Network {
    public Resnet {
        Check.notEmpty("widths", widths);
        widths = List.copyOf(widths);
        for (int width : widths) {
            Check.atLeast("widths", width, 1);
        }
        Check.atLeast("blocks", blocks, 1);
        Check.atLeast("outputs", outputs, 1);
        new ImageShape(channels, size).halved(widths.size() - 1);
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

        void addTo(Layout.Builder builder) {
            first().addTo(builder);
            second().addTo(builder);
            if (hasSkip()) {
                skip().addTo(builder);
            }
        }

        Tensor apply(Parameters parameters, Tensor x, Activation activation) {
            try (Scope scope = Scope.open()) {
                Tensor inner = activation.applyOver(first().apply(parameters, x));
                Tensor branch = second().apply(parameters, inner);
                Tensor sum = branch.plus(hasSkip() ? skip().apply(parameters, x) : x);
                return scope.keep(activation.applyOver(sum));
            }
        }
    }

    private Convolution in() {
        return Convolution.small("in", channels, widths.get(0));
    }

    private List<Block> allBlocks() {
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

    @Override
    public Layout layout() {
        Layout.Builder builder = new Layout.Builder();
        in().addTo(builder);
        allBlocks().forEach(block -> block.addTo(builder));
        return builder.linear("out", widths.get(widths.size() - 1), outputs).build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            new ImageShape(channels, size).require(input);
            Tensor h = activation.applyOver(in().apply(parameters, input));
            for (Block block : allBlocks()) {
                h = block.apply(parameters, h, activation);
            }
            Tensor features = h.mean(2L, 3L);
            return scope.keep(features.affine(parameters.transposed("out.weight"), parameters.get("out.bias")));
        }
    }
}
