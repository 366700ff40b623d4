package dev.kelvin.nn.conv;

import dev.kelvin.nn.Initialisation;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.ConvolutionGradients;
import dev.kelvin.tensor.Tensor;

/**
 * A convolution with square kernels: {@code name.weight} [outputs, inputs, kernel, kernel] and, where it has one,
 * {@code name.bias} [outputs].
 */
public record Convolution(String name, int inputs, int outputs, int kernel, int stride, int padding, boolean biased) {
    private static final int SMALL = 3;

    /** 3×3, with a bias; keeps the images' size. */
    static Convolution small(String name, int inputs, int outputs) {
        return small(name, inputs, outputs, 1);
    }

    /** 3×3, with a bias; a stride of 2 halves the images, rounding up. */
    static Convolution small(String name, int inputs, int outputs, int stride) {
        return new Convolution(name, inputs, outputs, SMALL, stride, 1, true);
    }

    static Convolution pixelwise(String name, int inputs, int outputs, int stride, boolean biased) {
        return new Convolution(name, inputs, outputs, 1, stride, 0, biased);
    }

    void addTo(Layout.Builder builder) {
        addTo(builder, Initialisation.fanIn((long) inputs * kernel * kernel));
    }

    /** With other first weights; the biases start as the weights do. */
    void addTo(Layout.Builder builder, Initialisation start) {
        builder.add(weight(), start, (long) outputs, (long) inputs, (long) kernel, (long) kernel);
        if (biased) {
            builder.add(bias(), start, (long) outputs);
        }
    }

    /** As Keras begins: weights by {@link Initialisation#glorot}, biases 0. */
    void addAsKeras(Layout.Builder builder) {
        long area = (long) kernel * kernel;
        Initialisation start = Initialisation.glorot(inputs * area, outputs * area);
        builder.add(weight(), start, (long) outputs, (long) inputs, (long) kernel, (long) kernel);
        if (biased) {
            builder.add(bias(), Initialisation.zeros(), (long) outputs);
        }
    }

    Tensor apply(Parameters parameters, Tensor x) {
        return apply(parameters, parameters.get(weight()), x);
    }

    /** With weights made of the parameters in some other way. */
    Tensor apply(Parameters parameters, Tensor weights, Tensor x) {
        return biased ? x.conv2d(weights, parameters.get(bias()), stride, padding) : x.conv2d(weights, stride, padding);
    }

    /** Without the bias, where it has one. */
    Tensor withoutBias(Parameters parameters, Tensor x) {
        return x.conv2d(parameters.get(weight()), stride, padding);
    }

    /** The gradients that are wanted, given that at the output for this input. */
    ConvolutionGradients gradients(
            Parameters parameters, Tensor input, Tensor gradient, ConvolutionGradients.Wanted wanted) {
        return ConvolutionGradients.of(gradient, input, parameters.get(weight()), stride, padding, wanted);
    }

    String weight() {
        return name + ".weight";
    }

    String bias() {
        return name + ".bias";
    }
}
