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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipFile;

/** The rows of NumPy's arrays [n, d]: an npy file, or an npz with the array x, or one alone, and perhaps labels y. */
final class NpySource implements TableSource {
    private static final int CHUNK = 1 << 16; // numbers at a time

    private final InputFile input;
    private final Array rows;
    private final long count;
    private final int width;
    private final double[] labels; // empty where there are none
    private final long size;
    private final List<String> names = new ArrayList<>();

    private double[] chunk = {};
    private long chunkFrom;
    private long chunkTo;
    private long row = -1;

    /** Rows [from, from + count) as doubles. */
    private interface Array extends Closeable {
        double[] read(long from, long count) throws IOException;
    }

    private NpySource(InputFile input, long[] shape, double[] labels, Array rows) throws IOException {
        this.input = input;
        this.rows = rows;
        this.count = shape[0];
        this.width = (int) shape[1];
        this.labels = labels;
        this.size = Files.size(input.file());
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

    /** The rows of an input, which is closed with them. */
    static NpySource npy(InputFile input) throws IOException {
        Path path = input.file();
        Npy.Rows array = Npy.rows(path);
        try {
            long[] shape = array.shape();
            requireTable(path, "", shape);
            if (array.inFortranOrder()) {
                array.close();
                return new NpySource(input, shape, new double[0], held(path));
            }
            return new NpySource(input, shape, new double[0], new Array() {
                @Override
                public double[] read(long from, long count) throws IOException {
                    try (Scope scope = Scope.open()) {
                        return array.read(from, count).toDoubles();
                    }
                }

                @Override
                public void close() throws IOException {
                    array.close();
                }
            });
        } catch (IOException | RuntimeException e) {
            array.close();
            throw e;
        }
    }

    private static Array held(Path path) throws IOException {
        try (Scope scope = Scope.open()) {
            return held(Scope.detach(Npy.read(path)));
        } catch (TensorException e) {
            throw new UnreadableFileException(path, "cannot be held in memory: " + e.getMessage());
        }
    }

    private static Array held(Tensor whole) {
        return new Array() {
            @Override
            public double[] read(long from, long count) {
                try (Scope scope = Scope.open()) {
                    return whole.narrow(0, from, count).contiguous().toDoubles();
                }
            }

            @Override
            public void close() {
                whole.close();
            }
        };
    }

    /** The rows of an npz file, which is closed with them. */
    static NpySource npz(InputFile input) throws IOException {
        Path path = input.file();
        try (ZipFile zip = new ZipFile(path.toFile());
                Scope scope = Scope.open()) {
            List<String> names = Npz.names(zip);
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
            Tensor x = Npz.entry(path, zip, name);
            requireTable(path, " in " + name, x.shape());
            double[] labels = y.isPresent() ? labels(path, Npz.entry(path, zip, y.get()), x) : new double[0];
            return new NpySource(input, x.shape(), labels, held(Scope.detach(x)));
        } catch (TensorException e) {
            throw new UnreadableFileException(path, "cannot be held in memory: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new UnreadableFileException(path, "has an entry whose name cannot be read: " + e.getMessage());
        }
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
            chunk = rows.read(row, next);
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
    public long line() {
        return 0;
    }

    @Override
    public long bytesRead() {
        return Math.round((double) size * chunkTo / count);
    }

    @Override
    public long bytesTotal() {
        return size;
    }

    @Override
    public void close() throws IOException {
        rows.close();
        input.close();
    }
}
