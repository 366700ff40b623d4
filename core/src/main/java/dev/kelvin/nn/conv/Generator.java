package dev.kelvin.nn.conv;

import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Doc;
import dev.kelvin.part.Given;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/**
 * From latent vectors [n, latent] to images [n, channels, size, size] in (−1, 1), by transposed convolutions.
 *
 * <p>The first makes a small image of the first of the {@code widths}, as large as the doublings require; then 4×4
 * convolutions of stride 2 double it once for each width, the last to the images' channels; the activation between them and
 * tanh at the end. The size must be a multiple of 2 to the power of the number of widths: three fit 32 (4 → 8 → 16 → 32).
 *
 * <p>Source: Pang et al. 2020, with leaky ReLUs of slope 0.2. Differs from PyTorch's start: weights are uniform on ±1/√(the
 * number of inputs that an output sees), there on ±1/√(outputs · 16).
 */
public record Generator(
        @Given("1") int latent,

        @Doc("the channels before each doubling; the image's size must have as many factors of 2") @Default("[128, 64]")
        List<Integer> widths,

        @Given("1") int channels,

        @Given("1073741824") int size,

        @Doc("the activation after each hidden layer") @Default("leaky-relu")
        Activation activation,

        @Doc("the negative slope of leaky-relu") @Default("0.2")
        double slope)
        implements Network {
    private static final int KERNEL = 4; // of the convolutions that double
    private static final int SEEN = 4; // of its 16 numbers are used for any one pixel, as the stride is 2

    public Generator {
        List<Integer> copy = List.copyOf(widths);
        Check.all(
                () -> Check.atLeast("latent", latent, 1),
                () -> Check.notEmpty("widths", copy),
                () -> Check.eachAtLeast("widths", copy, 1),
                () -> Check.atLeast("channels", channels, 1),
                () -> Check.within("slope", slope, 0, 1));
        widths = copy;
        int doublings = 1 << widths.size();
        if (size < doublings || size % doublings != 0) {
            throw new SettingException(
                    "size",
                    "must be a multiple of " + doublings + ", because " + widths.size()
                            + " widths double the image as often, found " + size);
        }
    }

    @Override
    public Layout layout() {
        Layout.Builder builder = new Layout.Builder();
        long base = base();
        Initialisation first = Initialisation.fanIn(latent);
        builder.add("in.weight", first, (long) latent, (long) widths.get(0), base, base)
                .add("in.bias", first, (long) widths.get(0));
        for (int i = 0; i < widths.size(); i++) {
            long from = widths.get(i);
            long to = after(i);
            Initialisation start = Initialisation.fanIn(SEEN * from);
            builder.add(doubling(i) + ".weight", start, from, to, (long) KERNEL, (long) KERNEL)
                    .add(doubling(i) + ".bias", start, to);
        }
        return builder.build();
    }

    /** Takes latent vectors of another length; its images, which are its outputs, stay. */
    @Override
    public Generator shaped(List<Long> shape, int outputs) {
        Check.require(
                outputs == channels * size * size,
                "outputs",
                "must be the " + channels * size * size + " numbers of its images, found " + outputs);
        return new Generator(Mlp.inputs(shape), widths, channels, size, activation, slope);
    }

    @Override
    public String words() {
        return "a generator of images by transposed convolutions";
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        if (input.dim() != 2 || input.size(1) != latent) {
            throw new IllegalArgumentException("the generator takes [n, " + latent + "], found " + input);
        }
        try (Scope scope = Scope.open()) {
            Tensor h = enlarged(parameters, "in", input.reshape(input.size(0), latent, 1, 1), 1, 0);
            for (int i = 0; i < widths.size(); i++) {
                h = enlarged(parameters, doubling(i), activation.applyOver(h, slope), 2, 1);
            }
            return scope.keep(h.tanh());
        }
    }

    private static Tensor enlarged(Parameters parameters, String name, Tensor x, int stride, int padding) {
        return x.convTranspose2d(parameters.get(name + ".weight"), parameters.get(name + ".bias"), stride, padding);
    }

    /** Floating-point operations of a pass for one latent vector: two for each weight and place where it is used. */
    public double flops() {
        double flops = 2.0 * latent * widths.get(0) * base() * base();
        for (int i = 0; i < widths.size(); i++) {
            double from = (double) (base() << i) * (base() << i);
            flops += 2.0 * widths.get(i) * after(i) * KERNEL * KERNEL * from;
        }
        return flops;
    }

    /** The numbers that all layers put out for one latent vector. */
    public long outputs() {
        return IntStream.rangeClosed(0, widths.size())
                .mapToLong(i -> ((long) base() << (2 * i)) * base() * after(i - 1))
                .sum();
    }

    /** The channels after a doubling; after none, at −1, the first. */
    private int after(int doubling) {
        return doubling + 1 < widths.size() ? widths.get(doubling + 1) : channels;
    }

    private int base() {
        return size >> widths.size();
    }

    private static String doubling(int index) {
        return "doubling" + index;
    }
}
