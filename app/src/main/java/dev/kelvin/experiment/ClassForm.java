package dev.kelvin.experiment;

import dev.kelvin.nn.Network;
import java.util.List;

/** How a network takes the class of a sample. */
public enum ClassForm {
    /** An output for each class. */
    HEAD {
        @Override
        Network network(Network model, List<Long> shape, int classes) {
            return model.shaped(shape, classes);
        }
    },
    /** A gain and a bias for each class in every block. */
    GAINS {
        @Override
        Network network(Network model, List<Long> shape, int classes) {
            return model.shaped(shape, 1).byGains(classes);
        }
    };

    /** The network from samples of this shape to a number for each class. */
    abstract Network network(Network model, List<Long> shape, int classes);
}
