package dev.kelvin.recipe;

import dev.kelvin.nn.ClassGains;
import dev.kelvin.nn.Network;
import dev.kelvin.part.Cites;
import java.util.List;

/** How a network takes the class of a sample. */
public enum ClassForm {
    /** An output for each class. */
    @Cites("grathwohl2020")
    HEAD {
        @Override
        public Network network(Network model, List<Long> shape, int classes) {
            return model.shaped(shape, classes);
        }
    },
    /** A gain and a bias for each class in every block. */
    @Cites("du2019")
    GAINS {
        @Override
        public Network network(Network model, List<Long> shape, int classes) {
            return ClassGains.of(model.shaped(shape, 1), classes);
        }
    };

    /** The network from samples of this shape to a number for each class. */
    public abstract Network network(Network model, List<Long> shape, int classes);
}
