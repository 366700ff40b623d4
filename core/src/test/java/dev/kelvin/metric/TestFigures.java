package dev.kelvin.metric;

import dev.kelvin.metric.figure.Figure;
import dev.kelvin.metric.figure.FigureOfMerit;
import dev.kelvin.metric.figure.Judged;
import dev.kelvin.part.PartProvider;
import dev.kelvin.tensor.Key;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A user's registration of a figure of merit: one file, one line. */
public final class TestFigures implements PartProvider {
    @Override
    public List<?> parts() {
        return List.of(Contrast.class, Extent.class);
    }

    /** The mean of f at held-out data minus that at training data: what a model has memorised. */
    public record Contrast() implements FigureOfMerit {
        public static final Figure CONTRAST = Figure.of("test_contrast", "f held out minus f in training", "nats")
                .meaning("Below 0 where data were memorised.")
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

    /** Two figures, told in another order than they are declared in. */
    public record Extent() implements FigureOfMerit {
        static final Figure LEAST = Figure.of("test_least", "least").meaning("The least coordinate of samples.");
        static final Figure GREATEST = Figure.of("test_greatest", "greatest").meaning("The greatest.");

        @Override
        public List<Figure> figures() {
            return List.of(LEAST, GREATEST);
        }

        @Override
        public Map<String, Double> of(Key key, Judged judged) {
            Map<String, Double> told = new LinkedHashMap<>();
            told.put(GREATEST.name(), judged.samples().max().item());
            told.put(LEAST.name(), judged.samples().min().item());
            return told;
        }
    }
}
