package dev.kelvin.model;

import static dev.kelvin.data.format.Rows.LARGEST;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.data.table.scale.Scaler;
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

    /** Samples of a caller as the model sees them, some at a time, and what is added to their f/T to be in their own units. */
    record Samples(int count, Slice<Tensor> tensors, Slice<double[]> logDeterminants) {
        Samples(int count, Slice<Tensor> tensors) {
            this(count, tensors, (from, to) -> new double[to - from]);
        }
    }

    /** What belongs to the samples from one on to before another; a tensor is made in the current scope. */
    interface Slice<T> {
        T of(int from, int to);
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
                work.of(samples.tensors.of(from, to).to(device), from, to);
            }
        }
    }

    /** Rows of numbers: points, rows of a table in its own units, or images with their pixels one after the other. */
    Samples rows(double[][] rows) {
        requireWidth(rows);
        IntStream.range(0, rows.length).forEach(i -> requireFinite(i, rows[i]));
        Optional<Scaler> scaler = kind.rows().map(table -> table.units().scaler());
        Slice<Tensor> seen = (from, to) -> seen(rows, scaler, from, to);
        return scaler.map(own -> new Samples(
                        rows.length, seen, (from, to) -> own.logDeterminant(flat(rows, from, to), to - from)))
                .orElseGet(() -> new Samples(rows.length, seen));
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
                : new Samples((int) x.size(0), (from, to) -> x.narrow(0, from, to - from));
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
        return new Samples(
                set.count(),
                (from, to) ->
                        units.toModel(set.images(LongStream.range(from, to).toArray())));
    }

    /** Samples of the model, [n, ...], as rows that {@link #rows(double[][])} takes. */
    double[][] toRows(Tensor z) {
        return asRows(kind.rows().isPresent() ? kind.units().fromModel(z) : z);
    }

    private List<String> names() {
        return kind.rows().map(rows -> rows.schema().inputs()).orElse(List.of());
    }

    private Tensor seen(double[][] rows, Optional<Scaler> scaler, int from, int to) {
        double[] x = flat(rows, from, to);
        float[] z = new float[x.length];
        if (scaler.isPresent()) {
            scaler.get().forward(x, to - from, z);
        } else {
            for (int i = 0; i < x.length; i++) {
                z[i] = (float) x[i];
            }
        }
        for (int i = 0; i < z.length; i++) {
            if (!(Math.abs(z[i]) <= LARGEST)) {
                int row = from + i / kind.width();
                double most = Arrays.stream(rows[row]).map(Math::abs).max().orElseThrow();
                throw new InvalidInputException("row " + row + " has numbers too large for this model, such as " + most
                        + "; expected " + LARGEST
                        + " at most" + (scaler.isPresent() ? ", in deviations from the mean" : "")
                        + ": leave the row out");
            }
        }
        return Tensors.of(z, Tensors.batch(to - from, kind.shape()));
    }

    private double[] flat(double[][] rows, int from, int to) {
        int width = kind.width();
        double[] x = new double[Math.multiplyExact(to - from, width)];
        for (int i = from; i < to; i++) {
            System.arraycopy(rows[i], 0, x, (i - from) * width, width);
        }
        return x;
    }

    private void requireFinite(int number, double... row) {
        Optional<PixelRange> range = kind.images().map(SampleKind.Images::range);
        boolean table = kind.rows().isPresent();
        for (int j = 0; j < row.length; j++) {
            double value = row[j];
            if (!Double.isFinite(value)) {
                throw new InvalidInputException("row " + number + " has " + value + " as its "
                        + (table ? Words.quote(names().get(j)) : "value " + j)
                        + "; a model takes finite numbers: leave the row out"
                        + (table ? ", or fill it by impute" : ""));
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
