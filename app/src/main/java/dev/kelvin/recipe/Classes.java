package dev.kelvin.recipe;

import dev.kelvin.nn.Network;
import java.util.List;

/** How a network takes the class of an image. */
public enum Classes {
    /** An output for each class. */
    HEAD,
    /** A gain and a bias for each class in every block. */
    GAINS;

    /** The network from samples of this shape to a number for each class. */
    public Network network(ModelSpec model, List<Long> shape, int classes) {
        return switch (this) {
            case HEAD -> model.network(shape, classes);
            case GAINS -> model.network(shape, 1).byGains(classes);
        };
    }
}
