package dev.kelvin.spark;

import dev.kelvin.data.format.Rows;
import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.model.SampleKind;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;

/** Gathers samples from rows of Spark until they are taken as a batch; for one thread. */
abstract sealed class SampleReader permits TableCells, PointValues, PixelColumn {
    private final SampleKind kind;
    private final int width;
    private final float[] values;
    private int count;

    /** For batches of so many samples at most. */
    SampleReader(SampleKind kind, int most) {
        this.kind = kind;
        width = kind.width();
        values = new float[Math.multiplyExact(most, width)];
    }

    /** Of samples of a kind, from such columns. */
    static SampleReader of(SampleKind kind, SampleColumns columns, KelvinScores settings, int most) {
        if (kind instanceof SampleKind.Rows rows) {
            return new TableCells(rows, columns, most);
        }
        return kind instanceof SampleKind.Images images
                ? new PixelColumn(images, columns, settings, most)
                : new PointValues(kind, columns, most);
    }

    /** Adds a row's sample; returns what is wrong with it otherwise, in words that follow the row's name. */
    final Optional<String> add(Row row) {
        Optional<String> problem = read(row, values, count * width);
        count += problem.isEmpty() ? 1 : 0;
        return problem;
    }

    /** Reads a sample's values to a place of an array. */
    abstract Optional<String> read(Row row, float[] into, int from);

    /** How many samples there are. */
    final int count() {
        return count;
    }

    /** The samples as the model sees them, [n, ...], after which gathering begins anew. */
    final Tensor take() {
        Tensor x = Tensors.of(Arrays.copyOf(values, count * width), Tensors.batch(count, kind.shape()));
        count = 0;
        return seen(x);
    }

    Tensor seen(Tensor x) {
        return x;
    }

    /** What is added to f/T of a sample that was taken last. */
    double logDeterminant(int sample) {
        return 0;
    }

    /** The number that a cell is, as in a CSV file; NaN where it is none. */
    static double number(Object cell) {
        if (cell instanceof Number number) {
            return number.doubleValue();
        }
        return cell instanceof String text ? TableSource.number(text) : Double.NaN;
    }

    /** What is wrong with a value that the model cannot take. */
    static String unusable(Object value) {
        return (value instanceof String text ? "holds '" + text + "'" : "holds " + value)
                + "; points are finite numbers up to " + Rows.LARGEST;
    }

    /** A column's array. */
    static List<?> array(Row row, int place) {
        return row.getList(place);
    }
}
