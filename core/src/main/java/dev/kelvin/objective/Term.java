package dev.kelvin.objective;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.ChainRequest;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.part.Kind;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.Map;

/**
 * A term of the loss that needs the samples themselves, not only f there: a gradient through the sampler, an entropy, a
 * penalty on ∇f. It is added to the objective, with its own gradient with respect to the parameters.
 */
@Kind("term")
public interface Term {
    /**
     * The term's value, logged as its {@link #figure}, its gradient, a flat vector as the parameters are, and other figures
     * by name.
     */
    record Value(double value, Tensor gradient, Map<String, Double> parts) {
        public Value {
            parts = Map.copyOf(parts);
        }

        /** A value without parts. */
        public Value(double value, Tensor gradient) {
            this(value, gradient, Map.of());
        }
    }

    /** The term's value and its gradient with respect to the parameters, as one flat vector. */
    Value of(Key key, EnergyModel model, Parameters parameters, Batch positives, DrawnNegatives negatives);

    /** Whether its weight is 0, so that it is left out. */
    default boolean off() {
        return false;
    }

    /** What it needs to know of the negatives beside themselves. */
    default ChainRequest wanted() {
        return ChainRequest.NOTHING;
    }

    /** The name of its value in the log. */
    default String figure() {
        return dev.kelvin.part.Catalogue.name(getClass());
    }

    /** What it is, in words. */
    default String words() {
        return "the term " + dev.kelvin.part.Catalogue.name(getClass());
    }
}
