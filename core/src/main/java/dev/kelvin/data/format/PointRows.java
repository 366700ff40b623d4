package dev.kelvin.data.format;

import dev.kelvin.io.UnreadableFileException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import dev.kelvin.tensor.file.Npy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Points as floats [k, d] from an npy file [n, d], or from lines of numbers with commas between, the first perhaps of names;
 * either may be a stream, and lines may be packed by gzip.
 */
public final class PointRows {
    private PointRows() {}

    /** Opens a file of points with {@code dimension} coordinates. */
    public static Rows open(Path file, int dimension) throws IOException {
        if (Files.isDirectory(file)) {
            throw new UnreadableFileException(file, "is a folder; points come from an .npy file or lines of numbers");
        }
        InputFile input = InputFile.open(file);
        try {
            if (input.atEnd()) {
                throw new UnreadableFileException(input.path(), "is empty");
            }
            boolean npy = file.toString().endsWith(".npy") || input.begins(0x93, 'N', 'U', 'M', 'P', 'Y');
            return npy ? npy(input, dimension) : new Lines(input, dimension);
        } catch (IOException e) {
            input.close();
            throw input.unreadable(e);
        }
    }

    private static Rows npy(InputFile input, int dimension) throws IOException {
        Npy.Rows array = Npy.rows(input.file());
        long[] shape = array.shape();
        if (shape.length != 2 || shape[1] != dimension) {
            array.close();
            throw new UnreadableFileException(
                    input.path(),
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
                    requireUsable(input.path(), points.toFloats(), at, dimension);
                    at += count;
                    return Optional.of(points);
                }
            }

            @Override
            public void close() throws IOException {
                array.close();
                input.close();
            }
        };
    }

    private static void requireUsable(Path file, float[] values, long before, int dimension) throws IOException {
        for (int i = 0; i < values.length; i++) {
            if (!isUsable(values[i])) {
                throw new UnreadableFileException(
                        file,
                        "holds " + values[i] + " in row " + (before + i / dimension)
                                + ", counted from 0; points are finite numbers up to " + Rows.LARGEST);
            }
        }
    }

    private static boolean isUsable(float value) {
        return Math.abs(value) <= Rows.LARGEST;
    }

    private static final class Lines implements Rows {
        private static final int BYTE_ORDER_MARK = 0xFEFF;

        private final Path file;
        private final int dimension;
        private final BufferedReader lines;
        private long number;

        Lines(InputFile input, int dimension) throws IOException {
            this.file = input.path();
            this.dimension = dimension;
            // a decoder, unlike a charset, refuses what is no UTF-8
            InputStreamReader text = new InputStreamReader(input.unpacked(), StandardCharsets.UTF_8.newDecoder());
            this.lines = new BufferedReader(text);
            lines.mark(1);
            if (lines.read() != BYTE_ORDER_MARK) {
                lines.reset();
            }
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
                throw UnreadableFileException.of(file, e);
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
                if (!isUsable(values[at + i])) {
                    throw new UnreadableFileException(
                            file,
                            "holds '" + parts[i].strip() + "' in line " + number + "; points are finite numbers up to "
                                    + Rows.LARGEST);
                }
            }
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
