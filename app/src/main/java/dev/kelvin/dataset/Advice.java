package dev.kelvin.dataset;

import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.model.TableProfile;
import dev.kelvin.part.Words;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a model of a table is best trained, for a recipe that leaves parts of this open.
 *
 * @param title of the table
 * @param normalScores whether its columns are mapped to normal scores
 */
public record Advice(TableProfile profile, String title, boolean normalScores) {
    /** What suits an opened table. */
    public static Advice of(TableDataset table) {
        boolean scores = table.split().scaling().kind() == Scaling.Kind.NORMAL_SCORES;
        int rows = table.split().trainRows();
        return new Advice(
                TableProfile.of(rows, table.schema().width(), scores),
                table.spec().title(),
                scores);
    }

    /** What is chosen for the parts that a recipe leaves open, and why. */
    public String words(List<String> open) {
        if (open.isEmpty()) {
            return title + ": the recipe leaves nothing open to be chosen by the table's size";
        }
        Map<String, String> chosen = Map.of(
                "model",
                "two hidden layers of " + profile.width() + " units",
                "negatives",
                TableProfile.BATCH + " chains that take " + profile.steps() + " steps each"
                        + (profile.isWide() ? ", because chains mix the more slowly the more columns there are" : ""),
                "optimiser",
                "a learning rate of " + Words.number(profile.learningRate()),
                "train",
                profile.iterations() + " iterations, and the best of " + TableProfile.CHECKPOINTS
                        + " checkpoints by the likelihood of held-out rows");
        return title + ": " + profile.rows() + " rows of " + profile.columns() + " columns to train on: "
                + open.stream().map(chosen::get).collect(Collectors.joining(", ")) + "."
                + (normalScores
                        ? " Columns become normal scores, because some have heavy tails, skewness or repeated values."
                        : "");
    }
}
