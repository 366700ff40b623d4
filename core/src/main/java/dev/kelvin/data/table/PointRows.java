package dev.kelvin.data.table;

import dev.kelvin.data.format.Rows;
import dev.kelvin.data.table.file.TableSource;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Parallel;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Points as floats [k, d] from a table's file or stream, whose first line may have names. */
public final class PointRows implements Rows {
    private final TableSource source;
    private final int dimension;
    private long row;
    private @Nullable CompletableFuture<float[]> ahead;

    private PointRows(TableSource source, int dimension) throws IOException {
        this.source = source;
        this.dimension = dimension;
        List<String> first = source.first();
        if (first.size() != dimension) {
            throw wrong("has " + first.size() + " columns; points of this model are [n, " + dimension + "]");
        }
        if (source.names().isEmpty() && !TableLayout.isValue(first.get(0))) {
            source.next();
        }
    }

    /** Opens a file of points with {@code dimension} coordinates. */
    public static Rows open(Path file, int dimension) throws IOException {
        TableSource source = TableSource.open(file);
        try {
            return new PointRows(source, dimension);
        } catch (IOException e) {
            source.close();
            throw e;
        }
    }

    @Override
    public OptionalLong count() {
        return source.count();
    }

    @Override
    public OptionalDouble share() {
        return source.share();
    }

    /** The next points; meanwhile another thread reads those after them. */
    @Override
    public Optional<Tensor> next(int most) throws IOException {
        try {
            float[] values = ahead == null ? read(most) : Parallel.join(ahead);
            ahead = values.length < most * dimension ? null : CompletableFuture.supplyAsync(() -> read(most));
            return values.length == 0
                    ? Optional.empty()
                    : Optional.of(Tensors.of(values, values.length / dimension, dimension));
        } catch (UncheckedIOException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    private float[] read(int most) {
        try {
            float[] values = new float[most * dimension];
            int rows = 0;
            while (rows < most && source.next()) {
                if (source.cells() != dimension) {
                    throw wrong("has " + source.cells() + " numbers " + where() + "; points of this model have "
                            + dimension);
                }
                for (int i = 0; i < dimension; i++) {
                    values[rows * dimension + i] = usable(i);
                }
                rows++;
                row++;
            }
            return rows == most ? values : Arrays.copyOf(values, rows * dimension);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private float usable(int cell) throws UnreadableFileException {
        float value = (float) source.number(cell);
        if (!(Math.abs(value) <= LARGEST)) {
            throw wrong("holds " + (Float.isNaN(value) ? Words.quote(source.text(cell)) : value) + " " + where()
                    + "; points are finite numbers up to " + LARGEST);
        }
        return value;
    }

    private String where() {
        return source.line() > 0 ? "in line " + source.line() : "in row " + row + ", counted from 0";
    }

    private UnreadableFileException wrong(String problem) {
        return new UnreadableFileException(source.path(), problem);
    }

    @Override
    public void close() throws IOException {
        if (ahead != null) {
            ahead.exceptionally(failure -> new float[0]).join(); // it reads from what is closed next
        }
        source.close();
    }
}
