package dev.kelvin.energy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kelvin.nn.Layout;
import dev.kelvin.nn.Parameters;
import dev.kelvin.nn.Pullback;
import dev.kelvin.tensor.Tensor;

/** A family of log-densities with parameters. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ScalarEnergy.class, name = "scalar"),
    @JsonSubTypes.Type(value = ClassEnergy.class, name = "classes"),
    @JsonSubTypes.Type(value = TimeEnergy.class, name = "time-joint")
})
public interface EnergyModel {
    Layout layout();

    /** The density with these parameters, held fixed: what is sampled, scored and drawn. */
    LogDensity bind(Parameters parameters);

    /** f at the samples, [n], with the way back to the parameters: what is trained. */
    Pullback pullback(Parameters parameters, Tensor x);

    /** The same of samples of given classes, the i-th of class {@code labels[i]}; most models have no classes. */
    default Pullback pullback(Parameters parameters, Tensor x, long... labels) {
        return pullback(parameters, x);
    }

    /**
     * Moves, in place, what the parameters hold and training does not move (see {@code Network.advance}): after every step
     * of the optimiser, with its positives.
     */
    default void advance(Parameters parameters, Tensor positives) {}
}
