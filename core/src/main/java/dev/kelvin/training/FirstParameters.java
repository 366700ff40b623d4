package dev.kelvin.training;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.nn.Parameters;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import java.util.Optional;

/** A model's parameters before the first step. */
public final class FirstParameters {
    /** Before the first step: spectral norms begin far too small, running statistics at nothing. */
    private static final int SETTLING = 10;

    private FirstParameters() {}

    /** The keys of a run's beginning: of the parameters, of the replay buffer and of the data. */
    public static Key[] keys(long seed) {
        return KeyDomain.INITIAL.key(seed).split(3);
    }

    /**
     * Drawn by a key, with the base measure fitted to the data, and spectral norms and running statistics settled on draws of
     * them that the seed decides; on a single one for a trial, of which a few steps are only timed.
     */
    public static Parameters of(
            EnergyModel model,
            Key key,
            Optional<BaseMeasure> base,
            SampleSource data,
            long seed,
            int rows,
            boolean trial,
            Device device) {
        Parameters parameters = drawn(model, key, device);
        base.ifPresent(measure -> measure.fit(model.base().orElseThrow(), parameters, data));
        Key settling = KeyDomain.SETTLING.key(seed);
        for (int i = 0; i < (trial ? 1 : SETTLING); i++) {
            try (Scope scope = Scope.open()) {
                model.advance(parameters, data.draw(settling.child(i), rows));
            }
        }
        return parameters;
    }

    /** Drawn by a key, and no more. */
    public static Parameters drawn(EnergyModel model, Key key, Device device) {
        try (Parameters onCpu = model.layout().init(key, DType.FLOAT)) {
            return onCpu.to(device);
        }
    }
}
