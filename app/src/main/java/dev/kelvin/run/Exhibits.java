package dev.kelvin.run;

import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;

/** What is looked at when a model is judged and shown, by the kind of its data. */
public sealed interface Exhibits permits PlaneExhibits, ImageExhibits {
    /** Of the model as it stands. */
    static Exhibits of(Experiment parts, Device device) {
        return parts.images().isPresent() ? ImageExhibits.of(parts, device) : PlaneExhibits.of(parts, device);
    }

    /** Measures everything; the key decides the draws. The listener is told of what takes long. */
    Evaluation evaluate(Key key, Experiment parts, Device device, WorkListener stages);
}
