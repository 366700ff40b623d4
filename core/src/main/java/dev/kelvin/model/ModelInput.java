package dev.kelvin.model;

import static dev.kelvin.data.format.Rows.LARGEST;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.part.InvalidInputException;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** A caller's samples as a model sees them: checked, rows of a table scaled, images in the model's range. */
record ModelInput(SampleKind kind) {
    /** Values at a time, so that a block of points and one of large images take about as much memory. */
    private static final int BLOCK = 1 << 20;

    /** The largest number of names in a sentence. */
    private static final int NAMED = 20;

    /** Samples of a caller, some at a time. */
    interface Samples {
        int count();

        /** Those from one on to before another, as the model sees them, in the current scope. */
        Tensor tensor(int from, int to);

        /** What is added to their f/T to be in their own units. */
        default double[] logDeterminant(int from, int to) {
            return new double[to - from];
        }
    }

    /** What is done with a block of samples z, from one on to before another. */
    interface Block {
        void of(Tensor z, int from, int to);
    }

    /** Does something with all of the samples, block after block, each in a scope of its own. */
    void inBlocks(Samples samples, Device device, Block work) {
        int block = Math.max(1, BLOCK / kind.width());
        for (int from = 0; from < samples.count(); from += block) {
            int to = Math.min(samples.count(), from + block);
            try (Scope scope = Scope.open()) {
                work.of(samples.tensor(from, to).to(device), from, to);
            }
        }
    }

    /** Samples in their own units, some of which a function gives. */
    private record Sliced(int count, Slice slice) implements Samples {
        private interface Slice {
            Tensor of(int from, int to);
        }

        @Override
        public Tensor tensor(int from, int to) {
            return slice.of(from, to);
        }
    }

    /** Rows of numbers: points, rows of a table in its own units, or images with their pixels one after the other. */
    Samples rows(double[][] rows) {
        requireWidth(rows);
        Given given = new Given(rows);
        IntStream.range(0, rows.length).forEach(given::requireFinite);
        return given;
    }

    /** Refuses rows of another width than the model's; their values may be NaN. */
    void requireWidth(double[][] rows) {
        SampleKind.requireValues(rows);
        int width = kind.width();
        for (int i = 0; i < rows.length; i++) {
            int found = rows[i].length;
            if (found != width) {
                throw new InvalidInputException("row " + i + " has " + found + (found == 1 ? " value" : " values")
                        + "; expected " + width + (kind.rows().isPresent() ? ": " + shown() : ", " + kind.words()));
            }
        }
    }

    private String shown() {
        List<String> names = names();
        return names.size() <= NAMED
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, NAMED)) + ", ... " + names.size() + " in all";
    }

    /** Samples that come as a tensor [n, ...], in the units of {@link #rows(double[][])}. */
    Samples tensor(Tensor x) {
        List<Long> shape = LongStream.of(x.shape()).skip(1).boxed().toList();
        if (!shape.equals(kind.shape())) {
            throw new InvalidInputException("the samples are " + x + "; expected " + kind.words() + " each, [n, "
                    + kind.shape().stream().map(String::valueOf).collect(Collectors.joining(", ")) + "]");
        }
        if (!x.allFinite()) {
            throw new InvalidInputException("the samples " + x + " have NaN or infinity; a model takes finite numbers");
        }
        return kind.rows().isPresent()
                ? rows(asRows(x))
                : new Sliced((int) x.size(0), (from, to) -> x.narrow(0, from, to - from));
    }

    private double[][] asRows(Tensor x) {
        double[] flat = x.toDoubles();
        int width = kind.width();
        double[][] rows = new double[(int) x.size(0)][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(flat, i * width, (i + 1) * width));
        return rows;
    }

    /** Images as they are stored. */
    Samples images(ImageSet set) {
        List<Long> shape = List.of((long) set.channels(), (long) set.height(), (long) set.width());
        if (kind.images().isEmpty() || !kind.shape().equals(shape)) {
            throw new InvalidInputException(set + ": this model takes " + kind.words() + " each");
        }
        Units units = kind.units();
        return new Sliced(set.count(), (from, to) -> units.toModel(
                set.images(LongStream.range(from, to).toArray())));
    }

    /** Samples of the model, [n, ...], as rows that {@link #rows(double[][])} takes. */
    double[][] toRows(Tensor z) {
        return asRows(kind.rows().isPresent() ? kind.units().fromModel(z) : z);
    }

    private List<String> names() {
        return kind.rows().map(rows -> rows.schema().inputs()).orElse(List.of());
    }

    /** Rows of numbers. */
    private final class Given implements Samples {
        private final double[][] rows;
        private final int width = kind.width();
        private final Optional<RowUnits> units = kind.rows().map(SampleKind.Rows::units);
        private final Optional<PixelRange> range = kind.images().map(SampleKind.Images::range);

        Given(double[][] rows) {
            this.rows = rows;
        }

        @Override
        public int count() {
            return rows.length;
        }

        @Override
        public Tensor tensor(int from, int to) {
            double[] x = flat(from, to);
            float[] z = new float[x.length];
            if (units.isPresent()) {
                units.get().scaler().forward(x, to - from, z);
            } else {
                for (int i = 0; i < x.length; i++) {
                    z[i] = (float) x[i];
                }
            }
            for (int i = 0; i < z.length; i++) {
                if (!(Math.abs(z[i]) <= LARGEST)) {
                    throw new InvalidInputException(
                            "row " + (from + i / width) + " has numbers too large for this model, such as "
                                    + Arrays.stream(rows[from + i / width])
                                            .map(Math::abs)
                                            .max()
                                            .orElseThrow()
                                    + "; expected " + LARGEST + " at most"
                                    + (units.isPresent() ? ", in deviations from the mean" : "")
                                    + ": leave the row out");
                }
            }
            return Tensors.of(z, Tensors.batch(to - from, kind.shape()));
        }

        @Override
        public double[] logDeterminant(int from, int to) {
            return units.map(own -> own.scaler().logDeterminant(flat(from, to), to - from))
                    .orElseGet(() -> Samples.super.logDeterminant(from, to));
        }

        private double[] flat(int from, int to) {
            double[] x = new double[Math.multiplyExact(to - from, width)];
            for (int i = from; i < to; i++) {
                System.arraycopy(rows[i], 0, x, (i - from) * width, width);
            }
            return x;
        }

        private void requireFinite(int number) {
            for (int j = 0; j < width; j++) {
                double value = rows[number][j];
                if (!Double.isFinite(value)) {
                    throw new InvalidInputException("row " + number + " has " + value + " as its "
                            + (units.isPresent() ? Words.quote(names().get(j)) : "value " + j)
                            + "; a model takes finite numbers: leave the row out"
                            + (units.isPresent() ? ", or fill it by impute" : ""));
                }
                if (range.isPresent() && isFar(value, range.get())) {
                    throw new InvalidInputException("row " + number + " has a pixel of " + value
                            + "; this model's lie between " + range.get().low() + ", black, and "
                            + range.get().high() + ", white");
                }
            }
        }

        /** Noise leaves the range by a little; what leaves it by its width is in other units. */
        private static boolean isFar(double pixel, PixelRange range) {
            double width = range.high() - range.low();
            return pixel < range.low() - width || pixel > range.high() + width;
        }
    }
}
