package dev.kelvin.model;

import static dev.kelvin.data.format.Rows.LARGEST;

import dev.kelvin.data.image.ImageSet;
import dev.kelvin.data.image.PixelRange;
import dev.kelvin.data.table.scale.Scaler;
import dev.kelvin.data.table.scale.TableUnits;
import dev.kelvin.part.Words;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** A caller's samples as a model sees them: checked, rows of a table scaled, images in the model's range. */
final class ModelInput {
    /** Values at a time, so that a block of points and one of large images take about as much memory. */
    private static final int BLOCK = 1 << 20;

    private static final String NO_CARD = "this run does not say what its samples are, having no " + ModelCard.FILE
            + ": run 'kelvin evaluate' on it, which writes that, or give the model tensors";

    /** Samples of a caller, some at a time. */
    interface Samples {
        int count();

        /** How many at a time. */
        int block();

        /** Those from one on to before another, as the model sees them, in the current scope. */
        Tensor tensor(int from, int to);

        /** What is added to their f/T to be in their own units. */
        default double[] logDeterminant(int from, int to) {
            return new double[to - from];
        }
    }

    private final List<String> names;
    private final Optional<Scaler> scaler;
    private final Optional<ModelCard> card;
    private final boolean images;

    ModelInput(Optional<ModelCard> card, Optional<TableUnits> table, boolean images) {
        names = table.map(units -> units.schema().inputs()).orElse(List.of());
        scaler = table.map(units -> units.scaling().scaler());
        this.card = card;
        this.images = images;
    }

    /** Rows of numbers: points, rows of a table in its own units, or images with their pixels one after the other. */
    Samples rows(double[][] rows) {
        requireValues(rows);
        if (images && rows.length > 0 && card.isEmpty()) {
            throw new IllegalStateException(NO_CARD);
        }
        int width = scaler.isPresent()
                ? names.size()
                : card.map(ModelCard::width).orElseGet(() -> rows.length == 0 ? 0 : rows[0].length);
        return new Rows(rows, width);
    }

    /** Refuses null in place of rows, and rows that are null or empty, by their numbers: for scoring and for training. */
    static void requireValues(double[][] rows) {
        if (rows == null) {
            throw new IllegalArgumentException("the rows are null; expected double[n][width], of no rows where n is 0");
        }
        for (int i = 0; i < rows.length; i++) {
            if (rows[i] == null || rows[i].length == 0) {
                throw new IllegalArgumentException("row " + i + (rows[i] == null ? " is null" : " has no values")
                        + "; expected a value for each column in every row: leave the row out");
            }
        }
    }

    /** Whether rows have units of their own, which are not the model's. */
    boolean scales() {
        return scaler.isPresent();
    }

    /** Rows of numbers that come as a tensor, [n, width]. */
    Samples rows(Tensor x) {
        return rows(asRows(x.toDoubles(), (int) x.size(0)));
    }

    private static double[][] asRows(double[] flat, int count) {
        int width = count == 0 ? 0 : flat.length / count;
        double[][] rows = new double[count][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(flat, i * width, (i + 1) * width));
        return rows;
    }

    /** Images as they are stored. */
    Samples images(ImageSet set) {
        ModelCard known = card.orElseThrow(() -> new IllegalStateException(NO_CARD));
        List<Long> shape = List.of((long) set.channels(), (long) set.height(), (long) set.width());
        if (known.range().isEmpty() || !known.shape().equals(shape)) {
            throw new IllegalArgumentException(set + ": this model takes " + known.words() + " each");
        }
        return new Stored(set, known.range().orElseThrow());
    }

    /** Refuses samples of another shape, and such with NaN. */
    void check(Tensor x) {
        long[] shape = Arrays.copyOfRange(x.shape(), Math.min(1, (int) x.dim()), (int) x.dim());
        card.ifPresent(known -> {
            if (!LongStream.of(shape).boxed().toList().equals(known.shape())) {
                throw new IllegalArgumentException(
                        "the samples are " + x + "; expected " + known.words() + " each, " + batch(known));
            }
        });
        if (!x.allFinite()) {
            throw new IllegalArgumentException(
                    "the samples " + x + " have NaN or infinity; a model takes finite numbers");
        }
    }

