package dev.kelvin.nn;

import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.SettingException;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * f(x, y) with the class y in every block of a network: after each of a block's two layers, its norm included and before its
 * activation,
 *
 * <pre>h ← γ_y ⊙ h + β_y,  γ = 1 and β = 0 at first,</pre>
 *
 * one gain γ and one bias β for each class and channel, so that classes can differ in what they look for. Without labels it
 * has an output for each class, and takes as many passes; {@link #given} takes one.
 *
 * <p>Sources: the conditional forms of Du and Mordatch 2019 and Du et al. 2021, after their public code. Differs from the
 * former, which adds β before the convolution, and from the latter, whose γ and β start at random.
 */
public record ClassGains(Modulated inner, int classes) implements WrappedNetwork {
    public ClassGains {
        Check.atLeast("classes", classes, 2);
        if (inner.outputs() != 1) {
            throw new IllegalArgumentException(
                    "a network with class gains has one output, found " + inner.outputs() + " in " + inner);
        }
    }

    /** A network with gains and biases of each class in every block. */
    public static ClassGains of(Network network, int classes) {
        if (network instanceof Modulated modulated) {
            return new ClassGains(modulated, classes);
        }
        String able = Catalogue.choices(Network.class).entrySet().stream()
                .filter(choice -> Modulated.class.isAssignableFrom(choice.getValue()))
                .map(choice -> choice.getKey())
                .collect(Collectors.joining(" and "));
        throw new SettingException(
                "classes", "can be gains only for " + able + ", which have blocks; say 'classes: head'");
    }

    @Override
    public Layout layout() {
        Layout.Builder gains = new Layout.Builder();
        inner.modulatedLayers()
                .forEach((layer, channels) -> gains.add(
                                gain(layer), new Initialisation.Constant(1), (long) classes, (long) channels)
                        .add(bias(layer), Initialisation.zeros(), (long) classes, (long) channels));
        return inner.layout().and(gains.build());
    }

    /** An output is a class here. */
    @Override
    public ClassGains shaped(List<Long> shape, int outputs) {
        return of(inner.shaped(shape, 1), outputs);
    }

    @Override
    public Tensor around(Forward network, Parameters parameters, Tensor input) {
        List<Tensor> each = new ArrayList<>();
        for (int y = 0; y < classes; y++) {
            each.add(apply(parameters, input, y));
        }
        return Tensors.concat(1, each);
    }

    /** One class for all samples, or one for each. */
    private Tensor apply(Parameters parameters, Tensor input, long... labels) {
        return inner.apply(parameters, input, (layer, h) -> {
            Tensor gain = parameters.get(gain(layer)).rows(labels).reshape(labels.length, -1, 1, 1);
            Tensor bias = parameters.get(bias(layer)).rows(labels).reshape(labels.length, -1, 1, 1);
            return h.times(gain).plus(bias);
        });
    }

    @Override
    public Network given(long... labels) {
        return new Given(this, new Labels(labels));
    }

    private record Given(ClassGains inner, Labels labels) implements WrappedNetwork {
        @Override
        public Tensor around(Forward network, Parameters parameters, Tensor input) {
            return inner.apply(parameters, input, labels.require(input).numbers());
        }
    }

    private static String gain(String layer) {
        return layer + ".class.gain";
    }

    private static String bias(String layer) {
        return layer + ".class.bias";
    }
}
