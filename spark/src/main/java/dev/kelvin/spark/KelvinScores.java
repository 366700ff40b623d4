package dev.kelvin.spark;

import dev.kelvin.metric.OodScore;
import dev.kelvin.model.ModelCard;
import dev.kelvin.model.RowScorer;
import dev.kelvin.model.SampleKind;
import dev.kelvin.part.Check;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.Words;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * Scores a DataFrame with a run, as {@code kelvin score} does a file: the same rows in the same order, with columns {@code f}, {@code
 * log_p} (null where it is unknown), {@code quantile}, {@code alarm}, of a table {@code oddest} and, of a model with classes, {@code
 * p_CLASS} of each and {@code class}.
 *
 * <pre>{@code
 * Dataset<Row> scored = KelvinScores.of("/runs/table").score(rows);
 * scored.where("alarm").select("id", "log_p", "oddest").show();
 * }</pre>
 *
 * <p>The numbers of a partition are, to the last bit, those of {@code kelvin score} of a file with the partition's rows. The last
 * bits of f depend on a row's place in its batch, so that rows of one file in several partitions may differ there from the file's:
 * see {@link #inOneFilesBatches}.
 *
 * <p>The model is loaded once in each executor, from the run's folder there; nothing of it is serialised. Streaming DataFrames are
 * scored by the same call. Immutable: each option returns a copy.
 *
 * @param run the run's folder, which each executor can read, or the name of an archive that Spark has sent ({@code --archives})
 * @param by the score that separates the data from others; a column {@code in_distribution} where it is not f
 * @param alarm the quantile of f up to which a row is an alarm: the share of false alarms among rows of the data
 * @param closer the quantile up to which the oddest column is found by the model itself, if it is more than the alarms';
 *     {@code kelvin score} takes 0.1 for files up to 10 MB, 0 for others
 * @param columns the columns of a point's values, or the one of arrays or images; empty where their types say which they are
 * @param white the value of white in raw pixels and arrays of pixels
 * @param resized whether pictures of another size are cropped to their central square and resized
 * @param badRows what becomes of rows that cannot be scored
 * @param prefix what the names of the new columns begin with
 * @param batch rows that are read together; 0 for as many as {@code kelvin score} reads
 * @param device where executors compute: cpu, cuda or cuda:N
 * @param asOneFile whether batches are those of one file with all rows, in their order
 */
public record KelvinScores(
        String run,
        OodScore by,
        double alarm,
        double closer,
        List<String> columns,
        int white,
        boolean resized,
        BadRows badRows,
        String prefix,
        int batch,
        String device,
        boolean asOneFile)
        implements Serializable {
    private static final int WHITE = 255;
    private static final int LARGEST = 1 << 16;

    public KelvinScores {
        columns = List.copyOf(columns);
        Check.require(alarm > 0 && alarm < 1, "alarm", "must be a share between 0 and 1, found " + Words.number(alarm));
        Check.within("closer", closer, 0, 1);
        Check.within("white", white, 1, WHITE);
        Check.within("batch", batch, 0, LARGEST);
    }

    /** Scores by the model of a run, with the usual options. */
    public static KelvinScores of(String run) {
        return new KelvinScores(
                run, OodScore.F, RowScorer.USUAL_ALARM, 0, List.of(), WHITE, false, BadRows.FAIL, "", 0, "cpu", false);
    }

    /** Adds a column {@code in_distribution}: another score that separates the data from others. */
    public KelvinScores by(OodScore other) {
        return new KelvinScores(
                run, other, alarm, closer, columns, white, resized, badRows, prefix, batch, device, asOneFile);
    }

    /** With another share of false alarms. */
    public KelvinScores alarm(double share) {
        return new KelvinScores(
                run, by, share, closer, columns, white, resized, badRows, prefix, batch, device, asOneFile);
    }

    /** Asks the model for the oddest column up to this quantile, which takes longer than a Gaussian does. */
    public KelvinScores closer(double quantile) {
        return new KelvinScores(
                run, by, alarm, quantile, columns, white, resized, badRows, prefix, batch, device, asOneFile);
    }

    /** Names the columns that hold points or images. */
    public KelvinScores columns(String... names) {
        return new KelvinScores(
                run, by, alarm, closer, List.of(names), white, resized, badRows, prefix, batch, device, asOneFile);
    }

    /** Says which value white has in raw pixels and in arrays of pixels. */
    public KelvinScores white(int value) {
        return new KelvinScores(
                run, by, alarm, closer, columns, value, resized, badRows, prefix, batch, device, asOneFile);
    }

    /** Crops pictures to their central square and resizes them, as a recipe's {@code data.images.size} does. */
    public KelvinScores resize() {
        return new KelvinScores(
                run, by, alarm, closer, columns, white, true, badRows, prefix, batch, device, asOneFile);
    }

    /** Says what becomes of rows that cannot be scored. */
    public KelvinScores badRows(BadRows what) {
        return new KelvinScores(
                run, by, alarm, closer, columns, white, resized, what, prefix, batch, device, asOneFile);
    }

    /** Begins the names of the new columns with this. */
    public KelvinScores prefix(String start) {
        return new KelvinScores(
                run, by, alarm, closer, columns, white, resized, badRows, start, batch, device, asOneFile);
    }

    /** Reads so many rows together; numbers may then differ in their last bits from those of {@code kelvin score}. */
    public KelvinScores batch(int rows) {
        return new KelvinScores(
                run, by, alarm, closer, columns, white, resized, badRows, prefix, rows, device, asOneFile);
    }

    /** Computes on another device. */
    public KelvinScores device(String name) {
        return new KelvinScores(
                run, by, alarm, closer, columns, white, resized, badRows, prefix, batch, name, asOneFile);
    }

    /**
     * Forms the batches of one file with all rows, in their order, so that scores are to the last bit those of {@code kelvin score}
     * of that file, however many partitions there are. Rows are counted and shuffled first; it is not for streams.
     */
    public KelvinScores inOneFilesBatches() {
        return new KelvinScores(run, by, alarm, closer, columns, white, resized, badRows, prefix, batch, device, true);
    }

    /**
     * The rows with their scores, once an action asks for them; of a stream, as they come.
     *
     * @throws InvalidInputException if the DataFrame lacks columns that the model needs, or has others of their names
     */
    public Dataset<Row> score(Dataset<Row> rows) {
        Path place = RunPlace.of(run);
        String stamp = RunPlace.stamp(place);
        ModelCard card = card(place);
        SampleColumns samples = SampleColumns.of(rows.schema(), card.samples(), columns);
        ScoreColumns scores = ScoreColumns.of(card, this);
        StructType schema = scores.addedTo(rows.schema());
        Dataset<Row> placed = asOneFile ? FileBatches.of(rows, batchOf(card.samples())) : rows;
        return placed.mapPartitions(new PartitionScorer(this, stamp, samples, scores), Encoders.row(schema));
    }

    private static ModelCard card(Path place) {
        try {
            return ModelCard.read(place);
        } catch (IOException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        }
    }

    /** How many samples are read together, as 'kelvin score' does where nothing else is asked for. */
    int batchOf(SampleKind kind) {
        return batch > 0 ? batch : RowScorer.together(kind);
    }

    RowScorer.Settings settings() {
        return new RowScorer.Settings(by, alarm, Math.max(alarm, closer));
    }
}
