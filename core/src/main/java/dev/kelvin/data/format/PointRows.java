package dev.kelvin.data.format;

import dev.kelvin.UnreadableFileException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Npy;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Points as floats [k, d] from an npy file [n, d], or from lines of numbers with commas between, the first perhaps of names. */
public final class PointRows {
    private PointRows() {}

    /** Opens a file of points with so many coordinates. */
    public static Rows open(Path file, int dimension) throws IOException {
        if (Files.isDirectory(file)) {
            throw new UnreadableFileException(file, "is a folder; points come from an .npy file or lines of numbers");
        }
        if (Files.exists(file) && Files.size(file) == 0) {
            throw new UnreadableFileException(file, "is empty");
        }
        if (file.toString().endsWith(".npy")) {
            return npy(file, dimension);
        }
        try {
            return new Lines(file, dimension, Files.newBufferedReader(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw ByteSource.unreadable(file, e);
        }
    }

    private static Rows npy(Path file, int dimension) throws IOException {
        Npy.Rows array = Npy.rows(file);
        long[] shape = array.shape();
        if (shape.length != 2 || shape[1] != dimension) {
            array.close();
            throw new UnreadableFileException(
                    file,
                    "has the shape " + Arrays.toString(shape) + "; points of this model are [n, " + dimension + "]");
        }
        return new Rows() {
            private long at;

            @Override
            public OptionalLong count() {
                return OptionalLong.of(shape[0]);
            }

            @Override
            public Optional<Tensor> next(int most) throws IOException {
                long count = Math.min(most, shape[0] - at);
                if (count == 0) {
                    return Optional.empty();
                }
                try (Scope scope = Scope.open()) {
                    Tensor points = scope.keep(array.read(at, count).to(DType.FLOAT));
                    at += count;
                    return Optional.of(points);
                }
            }

            @Override
            public void close() throws IOException {
                array.close();
            }
        };
    }

    private static final class Lines implements Rows {
        private final Path file;
        private final int dimension;
        private final BufferedReader lines;
        private long number;

        Lines(Path file, int dimension, BufferedReader lines) {
            this.file = file;
            this.dimension = dimension;
            this.lines = lines;
        }

        @Override
        public OptionalLong count() {
            return OptionalLong.empty();
        }

        @Override
        public Optional<Tensor> next(int most) throws IOException {
            float[] values = new float[most * dimension];
            int rows = 0;
            while (rows < most) {
                String line = line();
                if (line == null) {
                    break;
                }
                number++;
                if (!line.isBlank() && !(number == 1 && isNames(line))) {
                    read(line, values, rows++ * dimension);
                }
            }
            return rows == 0
                    ? Optional.empty()
                    : Optional.of(Tensors.of(Arrays.copyOf(values, rows * dimension), rows, dimension));
        }

        private @Nullable String line() throws IOException {
            try {
                return lines.readLine();
            } catch (IOException e) {
                throw ByteSource.unreadable(file, e);
            }
        }

        private static boolean isNames(String line) {
            try {
                Float.parseFloat(line.split(",", -1)[0].strip());
                return false;
            } catch (NumberFormatException e) {
                return true;
            }
        }

        private void read(String line, float[] values, int at) throws IOException {
            String[] parts = line.split(",", -1);
            if (parts.length != dimension) {
                throw new UnreadableFileException(
                        file,
                        "has " + parts.length + " numbers in line " + number + "; points of this model have "
                                + dimension);
            }
            for (int i = 0; i < dimension; i++) {
                try {
                    values[at + i] = Float.parseFloat(parts[i].strip());
                } catch (NumberFormatException e) {
                    throw new UnreadableFileException(
                            file, "holds '" + parts[i] + "' in line " + number + ", which is no number");
                }
            }
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
