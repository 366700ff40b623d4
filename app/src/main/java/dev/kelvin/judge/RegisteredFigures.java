package dev.kelvin.judge;

import dev.kelvin.energy.LogDensity;
import dev.kelvin.experiment.Experiment;
import dev.kelvin.metric.figure.FigureOfMerit;
import dev.kelvin.metric.figure.Judged;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.Map;

/** The registered figures of merit, of any model: each is measured for every run. */
final class RegisteredFigures {
    /** Samples of each kind that they are given, at most. */
    static final int SAMPLES = 1_000;

    private RegisteredFigures() {}

    /** Of samples of the model and held-out data, both as the model sees them. */
    static Map<String, Double> of(Key key, Experiment experiment, Tensor samples, Tensor heldOut) {
        Judged judged = new View(
                experiment.model().density(),
                some(samples),
                some(heldOut),
                experiment.data().draws().draw(key.child(0), SAMPLES));
        return FigureOfMerit.all(key, judged);
    }

    private static Tensor some(Tensor x) {
        return x.narrow(0, 0, Math.min(SAMPLES, x.size(0)));
    }

    private record View(LogDensity density, Tensor samples, Tensor heldOut, Tensor training) implements Judged {}
}
