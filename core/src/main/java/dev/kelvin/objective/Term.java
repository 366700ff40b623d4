package dev.kelvin.objective;

import dev.kelvin.Kind;
import dev.kelvin.energy.EnergyModel;
import dev.kelvin.negative.Batch;
import dev.kelvin.negative.DrawnNegatives;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;

/**
 * A term of the loss that needs the samples themselves, not only f there: a gradient through the sampler, an entropy, a
 * penalty on ∇f. It is added to the objective, with its own gradient with respect to the parameters.
 */
@Kind("term")
public interface Term {
    /** The term's value, as it is told under the name of the term, and its gradient, a flat vector as the parameters are. */
    record Value(double value, Tensor gradient) {}

    Value of(Key key, EnergyModel model, Parameters parameters, Batch positives, DrawnNegatives negatives);

    /** What it is, in words. */
    default String words() {
        return "the term " + dev.kelvin.Catalogue.name(getClass());
    }
}
