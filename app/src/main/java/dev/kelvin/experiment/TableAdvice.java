package dev.kelvin.experiment;

import dev.kelvin.Check;
import java.util.List;
import java.util.Locale;

/**
 * How a model of a table is trained, from its number of rows and columns alone: a network of two layers on a Gaussian base, by
 * persistent MALA chains at a held acceptance, its checkpoint chosen by the likelihood of held-out rows.
 *
 * @param width of each of two hidden layers
 * @param chains of the replay buffer, all moved in every iteration
 * @param steps of MALA an iteration
 * @param heldOut rows that choose the checkpoint and are not trained on
 * @param scoreEvery iterations between two checkpoints that are scored
 * @param scoreChains chains of the short annealed importance sampling by which they are
 * @param scoreDensities its densities
 */
public record TableAdvice(
        int rows,
        int columns,
        int width,
        int iterations,
        int batch,
        int chains,
        int steps,
        double learningRate,
        double weightDecay,
        double ema,
        double clipNorm,
        double acceptance,
        int heldOut,
        int scoreEvery,
        int scoreChains,
        int scoreDensities) {
    /** Below, half of the iterations find the best checkpoint. */
    private static final int FEW_ROWS = 2000;

    /** Below, there are no rows to spare that would tell one checkpoint from another. */
    private static final int FEWEST = 20;

    private static final double HELD_OUT = 0.1;
    private static final int MOST_HELD_OUT = 2000;

    /** Columns from which on two layers of 128 are narrow and chains want twice the steps; not measured. */
    private static final int MANY_COLUMNS = 30;

    /**
     * For a table of so many training rows and columns.
     *
     * @param normalScores whether columns are mapped to normal scores before they are whitened: the model is then smooth enough
     *     for twice the learning rate and half the steps, with which chains of a model in whitened columns fall behind it
     */
    public static TableAdvice of(int rows, int columns, boolean normalScores) {
        Check.all(() -> Check.atLeast("rows", rows, 1), () -> Check.atLeast("columns", columns, 1));
        boolean few = rows < FEW_ROWS;
        boolean wide = columns >= MANY_COLUMNS;
        int iterations = normalScores ? 5000 : few ? 2500 : 6000;
        int steps = normalScores ? 4 : 8;
        return new TableAdvice(
                rows,
                columns,
                wide ? 192 : 128,
                iterations,
                128,
                128,
                wide ? 2 * steps : steps,
                normalScores ? 2e-3 : 1e-3,
                0.01,
                0.998,
                5,
                0.6,
                Math.max(FEWEST, Math.min(MOST_HELD_OUT, (int) (HELD_OUT * rows))),
                iterations / 10,
                128,
                wide ? 120 : 60);
    }

    /** As settings of the recipe that trains so. */
    List<String> overrides() {
        return List.of(
                "model.mlp.hidden=[" + width + ", " + width + "]",
                "negatives.count=" + chains,
                "negatives.buffer.size=" + chains,
                "negatives.steps=" + steps,
                "negatives.adapt.acceptance=" + acceptance,
                "optimiser.adamw.learningRate=" + learningRate,
                "optimiser.adamw.weightDecay=" + weightDecay,
                "optimiser.adamw.clipNorm=" + clipNorm,
                "train.iterations=" + iterations,
                "train.batch=" + batch,
                "train.ema=" + ema,
                "train.checkpointEvery=" + scoreEvery);
    }

    /** What was chosen, and why. */
    public String words() {
        return String.format(
                Locale.ROOT,
                "%d rows of %d columns: two hidden layers of %d units, %d iterations%s, %d chains that take %d steps each%s;"
                        + " %d rows are held out, and the checkpoint under which they are likeliest is kept.",
                rows,
                columns,
                width,
                iterations,
                rows < FEW_ROWS ? ", of which the last may learn so few rows by heart" : "",
                chains,
                steps,
                columns >= MANY_COLUMNS ? ", because chains mix the more slowly the more columns there are" : "",
                heldOut);
    }
}
