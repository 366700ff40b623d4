package dev.kelvin.experiment;

import dev.kelvin.Catalogue;
import dev.kelvin.energy.LogDensity;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/** The registered figures of merit, of any model: each is measured for every run. */
final class Merits {
    /** Samples of each kind that they are given, at most. */
    static final int SAMPLES = 1_000;

    private Merits() {}

    /** Of samples of the model and held-out data, both as the model sees them. */
    static Map<String, Double> of(Key key, Experiment experiment, Tensor samples, Tensor heldOut) {
        Judged judged = new View(
                experiment.density(), some(samples), some(heldOut), experiment.data().draws().draw(key.child(0), SAMPLES));
        Map<String, Double> figures = new LinkedHashMap<>();
        int child = 1;
        for (FigureOfMerit merit : Catalogue.instances(FigureOfMerit.class)) {
            figures.putAll(merit.of(key.child(child++), judged));
        }
        return figures;
    }

    private static Tensor some(Tensor x) {
        return x.narrow(0, 0, Math.min(SAMPLES, x.size(0)));
    }

    private record View(LogDensity density, Tensor samples, Tensor heldOut, Tensor training) implements Judged {}
}
