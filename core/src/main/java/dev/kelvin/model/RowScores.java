package dev.kelvin.model;

import dev.kelvin.metric.Scores;
import java.util.Arrays;

/**
 * What a model says of each of some samples, as {@code kelvin score} writes it.
 *
 * @param scores f in the samples' own units, p(y|x), and the score that separates samples of the data from others
 * @param logDensity log p; NaN where the normaliser is not known
 * @param quantile of f among held-out samples; NaN where the checkpoint was not judged, or f is NaN
 * @param alarm whether the quantile is as low as an alarm's
 * @param oddest the place of the column that makes a row of a table odd among {@link RowScorer#columns}; −1 where there is none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RowScores(Scores scores, double[] logDensity, double[] quantile, boolean[] alarm, int[] oddest) {
    /** How many samples there are. */
    public int count() {
        return scores.f().length;
    }

    /** How many of them are alarms. */
    public long alarms() {
        int alarms = 0;
        for (boolean one : alarm) {
            alarms += one ? 1 : 0;
        }
        return alarms;
    }

    static int[] none(int count) {
        int[] none = new int[count];
        Arrays.fill(none, -1);
        return none;
    }
}
