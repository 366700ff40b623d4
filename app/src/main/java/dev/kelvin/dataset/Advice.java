package dev.kelvin.dataset;

import dev.kelvin.data.table.scale.Scaling;
import java.util.List;

/**
 * Settings of a recipe that suit its data.
 *
 * @param overrides as --set takes them; empty if any settings suit
 * @param words what they were chosen by
 */
public record Advice(List<String> overrides, String words) {
    /** What suits opened data. */
    public static Advice of(Data data) {
        if (!(data instanceof TableDataset table)) {
            return new Advice(List.of(), "");
        }
        boolean scores = table.scaling().kind() == Scaling.Kind.NORMAL_SCORES;
        TableAdvice advice = TableAdvice.of(
                (int) table.file().train().size(0), table.schema().width(), scores);
        String why = scores
                ? " Columns become normal scores, because some have heavy tails, skewness or repeated values."
                : "";
        return new Advice(advice.overrides(), table.spec().title() + ": " + advice.words() + why);
    }
}
