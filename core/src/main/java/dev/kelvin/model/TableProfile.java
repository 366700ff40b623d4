package dev.kelvin.model;

import dev.kelvin.negative.ComponentSteps;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.Mlp;
import dev.kelvin.nn.Network;
import dev.kelvin.optim.Adamw;
import dev.kelvin.optim.Optimiser;
import dev.kelvin.optim.Schedule;
import dev.kelvin.part.Check;
import dev.kelvin.sample.Mala;
import java.util.List;
import java.util.Optional;

/**
 * How a plain model of a table is trained, from the number of rows and columns alone: a network of two layers on a Gaussian base, by
 * persistent MALA chains at a held acceptance, its checkpoint chosen by the likelihood of held-out rows.
 */
public record TableProfile(int rows, int columns, int width, int steps, double learningRate, int iterations) {
    /** The standard deviation of the noise on every value in training, in standard deviations of its column. */
    public static final double NOISE = 0.1;

    /** The number of rows, and of chains, in an iteration; the replay buffer holds as many: all chains move in every iteration. */
    public static final int BATCH = 128;

    /** The number of steps of chains from fresh starts. */
    public static final int SAMPLE_STEPS = 120;

    /** The decay of the average of the parameters. */
    public static final double EMA = 0.998;

    /** The number of checkpoints that are compared. */
    public static final int CHECKPOINTS = 10;

    /** Of a table that has not been read. */
    public static final TableProfile UNREAD = of(1, 1, false);

    /** Below, half of the iterations find the best checkpoint of a model in whitened columns. */
    private static final int FEW_ROWS = 2000;

    /** Columns from which on two layers of 128 are narrow and chains want twice the steps; not measured. */
    private static final int MANY_COLUMNS = 30;

    private static final double HELD_OUT_OF_FEW = 0.1;
    private static final double HELD_OUT = 0.2;
    private static final double STEP_SIZE = 0.2;
    private static final double ACCEPTANCE = 0.6;
    private static final double CLIP_NORM = 5;
    private static final double SLOPE = 0.05; // which SiLU has no use for

    /**
     * Of a table with this number of training rows and columns.
     *
     * @param normalScores whether columns are mapped to normal scores before they are whitened: the model is then smooth enough
     *     for twice the learning rate and half the steps, with which chains of a model in whitened columns fall behind it
     */
    public static TableProfile of(int rows, int columns, boolean normalScores) {
        Check.all(() -> Check.atLeast("rows", rows, 1), () -> Check.atLeast("columns", columns, 1));
        boolean wide = columns >= MANY_COLUMNS;
        int steps = normalScores ? 4 : 8;
        return new TableProfile(
                rows,
                columns,
                wide ? 192 : 128,
                wide ? 2 * steps : steps,
                normalScores ? 2e-3 : 1e-3,
                normalScores ? 5000 : rows < FEW_ROWS ? 2500 : 6000);
    }

    /** The share of a table's rows that is held out. */
    public static double heldOut(int rows) {
        return rows < FEW_ROWS ? HELD_OUT_OF_FEW : HELD_OUT;
    }

    /** Whether chains take twice the steps, because they mix the more slowly the more columns there are. */
    public boolean isWide() {
        return columns >= MANY_COLUMNS;
    }

    /** The network under which the Gaussian lies. */
    public Network network() {
        return new Mlp(1, List.of(width, width), 1, Activation.SILU, SLOPE);
    }

    /** Where chains begin. */
    public Start start() {
        return new Start.GaussianStart(Optional.empty(), 1);
    }

    /** What moves the chains, until its step size is adapted. */
    public Mala kernel() {
        return Mala.of(STEP_SIZE);
    }

    /** The acceptance that the step size is adapted to. */
    public ComponentSteps.Adapt adapt() {
        return new ComponentSteps.Adapt(ACCEPTANCE);
    }

    /** What moves the parameters. */
    public Optimiser optimiser() {
        return Adamw.of(learningRate).withSchedule(new Schedule.Cosine(0, 0)).withClipNorm(CLIP_NORM);
    }

    /** The number of iterations between two checkpoints. */
    public int checkpointEvery() {
        return iterations / CHECKPOINTS;
    }
}
