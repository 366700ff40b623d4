package dev.kelvin.data.table.file;

import dev.kelvin.data.format.InputFile;
import dev.kelvin.data.format.Npz;
import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.TensorException;
import dev.kelvin.tensor.file.Npy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The rows of NumPy's arrays [n, d]: an npy file, or an npz with the array x, or one alone, and perhaps labels y. */
final class NpySource implements TableSource {
    private static final int CHUNK = 1 << 16; // numbers at a time

    private final InputFile input;
    private final Array rows;
    private final Closeable array;
    private final long count;
    private final int width;
    private final double[] labels; // empty where there are none
    private final List<String> names = new ArrayList<>();

    private double[] chunk = {};
    private long chunkFrom;
    private long chunkTo;
    private long row = -1;

    /** Rows [from, from + count) in the current scope. */
    private interface Array {
        Tensor read(long from, long count) throws IOException;
    }

    private NpySource(InputFile input, long[] shape, double[] labels, Array rows, Closeable array) {
        this.input = input;
        this.rows = rows;
        this.array = array;
        this.count = shape[0];
        this.width = (int) shape[1];
        this.labels = labels;
        for (int i = 1; i <= width; i++) {
            names.add("x" + i);
        }
        if (labels.length > 0) {
            names.add(LABELS);
        }
    }

    private static void requireTable(Path path, String array, long... shape) throws UnreadableFileException {
        if (shape.length != 2) {
            throw new UnreadableFileException(
                    path,
                    "has the shape " + Arrays.toString(shape) + array + "; a table is [n, d]"
                            + (shape.length == 1 ? " (save x[:, None] for one column)" : ""));
        }
        if (shape[0] == 0 || shape[1] == 0) {
            throw new UnreadableFileException(
                    path, "has the shape " + Arrays.toString(shape) + array + ": no number in it");
        }
        if (shape[1] > MOST_COLUMNS) {
            throw new UnreadableFileException(
                    path, "has " + shape[1] + " columns; at most " + MOST_COLUMNS + " are read");
        }
    }

    /** The rows of an npy file, which is closed with them. */
    static NpySource npy(InputFile input) throws IOException {
        Path path = input.file();
        Npy.Rows array = Npy.rows(path);
        try {
            long[] shape = array.shape();
            requireTable(path, "", shape);
            if (array.inFortranOrder()) {
                array.close();
                try (Scope scope = Scope.open()) {
                    return held(input, Npy.read(path), new double[0]);
                }
            }
            return new NpySource(input, shape, new double[0], array::read, array);
        } catch (TensorException e) {
            throw new UnreadableFileException(path, "cannot be held in memory: " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            array.close();
            throw e;
        }
    }

    private static NpySource held(InputFile input, Tensor array, double[] labels) {
        Tensor whole = Scope.detach(array);
        return new NpySource(input, whole.shape(), labels, (from, count) -> whole.narrow(0, from, count), whole::close);
    }

    /** The rows of an npz file, which is closed with them. */
    static NpySource npz(InputFile input) throws IOException {
        Path path = input.file();
        return Npz.read(path, file -> {
            List<String> names = file.names();
            if (names.isEmpty()) {
                throw new UnreadableFileException(
                        path, "is a zip file without arrays; save a spreadsheet as CSV, arrays as .npz");
            }
            Optional<String> given = named(names, "x");
            Optional<String> y = named(names, LABELS);
            List<String> others =
                    names.stream().filter(name -> !y.equals(Optional.of(name))).toList();
            if (given.isEmpty() && others.size() != 1) {
                throw new UnreadableFileException(
                        path, "has the arrays " + names + "; expected one alone, or one that is named x");
            }
            String name = given.orElseGet(() -> others.get(0));
            try (Scope scope = Scope.open()) {
                Tensor x = file.array(name);
                requireTable(path, " in " + name, x.shape());
                double[] labels = y.isPresent() ? labels(path, file.array(y.get()), x) : new double[0];
                return held(input, x, labels);
            }
        });
    }

    private static Optional<String> named(List<String> names, String wanted) {
        return names.stream()
                .filter(name -> name.equalsIgnoreCase(wanted + ".npy"))
                .findFirst();
    }

    private static double[] labels(Path path, Tensor y, Tensor x) throws UnreadableFileException {
        if (y.count() != x.size(0)) {
            throw new UnreadableFileException(
                    path,
                    "has labels y of the shape " + Arrays.toString(y.shape()) + " for x of the shape "
                            + Arrays.toString(x.shape()) + "; expected one a row");
        }
        return (y.dtype() == DType.DOUBLE ? y : y.to(DType.DOUBLE)).toDoubles();
    }

    @Override
    public Path path() {
        return input.path();
    }

    @Override
    public List<List<String>> start() {
        return List.of(names);
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public boolean next() throws IOException {
        if (row + 1 >= count) {
            return false;
        }
        row++;
        if (row >= chunkTo) {
            long next = Math.min(Math.max(1, CHUNK / width), count - row);
            try (Scope scope = Scope.open()) {
                chunk = rows.read(row, next).contiguous().toDoubles();
            }
            chunkFrom = row;
            chunkTo = row + next;
        }
        return true;
    }

    @Override
    public int cells() {
        return names.size();
    }

    @Override
    public double number(int cell) {
        return cell < width ? chunk[(int) (row - chunkFrom) * width + cell] : labels[(int) row];
    }

    @Override
    public String text(int cell) {
        return Words.number(number(cell));
    }

    @Override
    public OptionalLong count() {
        return OptionalLong.of(count);
    }

    @Override
    public OptionalDouble share() {
        return OptionalDouble.of((double) chunkTo / count);
    }

    @Override
    public void close() throws IOException {
        array.close();
        input.close();
    }
}
