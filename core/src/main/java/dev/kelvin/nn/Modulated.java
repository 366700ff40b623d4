package dev.kelvin.nn;

import dev.kelvin.tensor.Tensor;
import java.util.Map;

/** A network of images whose blocks can be conditioned, such as on a class, by changing their channels. */
public interface Modulated extends Network {
    /** What becomes of a layer's numbers [n, channels, height, width] before its activation. */
    @FunctionalInterface
    interface Modulation {
        /** The layer's values x with the class's gains. */
        Tensor of(String layer, Tensor x);
    }

    /** Those layers, two in each block, and their numbers of channels. */
    Map<String, Integer> modulatedLayers();

    /** The output, with each block modulated. */
    Tensor apply(Parameters parameters, Tensor input, Modulation modulation);

    /** How many outputs it has. */
    int outputs();

    @Override
    default Tensor apply(Parameters parameters, Tensor input) {
        return apply(parameters, input, (layer, x) -> x);
    }
}
