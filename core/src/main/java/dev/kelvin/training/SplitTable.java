package dev.kelvin.training;

import dev.kelvin.data.table.NumberTable;
import dev.kelvin.data.table.TableSplit;
import dev.kelvin.data.table.scale.Scaler;
import dev.kelvin.data.table.scale.Scaling;
import dev.kelvin.math.NormalQuantiles;
import dev.kelvin.metric.OddColumns;
import dev.kelvin.model.KeyDomain;
import dev.kelvin.model.SampleKind;
import dev.kelvin.negative.SampleSource;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A table's rows to learn from and those that are held out, as a model sees them: with their columns scaled, and with noise on
 * every value where it is trained with noise.
 */
public final class SplitTable implements AutoCloseable {
    private static final Key ODD = KeyDomain.USUAL_COLUMNS.key();
    private static final int LOOKED_AT = 20_000; // rows, for what is usual of columns

    private final NumberTable table;
    private final TableSplit split;
    private final Scaling scaling;
    private final Scaler scaler;
    private final double noise;
    private final Device device;
    private final Tensor train;
    private final NormalQuantiles.Scorer[] scores; // of the columns; empty where they are taken as they are
    private final Optional<Tensor> whitening; // Wᵀ

    /**
     * Splits and scales a table, of which this share of rows is held out.
     *
     * @param scale how columns are scaled; as suits them, where it is left out
     * @param noise the standard deviation of the noise on every value, in its column's standard deviations
     */
    public SplitTable(
            NumberTable table, Key key, double heldOut, Optional<Scaling.Kind> scale, double noise, Device device) {
        this.table = table;
        this.noise = noise;
        this.device = device;
        split = TableSplit.of(key.child(0), table, heldOut);
        Scaling.Kind kind = scale.orElseGet(() -> Scaling.suited(table, noise, split.train()));
        scaling = Scaling.of(kind, noise, table, split.train());
        scaler = scaling.scaler();
        scores = scaling.scores().stream().map(NormalQuantiles::scorer).toArray(NormalQuantiles.Scorer[]::new);
        try (Scope scope = Scope.open()) {
            train = Scope.detach(standard(split.train()));
            int d = table.width();
            whitening = scaling.matrix().isEmpty()
                    ? Optional.empty()
                    : Optional.of(Scope.detach(Tensors.of(scaler.whitening(), d, d)
                            .to(DType.FLOAT)
                            .transpose()
                            .contiguous()
                            .to(device)));
        }
    }

    /** The number of rows of a table that may be learnt from. */
    public static int learntRows(NumberTable table) {
        return (int) IntStream.range(0, table.rows()).filter(table::learntFrom).count();
    }

    /** All of the rows. */
    public NumberTable table() {
        return table;
    }

    /** Which are learnt from, and which held out. */
    public TableSplit split() {
        return split;
    }

    /** How columns are scaled. */
    public Scaling scaling() {
        return scaling;
    }

    /** The scaling as arithmetic. */
    public Scaler scaler() {
        return scaler;
    }

    /** The number of rows that are learnt from. */
    public int trainRows() {
        return (int) train.size(0);
    }

    /** What samples of these rows' models are. */
    public SampleKind.Rows kind(Optional<String> normal) {
        return new SampleKind.Rows(table.schema(), scaling, Optional.of(usual()), normal);
    }

    /** What is usual of the columns, standardised, of rows that are learnt from. */
    private OddColumns.Facts usual() {
        try (Scope scope = Scope.open()) {
            Tensor z = draws().draw(ODD, LOOKED_AT);
            int d = table.width();
            return OddColumns.of(z.matmul(Tensors.like(z, scaler.unwhitening(), d, d)))
                    .facts();
        }
    }

    /** (x − m)/s of rows of the table, [n, d]. */
    public Tensor standard(int... rows) {
        int width = table.width();
        double[] means =
                scaling.means().stream().mapToDouble(Double::doubleValue).toArray();
        double[] deviations =
                scaling.deviations().stream().mapToDouble(Double::doubleValue).toArray();
        float[] all = new float[Math.multiplyExact(rows.length, width)];
        double[] x = new double[width];
        for (int i = 0; i < rows.length; i++) {
            table.copy(rows[i], x, 0);
            for (int j = 0; j < width; j++) {
                all[i * width + j] = (float) ((x[j] - means[j]) / deviations[j]);
            }
        }
        return Tensors.of(all, rows.length, width).to(device);
    }

    /** (x − m)/s with noise on every value. */
    private Tensor noisy(Key chance, Tensor standard) {
        return noise == 0 ? standard : standard.plus(Tensors.normalLike(chance, noise, standard));
    }

    /** Rows (x − m)/s as the model sees them. */
    public Tensor seen(Tensor standard) {
        try (Scope scope = Scope.open()) {
            Tensor columns = scores.length == 0 ? standard : scored(standard);
            return scope.keep(whitening.map(columns::matmul).orElseGet(columns::copy));
        }
    }

    private Tensor scored(Tensor standard) {
        float[] values = standard.toFloats();
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) scores[i % scores.length].forward(values[i]);
        }
        return Tensors.of(values, standard.shape()).to(device);
    }

    /** log |dz/dx| of rows (x − m)/s. */
    public double[] logDeterminant(Tensor standard) {
        double[] values = standard.toDoubles();
        int d = table.width();
        double[] logs = new double[values.length / d];
        Arrays.fill(logs, scaling.logDeterminant());
        for (int i = 0; i < values.length && scores.length > 0; i++) {
            logs[i / d] += scores[i % d].logSlope(values[i]);
        }
        return logs;
    }

    /** Draws with replacement of the rows that are learnt from, with noise. */
    public SampleSource draws() {
        return (chance, count) -> {
            try (Scope scope = Scope.open()) {
                Key[] keys = chance.split(2);
                return scope.keep(drawn(keys[1], places(keys[0], count)));
            }
        };
    }

    /** Draws of places among the rows that are learnt from. */
    public long[] places(Key chance, int count) {
        return chance.stream().longs(count, 0, train.size(0)).toArray();
    }

    /** Rows by their places among those that are learnt from, with noise. */
    public Tensor drawn(Key chance, long... places) {
        return seen(noisy(chance, train.rows(places)));
    }

    /** Draws of the rows that are learnt from, (x − m)/s with noise. */
    public Tensor trainStandard(Key chance, int count) {
        Key[] keys = chance.split(2);
        return noisy(keys[1], train.rows(places(keys[0], count)));
    }

    /** All held-out rows, (x − m)/s with noise. */
    public Tensor heldOutStandard(Key chance) {
        return noisy(chance, standard(split.heldOut()));
    }

    /** Held-out rows in random order, at most this many, with noise. */
    public Tensor heldOut(Key chance, int most) {
        Key[] keys = chance.split(2);
        int[] all = split.heldOut();
        int[] rows = Arrays.stream(keys[0].permutation(all.length))
                .limit(most)
                .mapToInt(i -> all[(int) i])
                .toArray();
        return seen(noisy(keys[1], standard(rows)));
    }

    /** Rows of the table as the model sees them, without noise. */
    public Tensor rows(int... rows) {
        return seen(standard(rows));
    }

    @Override
    public void close() {
        train.close();
        whitening.ifPresent(Tensor::close);
    }
}
