package dev.kelvin.dataset;

import dev.kelvin.part.Check;
import java.util.List;
import java.util.Locale;

/**
 * How a model of a table is trained, from its number of rows and columns alone: a network of two layers on a Gaussian base, by
 * persistent MALA chains at a held acceptance, its checkpoint chosen by the likelihood of held-out rows.
 *
 * @param rows that are learnt from
 * @param width of each of two hidden layers
 * @param chains of the replay buffer, all moved in every iteration
 * @param steps of MALA an iteration
 * @param scoreEvery iterations between two checkpoints that are scored
 */
record TableAdvice(
        int rows, int columns, int width, int iterations, int chains, int steps, double learningRate, int scoreEvery) {
    /** Below, half of the iterations find the best checkpoint of a model in whitened columns. */
    private static final int FEW_ROWS = 2000;

    /** Columns from which on two layers of 128 are narrow and chains want twice the steps; not measured. */
    private static final int MANY_COLUMNS = 30;

    private static final int CHAINS = 128;
    private static final int SCORES = 10;

    /**
     * For a table with these numbers of training rows and columns.
     *
     * @param normalScores whether columns are mapped to normal scores before they are whitened: the model is then smooth enough
     *     for twice the learning rate and half the steps, with which chains of a model in whitened columns fall behind it
     */
    static TableAdvice of(int rows, int columns, boolean normalScores) {
        Check.all(() -> Check.atLeast("rows", rows, 1), () -> Check.atLeast("columns", columns, 1));
        boolean wide = columns >= MANY_COLUMNS;
        int iterations = normalScores ? 5000 : rows < FEW_ROWS ? 2500 : 6000;
        int steps = normalScores ? 4 : 8;
        return new TableAdvice(
                rows,
                columns,
                wide ? 192 : 128,
                iterations,
                CHAINS,
                wide ? 2 * steps : steps,
                normalScores ? 2e-3 : 1e-3,
                iterations / SCORES);
    }

    /** As settings of the recipe that trains so. */
    List<String> overrides() {
        return List.of(
                "model.mlp.hidden=[" + width + ", " + width + "]",
                "negatives.count=" + chains,
                "negatives.buffer.size=" + chains,
                "negatives.steps=" + steps,
                "optimiser.adamw.learningRate=" + learningRate,
                "train.iterations=" + iterations,
                "train.checkpointEvery=" + scoreEvery);
    }

    /** What was chosen, and why. */
    String words() {
        return String.format(
                Locale.ROOT,
                "%d rows of %d columns to train on: two hidden layers of %d units, %d iterations, %d chains that take %d steps"
                        + " each%s; the best of %d checkpoints by the likelihood of held-out rows.",
                rows,
                columns,
                width,
                iterations,
                chains,
                steps,
                columns >= MANY_COLUMNS ? ", because chains mix the more slowly the more columns there are" : "",
                SCORES);
    }
}