    private static String batch(ModelCard known) {
        return "[n, "
                + String.join(", ", known.shape().stream().map(String::valueOf).toList()) + "]";
    }

    /** Samples of the model, [n, ...], as rows: those of a table in its own units. */
    double[][] toRows(Tensor x) {
        int count = (int) x.size(0);
        double[] flat = x.toDoubles();
        if (scaler.isEmpty()) {
            return asRows(flat, count);
        }
        double[] own = new double[flat.length];
        scaler.get().back(flat, count, own);
        return asRows(own, count);
    }

    private final class Rows implements Samples {
        private final double[][] rows;
        private final int width;

        Rows(double[][] rows, int width) {
            this.rows = rows;
            this.width = width;
            for (int i = 0; i < rows.length; i++) {
                check(rows[i], i);
            }
        }

        @Override
        public int count() {
            return rows.length;
        }

        @Override
        public int block() {
            return Math.max(1, BLOCK / Math.max(1, width));
        }

        @Override
        public Tensor tensor(int from, int to) {
            double[] x = flat(from, to);
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
                    throw new IllegalArgumentException(
                            "row " + (from + i / width) + " has numbers too large for this model, such as "
                                    + Arrays.stream(rows[from + i / width])
                                            .map(Math::abs)
                                            .max()
                                            .orElseThrow()
                                    + "; expected " + LARGEST + " at most"
                                    + (scaler.isPresent() ? ", in deviations from the mean" : "")
                                    + ": leave the row out");
                }
            }
            long[] shape = LongStream.concat(
                            LongStream.of(to - from),
                            card.map(ModelCard::shape).orElse(List.of((long) width)).stream()
                                    .mapToLong(Long::longValue))
                    .toArray();
            return Tensors.of(z, shape);
        }

        @Override
        public double[] logDeterminant(int from, int to) {
            return scaler.isPresent()
                    ? scaler.get().logDeterminant(flat(from, to), to - from)
                    : Samples.super.logDeterminant(from, to);
        }

        private double[] flat(int from, int to) {
            double[] x = new double[Math.multiplyExact(to - from, width)];
            for (int i = from; i < to; i++) {
                System.arraycopy(rows[i], 0, x, (i - from) * width, width);
            }
            return x;
        }

        private void check(double[] row, int number) {
            if (row.length != width) {
                throw new IllegalArgumentException("row " + number + " has " + row.length
                        + (row.length == 1 ? " value" : " values") + "; expected " + width + why());
            }
            Optional<PixelRange> range = card.flatMap(ModelCard::range);
            for (int j = 0; j < width; j++) {
                if (!Double.isFinite(row[j])) {
                    throw new IllegalArgumentException("row " + number + " has " + row[j] + " as its "
                            + (scaler.isPresent() ? Words.quote(names.get(j)) : "value " + j)
                            + "; a model takes finite numbers: leave the row out"
                            + (scaler.isPresent() ? ", or fill it by 'kelvin sample --fill'" : ""));
                }
                if (range.isPresent() && isFar(row[j], range.get())) {
                    throw new IllegalArgumentException("row " + number + " has a pixel of " + row[j]
                            + "; this model's lie between " + range.get().low() + ", black, and "
                            + range.get().high() + ", white");
                }
            }
        }

        private String why() {
            if (scaler.isPresent()) {
                return ": " + shown();
            }
            return card.map(known -> ", " + known.words()).orElse(", as many as the first");
        }
    }

    /** Noise leaves the range by a little; what leaves it by its width is in other units. */
    private static boolean isFar(double pixel, PixelRange range) {
        double width = range.high() - range.low();
        return pixel < range.low() - width || pixel > range.high() + width;
    }

    private record Stored(ImageSet set, PixelRange range) implements Samples {
        @Override
        public int count() {
            return set.count();
        }

        @Override
        public int block() {
            return Math.max(1, BLOCK / (set.channels() * set.height() * set.width()));
        }

        @Override
        public Tensor tensor(int from, int to) {
            return range.fromUnit(set.images(LongStream.range(from, to).toArray()));
        }
    }

    /** Not more names than a sentence bears. */
    private String shown() {
        int most = 20;
        return names.size() <= most
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, most)) + ", ... " + names.size() + " in all";
    }
}
