package dev.kelvin.nn.conv;

import dev.kelvin.nn.Activation;
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

/**
 * The plain convolutional network of short-run energy models; the smallest of the image networks, and without norms.
 *
 * <p>A 3×3 convolution to {@code filters} channels, then 4×4 convolutions of stride 2 that halve the image and double the
 * channels, then one that covers what is left and gives the outputs; the activation between them. The number of halvings
 * follows from the size: as many as leave at least 4×4 pixels, half of an odd size rounded down.
 *
 * <p>Source: Nijkamp et al. 2019, as used in <em>Robust to Inaccurate SGLD Samples</em>, with a leaky ReLU of slope 0.2.
 */
@Doc("the plain convolutional network of short-run energy models, for images of 4 pixels or more")
@Cites("nijkamp2019")
public record ShortRun(
        @Given("1") int channels,

        @Given("1024") int size,

        @Doc("the channels of the first layer; every halving doubles them") @Default("64")
        int filters,

        @Given("1") int outputs,

        @Doc("the activation after each hidden layer") @Default("leaky-relu")
        Activation activation,

        @Doc("the negative slope of leaky-relu") @Default("0.2")
        double slope)
        implements ImageNetwork<ShortRun> {
    private static final int SMALLEST = 4; // what the last convolution covers, at least
    private static final int HALVING = 4; // the kernel of the convolutions that halve

    public ShortRun {
        Check.all(
                () -> Check.atLeast("channels", channels, 1),
                () -> Check.atLeast("size", size, SMALLEST),
                () -> Check.atLeast("filters", filters, 1),
                () -> Check.atLeast("outputs", outputs, 1),
                () -> Check.within("slope", slope, 0, 1));
    }

    @Override
    public ShortRun shaped(int channels, int size, int outputs) {
        return new ShortRun(channels, size, filters, outputs, activation, slope);
    }

    @Override
    public String words() {
        return "a convolutional network that begins with " + filters + " filters";
    }

    @Override
    public Layout layout() {
        Layout.Builder builder = new Layout.Builder();
        convolutions().forEach(convolution -> convolution.addTo(builder));
        return builder.build();
    }

    @Override
    public Tensor apply(Parameters parameters, Tensor input) {
        try (Scope scope = Scope.open()) {
            List<Convolution> convolutions = convolutions();
            int last = convolutions.size() - 1;
            Tensor h = images(input);
            for (Convolution convolution : convolutions.subList(0, last)) {
                h = activation.applyOver(convolution.apply(parameters, h), slope);
            }
            return scope.keep(convolutions.get(last).apply(parameters, h).reshape(input.size(0), outputs));
        }
    }

    private List<Convolution> convolutions() {
        List<Convolution> all = new ArrayList<>();
        all.add(Convolution.small("in", channels, filters));
        int width = filters;
        int left = size;
        while (left >= 2 * SMALLEST) {
            all.add(new Convolution("halving" + (all.size() - 1), width, 2 * width, HALVING, 2, 1, true));
            width *= 2;
            left /= 2;
        }
        all.add(new Convolution("out", width, outputs, left, 1, 0, true));
        return all;
    }
}
