package com.example.kelvin;

import dev.kelvin.data.image.Digits;
import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.metric.Score;
import dev.kelvin.metric.Scores;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.train.TrainedModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;

/** Loads a run's model and asks it of images: f, p(y|x), the likeliest class, and whether they are like the data. */
public final class ScoreImages {
    private ScoreImages() {}

    /** The share of the first digits whose likeliest class is the right one. */
    public static double accuracy(Path run, int count) throws IOException {
        try (Scope scope = Scope.open();
                ImageSet digits = Digits.load();
                TrainedModel model = TrainedModel.load(run)) {
            Tensor unit = digits.images(LongStream.range(0, count).toArray());
            Scores scores = model.scores(new PixelRange(-1, 1).fromUnit(unit), Score.F); // as in the recipe
            int right = 0;
            for (int i = 0; i < count; i++) {
                right += scores.predicted(i) == digits.label(i) ? 1 : 0;
            }
            return (double) right / count;
        }
    }
}
