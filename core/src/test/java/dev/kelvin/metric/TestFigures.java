package dev.kelvin.metric;

import dev.kelvin.PartProvider;
import dev.kelvin.tensor.Key;
import java.util.List;
import java.util.Map;

/** A user's registration of a figure of merit: one file, one line. */
public final class TestFigures implements PartProvider {
    @Override
    public List<?> parts() {
        return List.of(Contrast.class);
    }

    /** The mean of f at held-out data minus that at training data: what a model has memorised. */
    public record Contrast() implements FigureOfMerit {
        static final Figure CONTRAST = Figure.of(
                        "test_contrast", "f held out minus f in training", "nats", "Below 0 where data were memorised.")
                .higher(-0.1, -3);

        @Override
        public List<Figure> figures() {
            return List.of(CONTRAST);
        }

        @Override
        public Map<String, Double> of(Key key, Judged judged) {
            double heldOut = judged.density().at(judged.heldOut()).mean().item();
            double training = judged.density().at(judged.training()).mean().item();
            return Map.of(CONTRAST.name(), heldOut - training);
        }
    }
}
