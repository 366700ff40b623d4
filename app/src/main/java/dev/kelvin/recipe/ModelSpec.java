package dev.kelvin.recipe;

import dev.kelvin.Check;
import dev.kelvin.Default;
import dev.kelvin.Doc;
import dev.kelvin.SettingException;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Norm;
import java.util.List;

/** The network whose output is f. */
public sealed interface ModelSpec
        permits ModelSpec.Mlp,
                ModelSpec.ResidualMlp,
                ModelSpec.ShortRun,
                ModelSpec.Igebm,
                ModelSpec.ImprovedCd,
                ModelSpec.WideResnet,
                ModelSpec.Resnet {
    /** The network from samples of this shape to so many numbers. */
    Network network(List<Long> shape, int outputs);

    /** Whether it takes images rather than points. */
    default boolean forImages() {
        return false;
    }

    /** Whether it takes classes in its blocks, as {@link Classes#GAINS} gives them. */
    default boolean hasBlocks() {
        return false;
    }

    private static int flat(List<Long> shape) {
        return Math.toIntExact(shape.stream().reduce(1L, Math::multiplyExact));
    }

    @Doc("a fully connected network")
    record Mlp(
            @Doc("the widths of the hidden layers") List<Integer> hidden,

            @Doc("what follows each hidden layer") @Default("leaky-relu")
            Activation activation,

            @Doc("leaky-relu's slope below 0") @Default("0.05")
            double slope)
            implements ModelSpec {
        public Mlp {
            List<Integer> widths = List.copyOf(hidden);
            Check.all(
                    () -> Check.notEmpty("hidden", widths),
                    () -> checkWidths("hidden", widths),
                    () -> Check.within("slope", slope, 0, 1));
            hidden = widths;
        }

        @Override
        public Network network(List<Long> shape, int outputs) {
            return new dev.kelvin.nn.Mlp(flat(shape), hidden, outputs, activation, slope);
        }
    }

    @Doc("a fully connected network of blocks that add to their input")
    record ResidualMlp(
            @Doc("the width of every layer") int width,

            @Doc("the number of blocks") int blocks,

            @Doc("what follows each hidden layer") @Default("leaky-relu")
            Activation activation,

            @Doc("leaky-relu's slope below 0") @Default("0.05")
            double slope)
            implements ModelSpec {
        public ResidualMlp {
            Check.all(
                    () -> Check.atLeast("width", width, 1),
                    () -> Check.atLeast("blocks", blocks, 1),
                    () -> Check.within("slope", slope, 0, 1));
        }

        @Override
        public Network network(List<Long> shape, int outputs) {
            return new dev.kelvin.nn.ResidualMlp(flat(shape), width, blocks, outputs, activation, slope);
        }
    }

    @Doc("the plain convolutional network of short-run energy models, for images of 4 pixels or more")
    record ShortRun(
            @Doc("the channels of the first layer; every halving doubles them") @Default("64")
            int filters,

            @Doc("what follows each hidden layer") @Default("leaky-relu")
            Activation activation,

            @Doc("leaky-relu's slope below 0") @Default("0.2")
            double slope)
            implements ModelSpec {
        public ShortRun {
            Check.all(() -> Check.atLeast("filters", filters, 1), () -> Check.within("slope", slope, 0, 1));
        }

        @Override
        public Network network(List<Long> shape, int outputs) {
            return new dev.kelvin.nn.ShortRun(channels(shape), size(shape), filters, outputs, activation, slope);
        }

        @Override
        public boolean forImages() {
            return true;
        }
    }

    @Doc("IGEBM's residual network with spectral norms, for images")
    record Igebm(
            @Doc("the channels of each stage; every stage halves the image") @Default("[128, 256, 256]")
            List<Integer> widths,

            @Doc("leaky-relu's slope below 0") @Default("0.2")
            double slope)
            implements ModelSpec {
        public Igebm {
            List<Integer> copy = List.copyOf(widths);
            Check.all(
                    () -> Check.notEmpty("widths", copy),
                    () -> checkWidths("widths", copy),
                    () -> Check.within("slope", slope, 0, 1));
            widths = copy;
        }

        @Override
        public Network network(List<Long> shape, int outputs) {
            return new dev.kelvin.nn.Igebm(channels(shape), size(shape), widths, outputs, slope);
        }

        @Override
        public boolean forImages() {
            return true;
        }

        @Override
        public boolean hasBlocks() {
            return true;
        }
    }

    @Doc("improved contrastive divergence's network of several towers, each on a smaller image, with self-attention")
    record ImprovedCd(
            @Doc("the channels of the first layer") @Default("64")
            int filters,

            @Doc("the groups of its norms") @Default("32") int groups,

            @Doc("pairs of blocks of each tower, the full image's first") @Default("[4, 3, 2]")
            List<Integer> pairs)
            implements ModelSpec {
        public ImprovedCd {
            List<Integer> copy = List.copyOf(pairs);
            Check.all(
                    () -> Check.atLeast("filters", filters, 1),
                    () -> Check.atLeast("groups", groups, 1),
                    () -> Check.notEmpty("pairs", copy),
                    () -> checkWidths("pairs", copy));
            pairs = copy;
        }

        @Override
        public Network network(List<Long> shape, int outputs) {
            return new dev.kelvin.nn.ImprovedCd(channels(shape), size(shape), filters, groups, pairs, outputs);
        }

        @Override
        public boolean forImages() {
            return true;
        }

        @Override
        public boolean hasBlocks() {
            return true;
        }
    }

    @Doc("a wide ResNet, for images")
    record WideResnet(
            @Doc("the number of layers, 6n + 4") @Default("28")
            int depth,

            @Doc("how many times as wide as the plain one") @Default("10")
            int width,

            @Doc("what keeps the layers' scales") @Default("none")
            Norm norm,

            @Doc("leaky-relu's slope below 0") @Default("0.2")
            double slope)
            implements ModelSpec {
        public WideResnet {
            Check.all(
                    () -> Check.require(
                            depth >= 10 && depth % 6 == 4,
                            "depth",
                            "must be 10, 16, 22, 28 or another 6n + 4, found " + depth),
                    () -> Check.atLeast("width", width, 1),
                    () -> Check.within("slope", slope, 0, 1));
        }

        @Override
        public Network network(List<Long> shape, int outputs) {
            return new dev.kelvin.nn.WideResnet(channels(shape), size(shape), depth, width, norm, outputs, slope);
        }

        @Override
        public boolean forImages() {
            return true;
        }
    }

    @Doc("a residual network without norms, of ResNet-18's form, for images; paper 003's, where there is time")
    record Resnet(
            @Doc("the channels of each stage; every stage but the first halves the image")
            @Default("[64, 128, 256, 512]")
            List<Integer> widths,

            @Doc("the blocks of each stage") @Default("2") int blocks,

            @Doc("what follows each hidden layer") @Default("leaky-relu")
            Activation activation,

            @Doc("leaky-relu's slope below 0") @Default("0.2")
            double slope)
            implements ModelSpec {
        public Resnet {
            List<Integer> copy = List.copyOf(widths);
            Check.all(
                    () -> Check.notEmpty("widths", copy),
                    () -> checkWidths("widths", copy),
                    () -> Check.atLeast("blocks", blocks, 1),
                    () -> Check.within("slope", slope, 0, 1));
            widths = copy;
        }

        @Override
        public Network network(List<Long> shape, int outputs) {
            return new dev.kelvin.nn.Resnet(channels(shape), size(shape), widths, blocks, outputs, activation, slope);
        }

        @Override
        public boolean forImages() {
            return true;
        }
    }

    private static int channels(List<Long> shape) {
        return Math.toIntExact(shape.get(0));
    }

    /** Of square images. */
    private static int size(List<Long> shape) {
        if (!shape.get(1).equals(shape.get(2))) {
            throw new SettingException("model", "takes square images, found " + shape.get(1) + "x" + shape.get(2));
        }
        return Math.toIntExact(shape.get(1));
    }

    private static void checkWidths(String name, List<Integer> widths) {
        for (int i = 0; i < widths.size(); i++) {
            Check.atLeast(name + "." + i, widths.get(i), 1);
        }
    }
}
